import DeviceLink
package import Traces

extension TraceEvent {
    /// The event in the trace's words: `ni.run (session 2)`; of a message its name alone.
    ///
    /// `namesPeer` says whether the label names the peer, where several could be meant.
    package func label(namesPeer: Bool) -> String {
        let parts = details(namesPeer: namesPeer)
        let name = message.map(String.init) ?? name
        return parts.isEmpty ? name : "\(name) (\(parts.joined(separator: ", ")))"
    }

    /// `initialize` of `msg.initialize.sent`; nil for any other kind.
    var message: Substring? {
        let parts = name.split(separator: ".")
        return parts.count == 3 && parts[0] == "msg" ? parts[1] : nil
    }

    private func details(namesPeer: Bool) -> [String] {
        let peer =
            namesPeer && ["ni", "app"].contains(kind?.family) ? text("peer").map { [$0] } ?? [] : []
        guard kind != nil else { return fields.map(\.condition) }
        return peer + Self.telling.flatMap { told(of: $0) }
    }

    /// The fields that are worth room in a diagram; of one of these names that is not there nothing is said.
    private static let telling = [
        "session", "ni-session", "link", "attempt", "distance", "outcome", "reason", "error",
        "code",
        "answer", "power", "status", "problem", "spoilt", "text", "cause", "incarnation", "command",
        "ratio", "by", "to", "count", "ended", "between", "and", "pdu", "service", "characteristic",
        "on",
    ]

    private func told(of name: String) -> [String] {
        guard let value = self[name] else { return [] }
        switch (name, value) {
        // The first one goes without saying.
        case ("session", .number(let number)): return number > 1 ? ["session \(number)"] : []
        case ("session", .none): return ["no session"]
        case ("ni-session", .number(let number)): return ["session \(number)"]
        case ("link", .number(let number)): return isOfItsLink ? ["link \(number)"] : []
        case ("attempt", .number(let number)): return ["\(number)"]
        case ("distance", .none): return self["outcome"] == nil ? ["no distance"] : []
        case ("incarnation", .number(0)), ("code", _): return []
        case ("reason", .number(let code)): return [DisconnectReason.words(code)]
        case ("spoilt", .flag(true)), ("ended", .flag(true)): return [name]
        case (_, .text(let text)): return [text]
        case ("distance", _): return [Field(name, value).value(of: name)]
        default: return [Field(name, value).condition]
        }
    }

    /// Of what happens on a link, a label says at most which session it belongs to.
    private var isOfItsLink: Bool { kind?.family == "link" || kind?.family == "air" }
}

extension Field {
    /// `count = 2`, as a pattern has it.
    fileprivate var condition: String {
        EventPattern.Condition(field: name, comparison: .equal, value: value).description
    }

    /// `2.019m`: what stands behind the name in a pattern.
    fileprivate func value(of name: String) -> String {
        String(condition.dropFirst("\(name) = ".count))
    }
}

/// What an HCI error code says of the end of a link (Bluetooth Core Specification, Vol 1, Part F).
package enum DisconnectReason {
    package static func words(_ code: Int64) -> String {
        switch code {
        case 0x05: "authentication failure"
        case 0x08: "connection timeout"
        case 0x13: "remote user terminated connection"
        case 0x16: "terminated by local host"
        case 0x3B: "unacceptable connection parameters"
        case 0x3D: "MIC failure"
        case 0x3E: "connection failed to be established"
        default: "reason 0x" + String(code, radix: 16, uppercase: true)
        }
    }
}
