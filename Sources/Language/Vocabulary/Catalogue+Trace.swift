import Bluetooth
package import DeviceLink
package import Traces

extension Catalogue {
    /// A field of an event, as a pattern may name it.
    package struct TraceField: Equatable, Sendable {
        /// What a field can hold; `none` is possible in every one.
        package enum Values: String, Sendable {
            /// A whole number, or a number with a unit.
            case number
            case text
            /// The name of a device of the topology.
            case device
            case flag
            case bytes
            /// It differs by kind of event.
            case any
        }

        package var name: String
        package var values: Values
        /// The words that it can hold; nil where any is possible.
        package var words: [String]?
        /// The numbers that it can hold; nil where any is possible.
        package var range: ClosedRange<Int64>?
    }

    /// What a device can do that ends a run.
    package enum FailureKind: String, CaseIterable, Codable, Sendable {
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
        case launch = "launch failure"
    }

    /// The kinds that a pattern of this kind matches: itself and those below it.
    package static func kinds(below kind: String) -> [EventKind] { below[kind]?.kinds ?? [] }

    /// What a pattern of each kind, or beginning of one, matches; looked up only.
    private static let below: [String: (kinds: [EventKind], fields: [TraceField])] =
        EventKind.allCases.reduce(into: [:] as [String: [EventKind]]) { kinds, kind in
            for name in kind.beginnings { kinds[name, default: []].append(kind) }
        }.mapValues { ($0, fields(ofAll: $0)) }

    /// The names of the fields of all kinds, each once.
    package static let fieldNames: [String] = EventKind.allCases.reduce(into: []) { names, kind in
        for field in fields(of: kind) where !names.contains(field.name) {
            names.append(field.name)
        }
    }

    /// All kinds and what they begin with, for suggestions.
    package static let kindsAndPrefixes: [String] = EventKind.allCases.flatMap(\.beginnings).uniqued

    /// The fields of all kinds that a pattern of this kind matches.
    package static func fields(below kind: String) -> [TraceField] { below[kind]?.fields ?? [] }

    private static func fields(ofAll kinds: [EventKind]) -> [TraceField] {
        var found: [TraceField] = []
        for field in kinds.flatMap(fields(of:)) where !found.contains(field) {
            if let index = found.firstIndex(where: { $0.name == field.name }) {
                found[index].widen(to: field)
            } else {
                found.append(field)
            }
        }
        return found
    }

