import Basics
import DeviceLink

/// Writes a trace as JSON lines (`TRACE.md`) into a buffer that its owner empties.
///
/// The same events give the same bytes on every machine.
package struct TraceWriter: Sendable {
    private var text: JSONBytes

    /// A trace whose first line is `header`.
    package init(_ header: TraceHeader, capacity: Int = 96 * 1024) {
        text = JSONBytes(capacity: capacity)
        write(header)
    }

    /// What has been written since the buffer was last emptied.
    package var bytes: [UInt8] { text.bytes }

    /// How many bytes wait to be taken.
    package var count: Int { text.bytes.count }

    /// Hands the buffer over and empties it, also where `body` throws; its capacity is kept.
    package mutating func drain(_ body: ([UInt8]) throws -> Void) rethrows {
        defer { text.bytes.removeAll(keepingCapacity: true) }
        try body(text.bytes)
    }

    package mutating func write(_ event: TraceEvent) {
        text.raw("{\"number\":")
        text.number(event.number)
        text.raw(",\"time\":")
        text.number(event.time.nanoseconds)
        text.raw(",\"step\":")
        text.number(event.step)
        text.raw(",\"kind\":")
        text.string(event.name)
        if !event.device.isEmpty {
            text.raw(",\"device\":")
            text.string(event.device)
        }
        if event.isObservation { text.raw(",\"observed\":true") }
        if !event.fields.isEmpty { write(event.fields) }
        text.raw("}\n")
    }

    private mutating func write(_ header: TraceHeader) {
        text.raw("{\"schema\":")
        text.number(header.schema)
        text.raw(",\"topology\":")
        text.string(header.topology)
        text.raw(",\"seed\":")
        text.number(header.seed)
        text.raw(",\"scheduler\":")
        text.string(header.scheduler)
        text.raw(",\"tool\":")
        text.string(header.tool)
        text.raw("}\n")
    }

    private mutating func write(_ fields: [Field]) {
        text.raw(",\"fields\":{")
        for index in fields.indices {
            if index > 0 { text.raw(",") }
            text.string(fields[index].name)
            text.raw(":")
            write(fields[index].value)
        }
        text.raw("}")
    }

    private mutating func write(_ value: Field.Value) {
        switch value {
        case .text(let value): text.string(value)
        case .number(let number): text.number(number)
        case .flag(let flag): flag ? text.raw("true") : text.raw("false")
        case .bytes(let octets):
            // An object, so that bytes and a text of hexadecimal digits stay two things.
            text.raw("{\"hex\":")
            text.hexadecimal(octets)
            text.raw("}")
        case .none: text.raw("null")
        }
    }
}
