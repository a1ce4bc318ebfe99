internal import Bluetooth
package import DeviceLink
package import Traces

extension Catalogue {
    /// A field of an event, as a pattern may name it.
    package struct TraceField: Equatable, Sendable {
        /// What a field can hold; `none` is possible in every one.
        package enum Values: String, Sendable {
            /// A whole number, or a number with a unit.
            case number
            /// A word or sentence.
            case text
            /// The name of a device of the topology.
            case device
            /// `true` or `false`.
            case flag
            /// Bytes.
            case bytes
            /// It differs by kind of event.
            case any
        }

        /// The field's name.
        package var name: String
        /// What it holds.
        package var values: Values
        /// The words that it can hold; nil where any is possible.
        package var words: [String]?
        /// The numbers that it can hold; nil where any is possible.
        package var range: ClosedRange<Int64>?
    }

    /// What a device can do that ends a run.
    package enum FailureKind: String, CaseIterable, Sendable {
        /// It died unasked.
        case crash
        /// It did not end its turn.
        case hang
        /// It broke the contract (DEVICE-LINK.md).
        case protocolError = "protocol error"
        /// It cannot be what the topology wants.
        case refusal
        /// It was what the topology wants, was killed, and does not become it again.
        case noReturn = "no return"
        /// It could not be started.
        case launch = "launch failure"
    }

    /// The kinds that a pattern of this kind matches: itself and those below it.
    package static func kinds(below kind: String) -> [String] { below[kind]?.kinds ?? [] }

    /// What a pattern of each kind, or beginning of one, matches; looked up only.
    private static let below: [String: (kinds: [String], fields: [TraceField]?)] = Dictionary(
        uniqueKeysWithValues: kindsAndPrefixes.map { name in
            let kinds = TraceKind.all.filter { $0 == name || $0.hasPrefix(name + ".") }
            return (name, (kinds, fields(ofAll: kinds)))
        })

    /// The names of the fields of all kinds, each once.
    package static let fieldNames: [String] = TraceKind.all.reduce(into: []) { names, kind in
        for field in fields(below: kind) ?? [] where !names.contains(field.name) {
            names.append(field.name)
        }
    }

    /// All kinds and what they begin with, for suggestions.
    package static let kindsAndPrefixes: [String] = TraceKind.all.reduce(into: []) { names, kind in
        let parts = kind.split(separator: ".")
        for count in 1...parts.count {
            let name = parts.prefix(count).joined(separator: ".")
            if !names.contains(name) { names.append(name) }
        }
    }

    /// The fields of all kinds that a pattern of this kind matches; nil where the fields of one of
    /// them are not fixed.
    package static func fields(below kind: String) -> [TraceField]? {
        below[kind].map(\.fields) ?? []
    }

    private static func fields(ofAll kinds: [String]) -> [TraceField]? {
        var found: [TraceField] = []
        for kind in kinds {
            guard let fields = fields(of: kind) else { return nil }
            for field in fields where !found.contains(field) {
                if let index = found.firstIndex(where: { $0.name == field.name }) {
                    found[index].widen(to: field)
                } else {
                    found.append(field)
                }
            }
        }
        return found
    }

    /// The fields of one kind; nil where they are not fixed.
    private static func fields(of kind: String) -> [TraceField]? {
        let parts = kind.split(separator: ".").map(String.init)
        if parts[0] == "msg" { return messageFields(parts[1]) }
        return traceFields.first { $0.kinds.contains(kind) }?.fields
    }

    private static func messageFields(_ message: String) -> [TraceField] {
        let common = fields(
            "link:number peer:device session:number length:number spoilt:flag")
        switch message {
        case "malformed": return common + fields("problem:text")
        case "accessoryConfigurationData":
            let parts = "major:number minor:number rate:number reserved:bytes uwb-length:number"
            return common
                + fields("configuration:bytes \(parts) uwb-bytes:number address:number")
        case "configureAndStart":
            return common
                + fields("shareable:bytes session-id:number address:number interval:number")
        default: return common
        }
    }

    private static func fields(_ list: String) -> [TraceField] {
        // The words of a field may have spaces: they stand in parentheses.
        var isWord = false
        let items = list.split { character in
            if "()".contains(character) { isWord = character == "(" }
            return character == " " && !isWord
        }
        return items.map { item in
            guard let field = TraceField(item) else {
                preconditionFailure("`\(item)` is not name:values")
            }
            return field
        }
    }

    private static let traceFields: [(kinds: [String], fields: [TraceField])] = fieldLists.map {
        (kinds: $0.kinds, fields: fields($0.fields))
    }

    /// Fields as `name:values name:values`, `name:text(one|other)` where there are no other words and
    /// `name:byte` for a number of one octet; `TRACE.md` gives their units.
    private static let fieldLists =
        runFields + faultFields + airFields + gattFields + observedFields