    /// The fields of one kind; `TRACE.md` gives their units.
    private static func fields(of kind: EventKind) -> [TraceField] {
        switch kind {
        case .runStarted: [.text("topology"), .number("length")]
        case .runLag: [.number("longest")]
        case .runEnded: [.text("reason", ["finished", "quiescent", "cut", "abandoned"])]
        case .scriptStep: [.text("step")]
        case .scriptEnded, .faultsStopped: []
        case .userStart, .userStop: [.device("peer")]

        case .deviceStarted: [.number("incarnation"), .text("address"), .text("role", roles)]
        case .deviceDied: [.text("cause", causes)]
        case .deviceFrozen, .deviceThawed: []
        case .deviceStale: [.text("channel")]
        case .deviceTurn: [.text("event")]

        case .faultDisconnect: between + [.byte("reason")]
        case .faultLoss, .faultUWBLoss: between + [.text("ratio"), .flag("ended")]
        case .faultDelay: between + [.number("by"), .flag("ended")]
        case .faultThrottle: between + [.number("to"), .flag("ended")]
        case .faultHold, .faultRelease, .faultObstruct, .faultClear: between
        case .faultPartition: between + [.flag("one-way")]
        case .faultRepair: between + [.flag("ended")]
        case .faultKill: [.number("after-answers")]
        case .faultRestart, .faultFreeze, .faultThaw, .faultMove: []
        case .faultCorrupt: [.text("message", ["any"] + messages), .number("count")]
        case .faultRefuseUWB: [.number("count"), .byte("status")]
        case .faultBusy: [.number("by"), .flag("ended")]
        case .faultCommand:
            [
                .text("command"), .text("answer"), .text("power"), .text("on"), .text("state"),
                .device("peer"), .text("error"),
            ]

        case .airAdvertising: [.flag("on")] + service
        case .airScanning: [.flag("on"), transport, .text("type")]
        case .airConnecting: [.device("peer")] + service
        case .airConnected: link + [transport]
        case .airDisconnecting, .airDisconnected: link + [.byte("reason")]

        case .linkUp:
            [
                .number("link"), .text("role", ["central", "peripheral"]), .device("peer"),
                .number("interval"), .number("latency"), .number("timeout"), transport,
            ]
        case .linkDown: link + [.byte("reason")]
        case .linkEncrypted: link + [.byte("status")]
        case .linkUpdated:
            link + [.byte("status"), .number("interval"), .number("latency"), .number("timeout")]

        case .networkFailed: [.text("reason", ["refused", "timed out"])]
        case .networkSent, .networkReceived:
            link + [.number("length"), .flag("reliable"), .text("message")]

        case .attSent, .attReceived:
            link + [
                .text("pdu", pdus), .number("length"), .number("handle"), .text("message"),
                .flag("unresolved"),
            ]

        // The name of an attribute can be any value: an assigned number may look like a number.
        case .gattSearched: link + [.flag("primary")]
        case .gattService: attribute + [.any("service"), .flag("primary")]
        case .gattCharacteristic:
            attribute + [
                .any("characteristic"), .number("properties"), .flag("read"),
                .number("beyond-read"), .any("service"),
                .text("misspells", ["single", "multiple"]),
            ]
        case .gattDiscovered:
            link + [.any("service"), .number("singles"), .number("multiples")]
        case .gattDescriptor:
            attribute + [.any("descriptor"), .any("characteristic"), .number("value-handle")]
        case .gattDescribed:
            link + [
                .text("characteristic", ["single", "multiple"]), .number("value-handle"),
                .number("siblings"), .number("user-descriptions"),
            ]
        case .gattDescription:
            attribute + [
                .any("characteristic"), .number("value-handle"), .flag("encrypted"), .text("text"),
            ]
        case .gattSubscribed: link + [.any("characteristic"), .flag("on")]
        case .gattConfiguration:
            attribute + [
                .bytes("configuration"), .text("characteristic", ["single", "multiple"]),
                .flag("encrypted"), .flag("own"), .flag("whole"), .number("count"),
                .text("fault", ["count", "length", "rest"]), .flag("torn"),
            ]
        case .gattCompared:
            link + [
                .text("characteristic", ["single", "multiple"]), .number("values"),
                .number("sessions"), .number("missing"), .flag("own"),
            ]
        case .gattWritten:
            attribute + [.any("characteristic"), .any("descriptor"), .flag("encrypted")]
        case .gattRefused:
            attribute + [
                .any("characteristic"), .any("descriptor"),
                .text("request", ["read", "write", "find-information"]), .byte("error"),
                .flag("encrypted"),
            ]

        case .msgInitializeSent, .msgInitializeReceived, .msgStopSent, .msgStopReceived,
            .msgGetReservedSent, .msgGetReservedReceived, .msgSetReservedSent,
            .msgSetReservedReceived:
            message + [.number("old-handle")]
        case .msgAccessoryUwbDidStartSent, .msgAccessoryUwbDidStartReceived,
            .msgAccessoryUwbDidStopSent, .msgAccessoryUwbDidStopReceived, .msgIOSNotifySent,
            .msgIOSNotifyReceived:
            message
        case .msgConfigureAndStartSent, .msgConfigureAndStartReceived:
            message + [.bytes("shareable"), .number("session-id"), .number("address")] + parameters
                + [
                    .number("announced-address"), .text("announced-role", radioRoles),
                    .number("announced-rate"), .text("problem"), .number("old-handle"),
                ]
        case .msgAccessoryConfigurationDataSent, .msgAccessoryConfigurationDataReceived:
            message + [
                .bytes("configuration"), .number("major"), .number("minor"), .number("rate"),
                .bytes("reserved"), .number("uwb-length"), .number("uwb-bytes"), .number("address"),
                .text("role", radioRoles), .flag("unasked"),
            ]
        case .msgOtherSent, .msgOtherReceived:
            link + [.number("length"), .byte("id"), .bytes("bytes")]
        case .msgMalformedSent, .msgMalformedReceived:
            message + [.text("problem"), .byte("id"), .flag("unasked")]

        case .uwbStarting:
            [
                .number("handle"), .number("session-id"), .number("address"),
                .number("peer-address"), .text("role", ["initiator", "responder"]),
            ] + parameters + [.flag("extended")]
        case .uwbStarted, .uwbStopped, .uwbEnded: [.number("handle"), .number("session-id")]
        case .uwbRefused: [.number("handle"), .number("session-id"), .byte("status")]
        case .uwbRound:
            [
                .number("handle"), .number("session-id"), .text("outcome", ["measured", "missed"]),
                .number("distance"), .number("azimuth"), .number("elevation"),
            ]

        case .niCreated, .niPause, .niInvalidate, .niSessionWasSuspended,
            .niSessionSuspensionEnded:
            session
        case .niDidStartRunning: session + [.flag("extended")]
        case .niRun:
            session + [
                .bytes("configuration"), .bytes("peer-token"), .flag("bluetooth-peer"),
                .flag("extended"), .number("ar-session"), .text("camera", ["own", "shared"]),
            ]
        case .niDidGenerateShareableConfigurationData: session + [.bytes("shareable")]
        case .niDidUpdate:
            session + [
                .bytes("peer-token"), .number("distance"), .number("azimuth"), .number("elevation"),
                .number("angle"),
                .text("vertical", ["unknown", "same", "above", "below", "aboveOrBelow"]),
            ]
        case .niDidUpdateAlgorithmConvergence:
            session + [
                .bytes("peer-token"), .text("status", ["unknown", "converged", "not-converged"]),
                .text("missing"),
            ]
        case .niDidRemove:
            session + [.bytes("peer-token"), .text("reason", ["timeout", "peerEnded"])]
        case .niDidInvalidate: session + [.text("error", sessionErrors), .number("code")]

        case .arRun: [.number("ar-session"), .flag("fits")]
        case .arTrackingState: [.number("ar-session"), .text("state", ["normal", "limited"])]
        case .arFrame, .arPause, .arInterruptionEnded: [.number("ar-session")]
        case .arInterrupted: [.number("ar-session"), .text("reason", ["taken", "background"])]

        case .appLaunched, .appTerminated, .appForeground: []
        case .appBackground: [.flag("live-activity")]
        case .appFound, .appLost, .appConnected, .appDisconnected, .appSubscribed, .appStart,
            .appStop:
            [.device("peer")]
        case .appAttempt: [.device("peer"), .number("attempt")]
        case .appGaveUp: [.device("peer"), .text("reason")]
        case .appService: [.device("peer"), .any("service")]
        case .appReceived: [.device("peer"), .text("message"), .bytes("peer-token")]
        case .appNotification: [.device("peer"), .text("text")]
        case .appQuality: [.device("peer"), .text("quality", ["unknown", "good", "close"])]

        case .systemPermission: [.text("answer", ["allowed", "denied"])]
        case .systemPrompt: [.text("text")]
        case .systemSinglesOnly: []
        case .systemFindMy: [.flag("on")]
        case .systemPairing: [.device("peer"), .number("digits")]
        case .systemPaired: [.device("peer"), .byte("reason")]
        case .systemBluetooth: [.text("power", ["on", "off"])]

        case .accessoryConfigured, .accessoryStart, .accessoryStop: [.number("link-handle")]
        case .accessoryRejected, .accessoryError: [.number("link-handle"), .text("reason")]

        case .uciCommand, .uciResponse, .uciNotification:
            [.number("group"), .number("opcode"), .bytes("packet")]
        }
    }

