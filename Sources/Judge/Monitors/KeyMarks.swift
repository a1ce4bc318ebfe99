import DeviceLink
import Promises
import Traces

/// The keys that a set of properties speaks of, each once; what is compiled names them by their places.
struct KeyTable: Sendable {
    private(set) var keys: [EventKey] = []

    /// The place of a key, which is taken in where it is new.
    mutating func place(of key: EventKey) -> Int {
        if let place = keys.firstIndex(of: key) { return place }
        keys.append(key)
        return keys.count - 1
    }

    mutating func places(of list: [EventKey]) -> [Int] { list.map { place(of: $0) } }
}

/// What the present event has of the keys of a set: each is found when it is first asked for, whoever
/// asks.
struct KeyMarks: Sendable {
    private struct Known {
        /// The number of the event of which it is known.
        var event: UInt64
        var mark: UInt64
        /// The value, where it is a number.
        var number: Int64?
    }

    private let sources: KeySources
    private var known: [Known]
    private var layouts: FieldLayouts
    /// Which event is the present one.
    private var event: UInt64 = 1
    /// The number of its kind.
    private var kind = 0
    /// Where its fields stand, and of which event that is known.
    private var layout: (event: UInt64, number: Int?) = (0, nil)

    /// The marks of keys in events of so many kinds.
    init(_ table: KeyTable, kinds: Int) {
        sources = KeySources(table)
        known = table.keys.map { _ in Known(event: 0, mark: 0, number: nil) }
        layouts = FieldLayouts(kinds: kinds, keys: table.keys.count)
    }

    /// Another event is the present one.
    mutating func forget(nextKind: Int) {
        event += 1
        kind = nextKind
    }

    /// The mark of a key's value in the present event; 0 where it has none.
    mutating func mark(of key: Int, in event: TraceEvent) -> UInt64 {
        let known = known[key]
        return known.event == self.event ? known.mark : find(key, in: event).mark
    }

    /// The value of a key in the present event, where it is a number.
    mutating func number(of key: Int, in event: TraceEvent) -> Int64? {
        let known = known[key]
        return known.event == self.event ? known.number : find(key, in: event).number
    }

    private mutating func find(_ key: Int, in event: TraceEvent) -> Known {
        let found = look(for: key, in: event)
        known[key] = found
        return found
    }

    private mutating func look(for key: Int, in event: TraceEvent) -> Known {
        switch sources.places[key] {
        case .device: return known(device: event)
        case .role(let role):
            if role == event.role { return known(device: event) }
            if event.role == nil { return known() }
        case .field: break
        }
        if layout.event != self.event {
            layout = (self.event, layouts.layout(of: event, kind: kind, sources))
        }
        let place =
            layout.number.map { layouts.place(of: key, in: $0) }
            ?? event.place(of: sources.fields[key]) ?? -1
        guard place >= 0 else { return known() }
        switch event.fields[place].value {
        case .number(let number): return known(Field.Value.number(number).mark, number: number)
        case .text(let text): return known(Field.Value.mark(of: text))
        case let value: return known(value.mark)
        }
    }

    private func known(_ mark: UInt64 = 0, number: Int64? = nil) -> Known {
        Known(event: event, mark: mark, number: number)
    }

    private func known(device event: TraceEvent) -> Known {
        known(event.device.isEmpty ? 0 : Field.Value.mark(of: event.device))
    }
}

/// Where events have the keys of a set.
private final class KeySources: Sendable {
    enum Place {
        case device
        /// Of a role: the device, or else its peer.
        case role(DeviceRole)
        case field
    }

    let places: [Place]
    /// The field of each key that may be in one.
    let fields: [String]

    init(_ table: KeyTable) {
        places = table.keys.map { key in
            switch key {
            case .device: .device
            case .role(let role): .role(role)
            case .field: .field
            }
        }
        fields = table.keys.map { if case .field(let name) = $0 { name } else { "peer" } }
    }
}

/// Where the fields of keys stand in the events of a kind: most of as many fields have the same ones, so
/// that names are compared once an event and not once a key.
private struct FieldLayouts: Sendable {
    private let kinds: Int
    private let keys: Int
    /// The layout of a kind with so many fields; -1 where none was seen.
    private var numbers: [Int]
    /// Where the names of each layout begin.
    private var beginnings: [Int] = []
    private var names: [String] = []
    /// The place of each key's field by layout; -1 where there is none.
    private var places: [Int] = []

    /// Of events with more fields the keys are looked for one by one.
    private static let most = 16

    init(kinds: Int, keys: Int) {
        (self.kinds, self.keys) = (kinds, keys)
        numbers = Array(repeating: -1, count: kinds * Self.most)
    }

    /// The layout of an event's fields; nil where none is kept for such.
    mutating func layout(of event: TraceEvent, kind: Int, _ sources: KeySources) -> Int? {
        let count = event.fields.count
        guard kind < kinds, count < Self.most else { return nil }
        let layout = numbers[kind * Self.most + count]
        guard layout >= 0 else { return add(event, of: kind, from: sources) }
        let first = beginnings[layout]
        for place in 0..<count where event.fields[place].name != names[first + place] {
            learn(event, layout: layout, from: sources)
            break
        }
        return layout
    }

    /// The place of a key's field; -1 where there is none.
    func place(of key: Int, in layout: Int) -> Int { places[layout * keys + key] }

    private mutating func add(_ event: TraceEvent, of kind: Int, from sources: KeySources) -> Int {
        let layout = beginnings.count
        numbers[kind * Self.most + event.fields.count] = layout
        beginnings.append(names.count)
        names += event.fields.map(\.name)
        places += Array(repeating: -1, count: keys)
        learn(event, layout: layout, from: sources)
        return layout
    }

    private mutating func learn(_ event: TraceEvent, layout: Int, from sources: KeySources) {
        for place in event.fields.indices {
            names[beginnings[layout] + place] = event.fields[place].name
        }
        for key in 0..<keys {
            places[layout * keys + key] = event.place(of: sources.fields[key]) ?? -1
        }
    }
}
