import DeviceLink
import Promises
import Traces

/// Some keys bound to values, in the order of a list of keys.
///
/// Of each value it has the mark only: bindings are compared and looked up for every event, and marks
/// take no memory of their own.
struct Binding: Sendable {
    /// Some of a list's keys, as bits by their places.
    typealias Choice = UInt64

    /// The marks of the values, of as many as `TopologyLimits.eventKeys`; 0 where a key is not bound.
    private var marks = InlineArray<8, UInt64>(repeating: 0)
    /// The keys that are bound.
    private(set) var choice: Choice = 0

    static let empty = Binding()

    private init() {}

    /// What the present event has of a list of keys, by their places; no initializer, which would take a
    /// copy of the event.
    static func of(_ keys: [Int], in event: TraceEvent, with marks: inout KeyMarks) -> Binding {
        var binding = Binding()
        for place in keys.indices {
            let mark = marks.mark(of: keys[place], in: event)
            if mark != 0 { binding.bind(place, to: mark) }
        }
        return binding
    }

    /// What another one binds of the keys that are shared with it.
    init(_ shared: SharedKeys, of other: Binding) {
        for key in shared where other.marks[key.theirs] != 0 {
            bind(key.mine, to: other.marks[key.theirs])
        }
    }

    /// Whether it binds every shared key that another one does, to the same value.
    func has(_ shared: SharedKeys, of other: Binding) -> Bool {
        for key in shared {
            let mark = other.marks[key.theirs]
            if mark != 0, marks[key.mine] != mark { return false }
        }
        return true
    }

    private mutating func bind(_ place: Int, to mark: UInt64) {
        marks[place] = mark
        choice |= 1 << Choice(place)
    }

    /// Every one of so many keys.
    static func all(_ count: Int) -> Choice { (1 << Choice(count)) - 1 }

    /// One mark for these of its keys.
    func mark(of choice: Choice) -> UInt64 {
        var mark = choice & self.choice
        for place in Places(mark) { mark = (mark ^ marks[place]) &* 0x9E37_79B9_7F4A_7C15 }
        return mark
    }

    /// Whether it binds every key that the other one does, to the same value.
    func has(_ part: Binding) -> Bool {
        part.choice & choice == part.choice && agrees(with: part)
    }

    /// Whether no key that both bind has another value in the other.
    func agrees(with other: Binding) -> Bool {
        for place in Places(choice & other.choice) where marks[place] != other.marks[place] {
            return false
        }
        return true
    }
}

extension Binding: Hashable {
    static func == (one: Binding, other: Binding) -> Bool {
        one.choice == other.choice && one.agrees(with: other)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(mark(of: choice)) }
}

/// The places of a choice, in ascending order.
private struct Places: Sequence, IteratorProtocol {
    private var rest: Binding.Choice

    init(_ choice: Binding.Choice) { rest = choice }

    mutating func next() -> Int? {
        guard rest != 0 else { return nil }
        defer { rest &= rest - 1 }
        return rest.trailingZeroBitCount
    }
}

extension TraceEvent {
    /// What it has of these keys, `none` where it lacks one.
    func values(of keys: [EventKey]) -> [Field.Value] { keys.map { value(of: $0) ?? .none } }
}

/// The keys that two lists of keys share, by their places in both; a binding has few, so that they take no
/// memory of their own.
struct SharedKeys: Sequence, Sendable {
    /// For each a byte: the place in one list, and in the upper half that in the other.
    private var places: UInt64 = 0
    private var count: UInt8 = 0

    /// The keys that `mine` shares with `theirs`.
    init(_ mine: [EventKey], _ theirs: [EventKey]) {
        for (index, key) in mine.enumerated() {
            guard let other = theirs.firstIndex(of: key) else { continue }
            places |= UInt64(index | other << 4) << (8 * UInt64(count))
            count += 1
        }
    }

    struct Iterator: IteratorProtocol {
        fileprivate var rest: SharedKeys

        mutating func next() -> (mine: Int, theirs: Int)? {
            guard rest.count > 0 else { return nil }
            defer {
                rest.places >>= 8
                rest.count -= 1
            }
            return (Int(rest.places & 0x0F), Int(rest.places >> 4 & 0x0F))
        }
    }

    func makeIterator() -> Iterator { Iterator(rest: self) }
}
