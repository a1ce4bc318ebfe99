internal import DeviceLink
internal import Promises
internal import Traces

/// Some keys bound to values, in the order of a list of keys; `none` where one is not bound.
struct Binding: Hashable, Sendable {
    /// Some of a list's keys, as bits by their places.
    typealias Choice = UInt64

    private(set) var values: [Field.Value]

    /// No keys.
    static let empty = Binding(unbound: 0)

    /// As many keys, none of them bound.
    init(unbound count: Int) { values = Array(repeating: .none, count: count) }

    /// What an event has of these keys.
    init(_ keys: [EventKey], in event: TraceEvent) {
        self.init(unbound: keys.count)
        bind(keys, to: event)
    }

    /// What another one binds of the keys that are shared with it, of as many keys.
    init(_ shared: [SharedKey], of other: Binding, count: Int) {
        self.init(unbound: count)
        for key in shared { values[key.mine] = other.values[key.theirs] }
    }

    /// Binds the keys to what another event has of them.
    mutating func bind(_ keys: [EventKey], to event: TraceEvent) {
        for place in keys.indices { values[place] = event.value(of: keys[place]) ?? .none }
    }

    /// The keys that are bound.
    var choice: Choice {
        var choice: Choice = 0
        for place in values.indices where values[place] != .none { choice |= 1 << place }
        return choice
    }

    /// Whether every key is bound.
    var isWhole: Bool { !values.contains(.none) }

    /// Only these of the keys that are bound.
    func restricted(to choice: Choice) -> Binding {
        var part = self
        for place in values.indices where choice & 1 << place == 0 { part.values[place] = .none }
        return part
    }

    /// Whether no key that both bind has another value in the other.
    func agrees(with other: Binding) -> Bool {
        for index in values.indices where values[index] != other.values[index] {
            if values[index] != .none, other.values[index] != .none { return false }
        }
        return true
    }
}

extension Binding {
    func hash(into hasher: inout Hasher) {
        var mixed: UInt64 = 0
        for place in values.indices {
            mixed.mix(values[place])
            mixed.mix(UInt64(place))
        }
        hasher.combine(mixed)
    }
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
