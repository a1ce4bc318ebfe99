/// An object that says before it changes.
public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never
    var objectWillChange: ObjectWillChangePublisher { get }
}

/// What says that an object is about to change.
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never
    private let subject = PassthroughSubject<Void, Never>()

    public init() {}

    public func send() { subject.send() }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Void, Downstream.Failure == Never {
        subject.receive(subscriber: subscriber)
    }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// The publisher that all published properties of the object share.
    public var objectWillChange: ObservableObjectPublisher {
        var mirror: Mirror? = Mirror(reflecting: self)
        var properties: [any PublishedProperty] = []
        while let level = mirror {
            properties += level.children.compactMap { $0.value as? any PublishedProperty }
            mirror = level.superclassMirror
        }
        let publisher = properties.lazy.compactMap(\.announcer).first ?? .init()
        for property in properties { property.announce(to: publisher) }
        return publisher
    }
}

private protocol PublishedProperty {
    var announcer: ObservableObjectPublisher? { get }
    func announce(to publisher: ObservableObjectPublisher)
}

/// A property whose values can be subscribed to; a new value is published before the property has it.
@propertyWrapper
public struct Published<Value>: PublishedProperty {
    private let box: Box

    fileprivate final class Box {
        let subject: CurrentValueSubject<Value, Never>
        var value: Value
        var announcer: ObservableObjectPublisher?
        /// What the property gets its values from.
        var works: [AnyCancellable] = []

        init(_ value: Value) {
            self.value = value
            subject = CurrentValueSubject(value)
        }

        func set(_ value: Value) {
            announcer?.send()
            subject.send(value)
            self.value = value
        }
    }

    public init(wrappedValue: Value) { box = Box(wrappedValue) }
    public init(initialValue: Value) { box = Box(initialValue) }

    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.set(newValue) }
    }

    /// The values of the property, the present one first.
    public var projectedValue: Publisher {
        get { Publisher(box: box) }
        nonmutating set {}
    }

    public struct Publisher: AppleCombine.Publisher {
        public typealias Output = Value
        public typealias Failure = Never
        fileprivate let box: Box

        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Value, Downstream.Failure == Never {
            box.subject.receive(subscriber: subscriber)
        }
    }

    fileprivate var announcer: ObservableObjectPublisher? { box.announcer }

    fileprivate func announce(to publisher: ObservableObjectPublisher) {
        box.announcer = publisher
    }
}

extension Publisher where Failure == Never {
    /// Sets a published property to each value, for as long as the property lives: `assign(to: &$name)`.
    public func assign(to published: inout Published<Output>.Publisher) {
        let box = published.box
        box.works.append(sink { [weak box] in box?.set($0) })
    }
}