    private static let runFields: [(kinds: [String], fields: String)] = [
        (["run.started"], "topology:text length:number"),
        (["run.ended"], "reason:text(finished|quiescent|cut|abandoned)"),
        (["script.step"], "step:text"),
        (["script.ended", "faults.stopped", "device.frozen", "device.thawed"], ""),
        (["device.started"], "incarnation:number address:text role:\(roles)"),
        (["device.died"], "cause:\(causes)"),
        (["device.stale"], "channel:text"),
        (["device.turn"], "event:text"),
    ]

    private static let faultFields: [(kinds: [String], fields: String)] = [
        (["fault.disconnect"], "between:device and:device reason:byte"),
        (["fault.loss", "fault.uwb-loss"], "between:device and:device ratio:text ended:flag"),
        (["fault.delay"], "between:device and:device by:number ended:flag"),
        (["fault.throttle"], "between:device and:device to:number ended:flag"),
        (["fault.partition"], "between:device and:device one-way:flag"),
        (["fault.repair"], "between:device and:device ended:flag"),
        (["fault.hold", "fault.release", "fault.obstruct"], "between:device and:device"),
        (["fault.kill"], "after-answers:number"),
        (["fault.restart", "fault.freeze", "fault.thaw", "fault.move"], ""),
        (["fault.corrupt"], "message:\(word(["any"] + messages)) count:number"),
        (["fault.refuse-uwb"], "count:number"),
        (["fault.busy"], "by:number ended:flag"),
        (["fault.command"], "command:text answer:text power:text on:text peer:device error:text"),
    ]

    private static let airFields: [(kinds: [String], fields: String)] = [
        (["air.advertising", "air.scanning"], "on:flag"),
        (["air.connecting"], "peer:device"),
        (
            ["link.up"],
            "link:number role:text(central|peripheral) peer:device interval:number latency:number "
                + "timeout:number"
        ),
        (["link.down"], "link:number peer:device reason:byte"),
        (["link.encrypted"], "link:number peer:device status:byte"),
        (
            ["link.updated"],
            "link:number peer:device status:byte interval:number latency:number timeout:number"
        ),
        (["air.connected"], "link:number peer:device"),
        (["air.disconnected"], "link:number peer:device reason:byte"),
        (
            ["att.sent", "att.received"],
            "link:number peer:device pdu:\(pdus) length:number handle:number unresolved:flag"
        ),
        (
            ["uwb.starting"],
            "handle:number session-id:number address:number peer-address:number"
        ),
        (["uwb.started", "uwb.stopped"], "handle:number session-id:number"),
        (["uwb.refused"], "handle:number session-id:number status:byte"),
        (
            ["uwb.round"],
            "handle:number session-id:number outcome:text(measured|missed) distance:number"
        ),
    ]

    /// A text that is one of these words.
    private static func word(_ words: [String]) -> String {
        "text(\(words.joined(separator: "|")))"
    }

    private static let causes = word(["killed"] + FailureKind.allCases.map(\.rawValue))

    private static let roles = word(DeviceRole.allCases.map(\.rawValue))

    private static let pdus = word(ATTOpcode.allCases.map(\.name) + ["malformed"])

    /// What every event about one attribute has.
    private static let attribute = "link:number peer:device handle:number"

    /// The name of an attribute can be any value: an assigned number may look like a number.
    private static let gattFields: [(kinds: [String], fields: String)] = [
        (["gatt.service"], "\(attribute) service:any primary:flag"),
        (["gatt.characteristic"], "\(attribute) characteristic:any properties:number service:any"),
        (
            ["gatt.discovered"],
            "link:number peer:device service:any singles:number bare-singles:number "
                + "multiples:number bare-multiples:number"
        ),
        (["gatt.descriptor"], "\(attribute) descriptor:any characteristic:any value-handle:number"),
        (["gatt.description"], "\(attribute) characteristic:any value-handle:number text:text"),
        (["gatt.subscribed"], "link:number peer:device characteristic:any on:flag"),
        (
            ["gatt.configuration"],
            """
            \(attribute) configuration:bytes characteristic:text(single|multiple) encrypted:flag \
            own:flag whole:flag count:number
            """
        ),
        (
            ["gatt.refused"],
            """
            \(attribute) characteristic:any descriptor:any request:text(read|write) error:byte \
            encrypted:flag
            """
        ),
    ]

    private static let observedFields: [(kinds: [String], fields: String)] = [
        (["ni.created"], "ni-session:number peer:device"),
        (
            ["ni.run"],
            "ni-session:number peer:device configuration:bytes extended:flag ar-session:number"
        ),
        (
            [
                "ni.pause", "ni.invalidate", "ni.didStartRunning", "ni.sessionWasSuspended",
                "ni.sessionSuspensionEnded",
            ],
            "ni-session:number peer:device"
        ),
        (
            ["ni.didGenerateShareableConfigurationData"],
            "ni-session:number peer:device shareable:bytes"
        ),
        (
            ["ni.didUpdate"],
            "ni-session:number peer:device distance:number azimuth:number elevation:number"
        ),
        (["ni.didRemove"], "ni-session:number peer:device reason:text(timeout|peerEnded)"),
        (
            ["ni.didInvalidate"],
            "ni-session:number peer:device error:\(word(sessionErrors)) code:number"
        ),
        (
            [
                "app.found", "app.lost", "app.connected", "app.disconnected", "app.subscribed",
                "app.start", "app.stop",
            ],
            "peer:device"
        ),
        (["app.attempt"], "peer:device attempt:number"),
        (["app.notification"], "peer:device text:text"),
        (["app.gaveUp"], "peer:device reason:text"),
        (["app.received"], "peer:device message:text"),
        (["app.service"], "peer:device service:any"),
        (["app.launched", "app.terminated", "app.foreground", "app.background"], ""),
        (["system.prompt"], ""),
        (["accessory.configured"], "link-handle:number"),
        (["accessory.rejected"], "link-handle:number reason:text"),
        (["accessory.start", "accessory.stop"], "link-handle:number"),
        (["accessory.error"], "link-handle:number reason:text"),
        (["system.permission"], "answer:text(allowed|denied)"),
        (["system.bluetooth"], "power:text(on|off)"),
    ]
}