    private static let causes = ["killed"] + FailureKind.allCases.map(\.rawValue)
    private static let roles = DeviceRole.allCases.map(\.rawValue)
    private static let pdus = ATTOpcode.allCases.map(\.name) + ["malformed"]
    private static let radioRoles = [
        "responder", "initiator", "advertiser", "observer", "anchor", "tag",
    ]

    private static let between: [TraceField] = [.device("between"), .device("and")]
    private static let link: [TraceField] = [.number("link"), .device("peer")]
    /// What is there on the network, and missing for Bluetooth.
    private static let transport = TraceField.text("transport", ["network"])
    private static let service = [transport, .text("type"), .text("name")]
    private static let attribute = link + [.number("handle")]
    /// What two radios have to have the same to range, beside the session id.
    private static let parameters: [TraceField] = [
        .number("channel"), .number("preamble"), .bytes("sts-iv"), .number("slots"),
        .number("slot-duration"), .number("interval"),
    ]
    private static let session: [TraceField] = [.number("ni-session"), .device("peer")]
    private static let message =
        link + [.number("session"), .number("length"), .flag("spoilt")]
}

extension Catalogue.TraceField {
    fileprivate static func number(_ name: String) -> Self { Self(name: name, values: .number) }
    fileprivate static func byte(_ name: String) -> Self {
        Self(name: name, values: .number, range: 0...255)
    }
    /// A text; one of these words where there are no others.
    fileprivate static func text(_ name: String, _ words: [String]? = nil) -> Self {
        Self(name: name, values: .text, words: words)
    }
    fileprivate static func device(_ name: String) -> Self { Self(name: name, values: .device) }
    fileprivate static func flag(_ name: String) -> Self { Self(name: name, values: .flag) }
    fileprivate static func bytes(_ name: String) -> Self { Self(name: name, values: .bytes) }
    fileprivate static func any(_ name: String) -> Self { Self(name: name, values: .any) }

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
    /// The only role whose devices have events of this kind, or of those that it is the beginning of; nil
    /// where either role may.
    package static func role(of kind: String) -> DeviceRole? {
        let roles = kinds(below: kind).map(role(of:))
        guard let only = roles.first, roles.allSatisfy({ $0 == only }) else { return nil }
        return only
    }

