internal import DeviceLink
internal import Traces

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
    }

    /// The kinds that a pattern of this kind matches: itself and those below it.
    static func kinds(below kind: String) -> [String] { below[kind]?.kinds ?? [] }

    /// What a pattern of each kind, or beginning of one, matches; looked up only.
    private static let below: [String: (kinds: [String], fields: [TraceField]?)] = Dictionary(
        uniqueKeysWithValues: kindsAndPrefixes.map { name in
            let kinds = TraceKind.all.filter { $0 == name || $0.hasPrefix(name + ".") }
            return (name, (kinds, fields(ofAll: kinds)))
        })

    /// The names of the fields of all kinds, each once.
    static let fieldNames: [String] = TraceKind.all.reduce(into: []) { names, kind in
        for field in fields(below: kind) ?? [] where !names.contains(field.name) {
            names.append(field.name)
        }
    }

    /// All kinds and what they begin with, for suggestions.
    static let kindsAndPrefixes: [String] = TraceKind.all.reduce(into: []) { names, kind in
        let parts = kind.split(separator: ".")
        for count in 1...parts.count {
            let name = parts.prefix(count).joined(separator: ".")
            if !names.contains(name) { names.append(name) }
        }
    }

    /// The fields of all kinds that a pattern of this kind matches; nil where the fields of one of
    /// them are not fixed.
    static func fields(below kind: String) -> [TraceField]? {
        below[kind].map(\.fields) ?? []
    }

    private static func fields(ofAll kinds: [String]) -> [TraceField]? {
        var found: [TraceField] = []
        for kind in kinds {
            guard let fields = fields(of: kind) else { return nil }
            for field in fields where !found.contains(field) {
                if let index = found.firstIndex(where: { $0.name == field.name }) {
                    found[index].values = .any
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
        list.split(separator: " ").map { item in
            let parts = item.split(separator: ":").map(String.init)
            guard parts.count == 2, let values = TraceField.Values(rawValue: parts[1]) else {
                preconditionFailure("`\(item)` is not name:values")
            }
            return TraceField(name: parts[0], values: values)
        }
    }

    private static let traceFields: [(kinds: [String], fields: [TraceField])] = fieldLists.map {
        (kinds: $0.kinds, fields: fields($0.fields))
    }

    /// Fields as `name:values name:values`; `TRACE.md` gives their units.
    private static let fieldLists =
        runFields + faultFields + airFields + gattFields + observedFields

    private static let runFields: [(kinds: [String], fields: String)] = [
        (["run.started"], "topology:text length:number"),
        (["run.ended"], "reason:text"),
        (["script.step"], "step:text"),
        (["script.ended", "faults.stopped", "device.frozen", "device.thawed"], ""),
        (["device.started"], "incarnation:number address:text role:text"),
        (["device.died"], "cause:text"),
        (["device.stale"], "channel:text"),
        (["device.turn"], "event:text"),
    ]

    private static let faultFields: [(kinds: [String], fields: String)] = [
        (["fault.disconnect"], "between:device and:device reason:number"),
        (["fault.loss", "fault.uwb-loss"], "between:device and:device ratio:text ended:flag"),
        (["fault.delay"], "between:device and:device by:number ended:flag"),
        (["fault.throttle"], "between:device and:device to:number ended:flag"),
        (["fault.partition"], "between:device and:device one-way:flag"),
        (["fault.repair"], "between:device and:device ended:flag"),
        (["fault.hold", "fault.release", "fault.obstruct"], "between:device and:device"),
        (["fault.kill"], "after-answers:number"),
        (["fault.restart", "fault.freeze", "fault.thaw", "fault.move"], ""),
        (["fault.corrupt"], "message:text count:number"),
        (["fault.refuse-uwb"], "count:number"),
        (["fault.busy"], "by:number ended:flag"),
        (["fault.command"], "command:text answer:text power:text on:text peer:device error:text"),
    ]

    private static let airFields: [(kinds: [String], fields: String)] = [
        (["air.advertising", "air.scanning"], "on:flag"),
        (["air.connecting"], "peer:device"),
        (
            ["link.up"],
            "link:number role:text peer:device interval:number latency:number timeout:number"
        ),
        (["link.down"], "link:number peer:device reason:number"),
        (["link.encrypted"], "link:number peer:device status:number"),
        (
            ["link.updated"],
            "link:number peer:device status:number interval:number latency:number timeout:number"
        ),
        (["air.connected"], "link:number peer:device"),
        (["air.disconnected"], "link:number peer:device reason:number"),
        (
            ["att.sent", "att.received"],
            "link:number peer:device pdu:text length:number handle:number unresolved:flag"
        ),
        (
            ["uwb.starting"],
            "handle:number session-id:number address:number peer-address:number"
        ),
        (["uwb.started", "uwb.stopped"], "handle:number session-id:number"),
        (["uwb.refused"], "handle:number session-id:number status:number"),
        (["uwb.round"], "handle:number session-id:number outcome:text distance:number"),
    ]

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
            \(attribute) configuration:bytes characteristic:text encrypted:flag own:flag \
            whole:flag count:number
            """
        ),
        (
            ["gatt.refused"],
            """
            \(attribute) characteristic:any descriptor:any request:text error:number \
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
        (["ni.didRemove"], "ni-session:number peer:device reason:text"),
        (["ni.didInvalidate"], "ni-session:number peer:device error:text code:number"),
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
        (["accessory.error"], "reason:text"),
        (["system.permission"], "answer:text"),
        (["system.bluetooth"], "power:text"),
    ]
}

extension Catalogue.TraceField {
    /// Whether a value of this kind can stand in the field.
    func holds(_ value: Field.Value) -> Bool {
        switch (values, value) {
        case (.any, _), (_, .none): true
        case (.number, .number), (.text, .text), (.device, .text), (.flag, .flag): true
        case (.bytes, .bytes): true
        default: false
        }
    }
}

extension Catalogue.TraceField.Values {
    /// The kind of value in a sentence.
    var described: String {
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
    var example: String {
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