extension Catalogue.TraceField {
    /// `name:values`, `name:text(one|other)` or `name:byte`; nil where it is none of them.
    fileprivate init?(_ text: Substring) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        name = String(parts[0])
        if parts[1] == "byte" {
            (values, range) = (.number, 0...255)
        } else if parts[1].hasPrefix("text("), parts[1].hasSuffix(")") {
            values = .text
            words = parts[1].dropFirst(5).dropLast().split(separator: "|").map(String.init)
        } else {
            guard let values = Values(rawValue: String(parts[1])) else { return nil }
            self.values = values
        }
    }

    /// Lets the field hold what that of another kind of event, of the same name, holds as well.
    fileprivate mutating func widen(to other: Self) {
        if values != other.values { values = .any }
        let more = (other.words ?? []).filter { words?.contains($0) == false }
        words = words == nil || other.words == nil ? nil : (words ?? []) + more
        if range != other.range { range = nil }
    }

    /// Whether a value of this kind can stand in the field.
    package func holds(_ value: Field.Value) -> Bool {
        switch (values, value) {
        case (.any, _), (_, .none): true
        case (.number, .number), (.text, .text), (.device, .text), (.flag, .flag): true
        case (.bytes, .bytes): true
        default: false
        }
    }

    /// Whether this very value can stand in the field.
    package func canBe(_ value: Field.Value) -> Bool {
        switch value {
        case .text(let word): words?.contains(word) ?? true
        case .number(let number): range?.contains(number) ?? true
        case .flag, .bytes, .none: true
        }
    }

    /// Whether a comparison with a number holds for some of the numbers that it can hold, and not for
    /// all.
    package func isDecided(by comparison: EventPattern.Comparison, _ number: Int64) -> Bool {
        guard let range else { return true }
        return switch comparison {
        case .equal, .notEqual: range.contains(number)
        case .less, .greaterOrEqual: number > range.lowerBound && number <= range.upperBound
        case .lessOrEqual, .greater: number >= range.lowerBound && number < range.upperBound
        }
    }
}

extension Catalogue {
    /// The only role whose devices have events of a kind; nil where either role may.
    ///
    /// It is so for the reference devices: the app is the GATT client, the accessory its server.
    package static func role(of kind: String) -> DeviceRole? {
        let parts = kind.split(separator: ".").map(String.init)
        switch parts[0] {
        case "ni", "app", "system", "gatt": return .appleDevice
        case "accessory": return .accessory
        case "msg" where parts.count == 3:
            let sender: DeviceRole? =
                toAccessory.contains(parts[1])
                ? .appleDevice : toApp.contains(parts[1]) ? .accessory : nil
            return parts[2] == "sent" ? sender : sender?.other
        default: return nil
        }
    }

    /// The messages that only the app sends.
    private static let toAccessory = ["initialize", "configureAndStart", "stop", "setReserved"]
    /// The messages that only the accessory sends.
    private static let toApp = [
        "accessoryConfigurationData", "accessoryUwbDidStart", "accessoryUwbDidStop", "iOSNotify",
    ]
}

extension DeviceRole {
    fileprivate var other: DeviceRole { self == .accessory ? .appleDevice : .accessory }
}

extension Catalogue.TraceField.Values {
    /// The kind of value in a sentence.
    package var described: String {
        switch self {
        case .number: "a number"
        case .text: "a text"
        case .device: "a device"
        case .flag: "true or false"
        case .bytes: "a row of bytes"
        case .any: "anything"
        }
    }

    /// How such a value is written.
    package var example: String {
        switch self {
        case .number: "a whole number, like 3 or 0x13"
        case .text: "a word, or a text in double quotes"
        case .device: "the name of a device"
        case .flag: "true or false"
        case .bytes: "bytes, like hex:0a0b"
        case .any: ""
        }
    }
}

extension Catalogue {
    /// The names of the protocol's messages, as `message:` and the trace have them.
    package static let messages: [String] = TraceKind.orchestrated.compactMap { kind in
        let parts = kind.split(separator: ".")
        guard parts.count == 3, parts[0] == "msg", parts[2] == "sent", parts[1] != "malformed"
        else { return nil }
        return String(parts[1])
    }
}