    /// It is so for the reference devices: the app is the GATT client, the accessory its server.
    private static func role(of kind: EventKind) -> DeviceRole? {
        switch kind {
        case .msgInitializeSent, .msgConfigureAndStartSent, .msgStopSent, .msgSetReservedSent,
            .msgAccessoryConfigurationDataReceived, .msgAccessoryUwbDidStartReceived,
            .msgAccessoryUwbDidStopReceived, .msgIOSNotifyReceived:
            .appleDevice
        case .msgInitializeReceived, .msgConfigureAndStartReceived, .msgStopReceived,
            .msgSetReservedReceived, .msgAccessoryConfigurationDataSent,
            .msgAccessoryUwbDidStartSent, .msgAccessoryUwbDidStopSent, .msgIOSNotifySent:
            .accessory
        default:
            switch kind.family {
            case "ni", "app", "system", "gatt": .appleDevice
            case "accessory": .accessory
            default: nil
            }
        }
    }
}

extension Catalogue.TraceField.Values {
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
    package static let messages: [String] = EventKind.allCases.compactMap { kind in
        let parts = kind.rawValue.split(separator: ".")
        guard parts.count == 3, parts[2] == "sent", kind != .msgMalformedSent else { return nil }
        return String(parts[1])
    }
}

extension EventKind {
    /// `msg`, `msg.initialize` and `msg.initialize.sent`.
    fileprivate var beginnings: [String] {
        let name = rawValue
        let ends = name.utf8.indices.filter { name.utf8[$0] == UInt8(ascii: ".") }
        return ends.map { String(name[..<$0]) } + [name]
    }
}
