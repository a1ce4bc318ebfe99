/// A publisher that gives what it is sent.
public protocol Subject<Output, Failure>: Publisher, AnyObject {
    func send(_ value: Output)
    func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
    public func send() { send(()) }
}

/// Those who listen, in the order in which they came, until the end.
private final class Listeners<Output, Failure: Error> {
    typealias Listener = (
        id: Int, value: (Output) -> Void, completion: (Subscribers.Completion<Failure>) -> Void
    )

    private var all: [Listener] = []
    private(set) var end: Subscribers.Completion<Failure>?
    private var next = 0

    func send(_ value: Output) { for listener in all { listener.value(value) } }

    func finish(_ completion: Subscribers.Completion<Failure>) {
        guard end == nil else { return }
        end = completion
        let listeners = all
        all = []
        for listener in listeners { listener.completion(completion) }
    }

    /// Listens from now on; who comes after the end hears of that alone, everybody else gets `first` first.
    func publisher(
        first: @escaping () -> Output? = { nil }
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { [self] value, completion in
            if let end {
                completion(end)
                return AnyCancellable {}
            }
            next += 1
            let id = next
            all.append((id, value, completion))
            if let first = first() { value(first) }
            return AnyCancellable { [self] in all.removeAll { $0.id == id } }
        }
    }
}

/// A subject without a value of its own.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let listeners = Listeners<Output, Failure>()

    public init() {}

    public func send(_ value: Output) { listeners.send(value) }

    public func send(completion: Subscribers.Completion<Failure>) { listeners.finish(completion) }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        listeners.publisher().receive(subscriber: subscriber)
    }
}

/// A subject that has a value, which whoever subscribes gets first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let listeners = Listeners<Output, Failure>()
    private var current: Output

    public init(_ value: Output) { current = value }

    /// The value; setting it sends it.
    public var value: Output {
        get { current }
        set { send(newValue) }
    }

    public func send(_ value: Output) {
        guard listeners.end == nil else { return }
        current = value
        listeners.send(value)
    }

    public func send(completion: Subscribers.Completion<Failure>) { listeners.finish(completion) }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        listeners.publisher { [self] in current }.receive(subscriber: subscriber)
    }
}

extension AnyPublisher {
    /// What is there already: a value, and then the end.
    fileprivate init(giving value: Output?, end: Subscribers.Completion<Failure>?) {
        self.init { give, completion in
            if let value { give(value) }
            if let end { completion(end) }
            return AnyCancellable {}
        }
    }
}

/// A value that is there already.
public struct Just<Output>: Publisher {
    public typealias Failure = Never
    private let value: Output

    public init(_ value: Output) { self.value = value }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
        AnyPublisher(giving: value, end: .finished).receive(subscriber: subscriber)
    }
}

/// Nothing, and then the end.
public struct Empty<Output, Failure: Error>: Publisher {
    private let ends: Bool

    public init(completeImmediately: Bool = true) { ends = completeImmediately }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        AnyPublisher(giving: nil, end: ends ? .finished : nil).receive(subscriber: subscriber)
    }
}

/// A failure.
public struct Fail<Output, Failure: Error>: Publisher {
    private let error: Failure

    public init(error: Failure) { self.error = error }
    public init(outputType: Output.Type, failure: Failure) { error = failure }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        AnyPublisher(giving: nil, end: .failure(error)).receive(subscriber: subscriber)
    }
}

/// One value or failure, which comes some time.
public final class Future<Output, Failure: Error>: Publisher {
    public typealias Promise = (Result<Output, Failure>) -> Void
    private let subject = PassthroughSubject<Output, Failure>()
    private var result: Result<Output, Failure>?

    public init(_ attempt: @escaping (@escaping Promise) -> Void) {
        attempt { [self] in keep($0) }
    }

    private func keep(_ result: Result<Output, Failure>) {
        guard self.result == nil else { return }
        self.result = result
        switch result {
        case .success(let value):
            subject.send(value)
            subject.send(completion: .finished)
        case .failure(let error): subject.send(completion: .failure(error))
        }
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        switch result {
        case nil: subject.receive(subscriber: subscriber)
        case .failure(let error): Fail(error: error).receive(subscriber: subscriber)
        case .success(let known):
            AnyPublisher(giving: known, end: .finished).receive(subscriber: subscriber)
        }
    }
}
