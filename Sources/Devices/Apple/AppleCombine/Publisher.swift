/// What gives values over time, and may end or fail.
///
/// This is the part of Combine that session code uses. Demand is always unlimited: whoever subscribes gets every value.
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure
}

extension Publisher {
    /// Begins to give a subscriber its values.
    public func subscribe<Downstream: Subscriber>(_ subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        receive(subscriber: subscriber)
    }

    /// Passes all values on to a subject.
    public func subscribe<Target: Subject>(_ subject: Target) -> AnyCancellable
    where Target.Output == Output, Target.Failure == Failure {
        observe(subject.send, completion: subject.send(completion:))
    }
}

/// What gets values.
public protocol Subscriber<Input, Failure> {
    associatedtype Input
    associatedtype Failure: Error

    /// There is a subscription, of which values can be asked.
    func receive(subscription: any Subscription)
    func receive(_ input: Input) -> Subscribers.Demand
    func receive(completion: Subscribers.Completion<Failure>)
}

/// What can be given up.
public protocol Cancellable {
    func cancel()
}

/// The link between a publisher and a subscriber.
public protocol Subscription: Cancellable {
    /// Asks for values; all come, whatever is asked.
    func request(_ demand: Subscribers.Demand)
}

public enum Subscribers {
    /// How it ended.
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }

    /// How many values are wanted.
    public struct Demand: Hashable, Sendable {
        public static let unlimited = Demand()
        public static let none = Demand()
        public static func max(_ count: Int) -> Demand { Demand() }
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Sendable {}

/// Gives something up when it is let go of.
public final class AnyCancellable: Cancellable, Hashable {
    private var work: (() -> Void)?

    public init(_ cancel: @escaping () -> Void) { work = cancel }

    public convenience init(_ other: some Cancellable) { self.init(other.cancel) }

    deinit { work?() }

    public func cancel() {
        work?()
        work = nil
    }

    /// Keeps it in a set, usually for as long as an object lives.
    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

    /// Keeps it in a list.
    public func store(in list: inout [AnyCancellable]) { list.append(self) }

    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Cancellable {
    public func store(in set: inout Set<AnyCancellable>) { set.insert(AnyCancellable(self)) }
}

/// A publisher that hides how it was made.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    typealias Begin = (
        _ value: @escaping (Output) -> Void,
        _ completion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) -> AnyCancellable

    private let begin: Begin

    /// `begin` is called for each subscriber, and gives the way to end what it began.
    init(begin: @escaping Begin) { self.begin = begin }

    public init<Other: Publisher>(_ other: Other)
    where Other.Output == Output, Other.Failure == Failure {
        begin = { other.observe($0, completion: $1) }
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let link = Link()
        subscriber.receive(subscription: link)
        guard !link.isOver else { return }
        let work = begin(
            { if !link.isOver { _ = subscriber.receive($0) } },
            {
                guard !link.isOver else { return }
                link.isOver = true
                subscriber.receive(completion: $0)
            })
        if link.isOver { work.cancel() } else { link.work = work }
    }

    private final class Link: Subscription {
        var isOver = false
        var work: AnyCancellable?

        func request(_ demand: Subscribers.Demand) {}

        func cancel() {
            isOver = true
            work?.cancel()
            work = nil
        }
    }
}

/// A subscriber of two closures.
private final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
    private let value: (Input) -> Void
    private let completion: (Subscribers.Completion<Failure>) -> Void
    private var subscription: (any Subscription)?
    private var isOver = false

    init(
        _ value: @escaping (Input) -> Void,
        completion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
        (self.value, self.completion) = (value, completion)
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        if !isOver { value(input) }
        return .none
    }

    func receive(completion end: Subscribers.Completion<Failure>) {
        guard !isOver else { return }
        isOver = true
        subscription = nil
        completion(end)
    }

    func cancel() {
        isOver = true
        subscription?.cancel()
        subscription = nil
    }
}

extension Publisher {
    func observe(
        _ value: @escaping (Output) -> Void,
        completion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) -> AnyCancellable {
        let sink = Sink<Output, Failure>(value, completion: completion)
        receive(subscriber: sink)
        return AnyCancellable(sink)
    }

    /// Calls one closure with each value, and the other at the end.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        observe(receiveValue, completion: receiveCompletion)
    }

    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension Publisher where Failure == Never {
    /// Calls a closure with each value.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        observe(receiveValue) { _ in }
    }

    /// Sets a property to each value; keeps the object alive.
    public func assign<Root>(
        to property: ReferenceWritableKeyPath<Root, Output>, on object: Root
    ) -> AnyCancellable {
        sink { object[keyPath: property] = $0 }
    }

    /// The values as they come, for `for await`.
    public var values: AsyncStream<Output> {
        AsyncStream { continuation in
            let work = Kept(
                observe({ continuation.yield(Kept($0).value) }) { _ in continuation.finish() })
            continuation.onTermination = { _ in work.value.cancel() }
        }
    }
}

/// Something that is handed to a task of the same device, which has one thread.
struct Kept<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
