import Basics
import DeviceLink
import Sequences
import Traces

/// The events of a run as a page carries them: a row of numbers each, and the words once.
///
/// A page of 10,000 events is to be small enough for a mail, and is parsed before anything is seen.
struct TraceTable {
    private var words = Words()
    private var shapes = Words()
    private var shapeRows = JSONBytes()
    private var rows = JSONBytes(capacity: 1 << 20)
    private var last: (time: UInt64, step: UInt64) = (0, 0)
    private let namesPeers: Bool
    /// The step of the script's latest step.
    private var scriptStep: UInt64?
    private(set) var count = 0

    /// `participants` is how many devices there are: where there are more than two, labels name the peer.
    init(participants: Int) { namesPeers = participants > 2 }

    /// What is to be known of an event in one bit each.
    private enum Flag {
        static let observed: UInt64 = 1
        static let usual: UInt64 = 2
        /// Of a kind of the device's own.
        static let own: UInt64 = 4
    }

    /// Adds a row: time and step since the row before, shape, device, label, flags, and the values of the fields.
    mutating func add(_ event: TraceEvent) {
        rows.raw(count == 0 ? "\n[" : ",\n[")
        count += 1
        if event.kind == .scriptStep { scriptStep = event.step }
        let label = words.place(of: label(of: event))
        let flags =
            (event.isObservation ? Flag.observed : 0) | (event.kind == nil ? Flag.own : 0)
            | (SequenceSelection.isUsual(event) && !isSaid(event) ? Flag.usual : 0)
        let head: [UInt64] = [
            event.time.nanoseconds - last.time, event.step &- last.step,
            UInt64(shape(of: event)), UInt64(words.place(of: event.device)), UInt64(label), flags,
        ]
        last = (event.time.nanoseconds, event.step)
        for (place, number) in head.enumerated() {
            if place > 0 { rows.raw(",") }
            rows.number(Int64(bitPattern: number))
        }
        for field in event.fields {
            rows.raw(",")
            add(field.value)
        }
        rows.raw("]")
    }

    private func label(of event: TraceEvent) -> String {
        switch event.kind {
        case .scriptStep: event.text("step") ?? event.name
        case .scriptEnded: "the script ends"
        case .runEnded: "the run ends: \(event.text("reason") ?? "")"
        default: event.label(namesPeer: namesPeers)
        }
    }

    /// Whether it is what the script's step says already.
    private func isSaid(_ event: TraceEvent) -> Bool {
        event.step == scriptStep && ["fault", "user"].contains(event.kind?.family)
            && event["ended"] != .flag(true)
    }

    var json: JSONBytes {
        var json = JSONBytes(capacity: rows.bytes.count + 1 << 16)
        json.raw("{\"words\":[")
        json.list(words.all) { $0.string($1) }
        json.raw("],\"shapes\":[")
        json.bytes += shapeRows.bytes
        json.raw("],\"events\":[")
        json.bytes += rows.bytes
        json.raw("]}")
        return json
    }

    /// The place of the kind with its names of fields.
    private mutating func shape(of event: TraceEvent) -> Int {
        let names = [event.name] + event.fields.map(\.name)
        let known = shapes.all.count
        let place = shapes.place(of: names.joined(separator: "\n"))
        if place == known {
            shapeRows.raw(known == 0 ? "[" : ",[")
            shapeRows.list(names) { $0.string($1) }
            shapeRows.raw("]")
        }
        return place
    }

    /// JavaScript's numbers are exact up to 2^53; what is greater is written as text beside an `n`.
    private static let exact: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

    private mutating func add(_ value: Field.Value) {
        switch value {
        case .text(let text): rows.string(text)
        case .number(let number) where Self.exact.contains(number): rows.number(number)
        case .number(let number):
            rows.raw("{\"n\":\"")
            rows.number(number)
            rows.raw("\"}")
        case .flag(true): rows.raw("true")
        case .flag(false): rows.raw("false")
        case .bytes(let bytes):
            rows.raw("{\"h\":")
            rows.hexadecimal(bytes)
            rows.raw("}")
        case .none: rows.raw("null")
        }
    }
}

/// Texts, each once, in the sequence in which they came.
private struct Words {
    private(set) var all: [String] = []
    /// Looked up only.
    private var places: [String: Int] = [:]

    mutating func place(of word: String) -> Int {
        if let place = places[word] { return place }
        places[word] = all.count
        all.append(word)
        return all.count - 1
    }
}

extension JSONBytes {
    /// The items with commas between them.
    fileprivate mutating func list<Item>(
        _ items: [Item], _ write: (inout JSONBytes, Item) -> Void
    ) {
        for (place, item) in items.enumerated() {
            if place > 0 { raw(",") }
            write(&self, item)
        }
    }
}
