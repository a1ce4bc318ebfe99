internal import DeviceLink
internal import Promises
internal import Traces

/// Some keys bound to values, in the order of a list of keys; `none` where one is not bound.
struct Binding: Hashable, Sendable {
    var values: [Field.Value]

    /// No keys.
    static let empty = Binding(values: [])

    private init(values: [Field.Value]) { self.values = values }

    /// The binding that an event gives these keys; nil where it lacks one.
    init?(_ keys: [EventKey], in event: TraceEvent) {
        values = []
        values.reserveCapacity(keys.count)
        for key in keys {
            guard let value = event.value(of: key) else { return nil }
            values.append(value)
        }
    }

    /// What an event has of these keys.
    init(partly keys: [EventKey], in event: TraceEvent) {
        values = keys.map { event.value(of: $0) ?? .none }
    }

    /// Whether no key that both bind has another value in the other.
    func agrees(with other: Binding) -> Bool {
        for index in values.indices where values[index] != other.values[index] {
            if values[index] != .none, other.values[index] != .none { return false }
        }
        return true
    }

    /// Whether none of the shared keys has another value in the other.
    func agrees(with other: Binding, at shared: [SharedKey]) -> Bool {
        shared.allSatisfy { values[$0.mine] == other.values[$0.theirs] }
    }

    /// The values at these places.
    func projected(_ places: [Int]) -> Binding { Binding(values: places.map { values[$0] }) }
}

/// A key that two lists of keys share, by its places in both.
struct SharedKey: Sendable {
    let mine: Int
    let theirs: Int

    static func all(_ mine: [EventKey], _ theirs: [EventKey]) -> [SharedKey] {
        mine.enumerated().compactMap { index, key in
            theirs.firstIndex(of: key).map { SharedKey(mine: index, theirs: $0) }
        }
    }
}
