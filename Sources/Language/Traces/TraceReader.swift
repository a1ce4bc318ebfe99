import Basics
import DeviceLink

/// Reads lines of a trace back, exactly as `TraceWriter` wrote them or as any JSON tool rewrote them.
package enum TraceReader {
    package enum Line: Equatable, Sendable {
        /// The first line of the file: which run it is.
        case header(TraceHeader)
        case event(TraceEvent)
    }

    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// Where in the line, in bytes from 0.
        package var offset: Int
        /// What should have stood there.
        package var expected: String

        package init(offset: Int, expected: String) {
            self.offset = offset
            self.expected = expected
        }

        package var description: String { "expected \(expected) at byte \(offset) of the line" }
    }

    /// Reads one line, with or without its line feed.
    ///
    /// - Throws: `Failure` where it is neither a header of a known schema nor an event.
    package static func line(_ bytes: some Sequence<UInt8>) throws(Failure) -> Line {
        var cursor = JSONCursor(Array(bytes))
        let members = try cursor.document()
        let reader = Members(members)
        if let schema = try reader.number("schema") {
            return .header(try header(schema: schema, in: reader))
        }
        return .event(try event(reader))
    }

    private static func header(schema: UInt64, in members: Members) throws(Failure)
        -> TraceHeader
    {
        guard schema == TraceHeader.currentSchema else {
            throw Failure(offset: 0, expected: "schema \(TraceHeader.currentSchema)")
        }
        return TraceHeader(
            topology: try members.required("topology", members.text),
            seed: try members.required("seed", members.number),
            scheduler: try members.required("scheduler", members.text),
            tool: try members.required("tool", members.text))
    }

    private static func event(_ members: Members) throws(Failure) -> TraceEvent {
        let event = TraceEvent(
            number: try members.required("number", members.number),
            time: VirtualTime(nanoseconds: try members.required("time", members.number)),
            step: try members.required("step", members.number),
            name: try members.required("kind", members.text),
            device: try members.text("device") ?? "",
            isObservation: try members.flag("observed") ?? false, fields: try members.fields())
        guard !event.isObservation || EventKind.fence.admits(event.name) else {
            throw Failure(
                offset: members.place(of: "kind"),
                expected: "a kind that a device may observe, because of \"observed\"")
        }
        return event
    }
}

private struct Members {
    private let members: [JSONCursor.Member]

    init(_ members: [JSONCursor.Member]) { self.members = members }

    func required<Value>(
        _ name: String, _ read: (String) throws(TraceReader.Failure) -> Value?
    ) throws(TraceReader.Failure) -> Value {
        guard let value = try read(name) else {
            throw .init(offset: 0, expected: "the key \"\(name)\"")
        }
        return value
    }

    func text(_ name: String) throws(TraceReader.Failure) -> String? {
        guard let member = first(name) else { return nil }
        guard case .text(let text) = member.value else { throw wrong(member, expected: "a string") }
        return text
    }

    func number(_ name: String) throws(TraceReader.Failure) -> UInt64? {
        guard let member = first(name) else { return nil }
        guard case .number(let digits, isNegative: false) = member.value else {
            throw wrong(member, expected: "a whole number that is not negative")
        }
        return digits
    }

    func flag(_ name: String) throws(TraceReader.Failure) -> Bool? {
        guard let member = first(name) else { return nil }
        guard case .flag(let flag) = member.value else {
            throw wrong(member, expected: "true or false")
        }
        return flag
    }

    func fields() throws(TraceReader.Failure) -> [Field] {
        guard let member = first("fields") else { return [] }
        guard case .object(let inner) = member.value else {
            throw wrong(member, expected: "an object")
        }
        var fields: [Field] = []
        for field in inner { fields.append(Field(field.name, try value(field))) }
        return fields
    }

    private func value(_ member: JSONCursor.Member) throws(TraceReader.Failure) -> Field.Value {
        switch member.value {
        case .text(let text): return .text(text)
        case .flag(let flag): return .flag(flag)
        case .null: return .none
        case .number(let magnitude, let isNegative):
            guard let number = Int64(magnitude: magnitude, isNegative: isNegative) else {
                throw wrong(member, expected: "a number of 64 bits")
            }
            return .number(number)
        case .object(let inner):
            guard inner.count == 1, inner[0].name == "hex", case .text(let digits) = inner[0].value,
                let octets = [UInt8](hexadecimal: digits)
            else { throw wrong(member, expected: "bytes as {\"hex\":\"…\"}") }
            return .bytes(octets)
        }
    }

    /// Where a member's value stands; 0 where there is none.
    func place(of name: String) -> Int { first(name)?.offset ?? 0 }

    private func first(_ name: String) -> JSONCursor.Member? { members.first { $0.name == name } }

    private func wrong(_ member: JSONCursor.Member, expected: String) -> TraceReader.Failure {
        TraceReader.Failure(offset: member.offset, expected: "\(expected) for \"\(member.name)\"")
    }
}

extension Int64 {
    fileprivate init?(magnitude: UInt64, isNegative: Bool) {
        guard isNegative else {
            self.init(exactly: magnitude)
            return
        }
        guard magnitude <= Int64.min.magnitude else { return nil }
        self = Int64(truncatingIfNeeded: 0 &- magnitude)
    }
}

extension [UInt8] {
    /// The bytes that hexadecimal digits spell; nil where they are no pairs of such digits.
    package init?(hexadecimal digits: String) {
        let values = digits.utf8.map(\.hexadecimalValue)
        guard values.count.isMultiple(of: 2) else { return nil }
        self = []
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            append(high << 4 | low)
        }
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit; nil for any other byte.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
