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
        /// It could not be started.
        case launch = "launch failure"
    }

    /// The kinds that a pattern of this kind matches: itself and those below it.
    package static func kinds(below kind: String) -> [EventKind] { below[kind]?.kinds ?? [] }

    /// What a pattern of each kind, or beginning of one, matches; looked up only.
    private static let below: [String: (kinds: [EventKind], fields: [TraceField])] = Dictionary(
        uniqueKeysWithValues: kindsAndPrefixes.map { name in
            let kinds = EventKind.allCases.filter {
                $0.rawValue == name || $0.rawValue.hasPrefix(name + ".")
            }
            return (name, (kinds, fields(ofAll: kinds)))
        })

    /// The names of the fields of all kinds, each once.
    package static let fieldNames: [String] = EventKind.allCases.reduce(into: []) { names, kind in
        for field in fields(of: kind) where !names.contains(field.name) {
            names.append(field.name)
        }
    }

    /// All kinds and what they begin with, for suggestions.
    package static let kindsAndPrefixes: [String] = EventKind.allCases.reduce(into: []) {
        names, kind in
        let parts = kind.rawValue.split(separator: ".")
        for count in 1...parts.count {
            let name = parts.prefix(count).joined(separator: ".")
            if !names.contains(name) { names.append(name) }
        }
    }

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

    /// The fields of one kind.
    private static func fields(of kind: EventKind) -> [TraceField] { fields(list(of: kind)) }

    /// The fields of one kind as `name:values name:values`, with `name:text(one|other)` where there are no
    /// other words and `name:byte` for a number of one octet; `TRACE.md` gives their units.
    private static func list(of kind: EventKind) -> String {
        switch kind {
        case .runStarted: "topology:text length:number"
        case .runLag: "longest:number"
        case .runEnded: "reason:text(finished|quiescent|cut|abandoned)"
        case .scriptStep: "step:text"
        case .scriptEnded, .faultsStopped: ""
        case .userStart, .userStop: "peer:device"

        case .deviceStarted: "incarnation:number address:text role:\(roles)"
        case .deviceDied: "cause:\(causes)"
        case .deviceFrozen, .deviceThawed: ""
        case .deviceStale: "channel:text"
        case .deviceTurn: "event:text"

        case .faultDisconnect: "between:device and:device reason:byte"
        case .faultLoss, .faultUWBLoss: "between:device and:device ratio:text ended:flag"
        case .faultDelay: "between:device and:device by:number ended:flag"
        case .faultThrottle: "between:device and:device to:number ended:flag"
        case .faultHold, .faultRelease, .faultObstruct, .faultClear: "between:device and:device"
        case .faultPartition: "between:device and:device one-way:flag"
        case .faultRepair: "between:device and:device ended:flag"
        case .faultKill: "after-answers:number"
        case .faultRestart, .faultFreeze, .faultThaw, .faultMove: ""
        case .faultCorrupt: "message:\(word(["any"] + messages)) count:number"
        case .faultRefuseUWB: "count:number status:byte"
        case .faultBusy: "by:number ended:flag"
        case .faultCommand:
            "command:text answer:text power:text on:text state:text peer:device error:text"

        case .airAdvertising: "on:flag \(service)"
        case .airScanning: "on:flag \(transport) type:text"
        case .airConnecting: "peer:device \(service)"
        case .airConnected: "link:number peer:device \(transport)"
        case .airDisconnecting, .airDisconnected: "link:number peer:device reason:byte"

        case .linkUp:
            """
            link:number role:text(central|peripheral) peer:device interval:number latency:number \
            timeout:number \(transport)
            """
        case .linkDown: "link:number peer:device reason:byte"
        case .linkEncrypted: "link:number peer:device status:byte"
        case .linkUpdated:
            """
            link:number peer:device status:byte interval:number latency:number timeout:number
            """

        case .networkFailed: "reason:text(refused|timed out)"
        case .networkSent, .networkReceived:
            "link:number peer:device length:number reliable:flag message:text"

        case .attSent, .attReceived:
            """
            link:number peer:device pdu:\(pdus) length:number handle:number message:text \
            unresolved:flag
            """

        // The name of an attribute can be any value: an assigned number may look like a number.
        case .gattSearched: "link:number peer:device primary:flag"
        case .gattService: "\(attribute) service:any primary:flag"
        case .gattCharacteristic:
            "\(attribute) characteristic:any properties:number read:flag beyond-read:number service:any"
        case .gattDiscovered:
            """
            link:number peer:device service:any singles:number multiples:number
            """
        case .gattDescriptor: "\(attribute) descriptor:any characteristic:any value-handle:number"
        case .gattDescribed:
            """
            link:number peer:device characteristic:text(single|multiple) value-handle:number \
            siblings:number user-descriptions:number
            """
        case .gattDescription:
            "\(attribute) characteristic:any value-handle:number encrypted:flag text:text"
        case .gattSubscribed: "link:number peer:device characteristic:any on:flag"
        case .gattConfiguration:
            """
            \(attribute) configuration:bytes characteristic:text(single|multiple) encrypted:flag \
            own:flag whole:flag count:number fault:text(count|length|rest) torn:flag
            """
        case .gattCompared:
            """
            link:number peer:device characteristic:text(single|multiple) values:number sessions:number \
            missing:number own:flag
            """
        case .gattWritten: "\(attribute) characteristic:any descriptor:any encrypted:flag"
        case .gattRefused:
            """
            \(attribute) characteristic:any descriptor:any request:text(read|write|find-information) error:byte \
            encrypted:flag
            """

        case .msgInitializeSent, .msgInitializeReceived, .msgStopSent, .msgStopReceived,
            .msgGetReservedSent, .msgGetReservedReceived, .msgSetReservedSent,
            .msgSetReservedReceived, .msgAccessoryUwbDidStartSent,
            .msgAccessoryUwbDidStartReceived, .msgAccessoryUwbDidStopSent,
            .msgAccessoryUwbDidStopReceived, .msgIOSNotifySent, .msgIOSNotifyReceived:
            message
        case .msgConfigureAndStartSent, .msgConfigureAndStartReceived:
            """
            \(message) shareable:bytes session-id:number address:number \(parameters) \
            announced-address:number announced-role:\(radioRoles) announced-rate:number
            """
        case .msgAccessoryConfigurationDataSent, .msgAccessoryConfigurationDataReceived:
            """
            \(message) configuration:bytes major:number minor:number rate:number reserved:bytes \
            uwb-length:number uwb-bytes:number address:number role:\(radioRoles)
            """
        case .msgOtherSent, .msgOtherReceived:
            "link:number peer:device length:number id:byte bytes:bytes"
        case .msgMalformedSent, .msgMalformedReceived: "\(message) problem:text id:byte"

        case .uwbStarting:
            """
            handle:number session-id:number address:number peer-address:number \
            role:text(initiator|responder) \(parameters) extended:flag
            """
        case .uwbStarted, .uwbStopped, .uwbEnded: "handle:number session-id:number"
        case .uwbRefused: "handle:number session-id:number status:byte"
        case .uwbRound:
            """
            handle:number session-id:number outcome:text(measured|missed) distance:number \
            azimuth:number elevation:number
            """

        case .niCreated, .niPause, .niInvalidate, .niSessionWasSuspended,
            .niSessionSuspensionEnded:
            session
        case .niDidStartRunning: "\(session) extended:flag"
        case .niRun:
            """
            \(session) configuration:bytes peer-token:bytes bluetooth-peer:flag extended:flag \
            ar-session:number camera:text(own|shared)
            """
        case .niDidGenerateShareableConfigurationData: "\(session) shareable:bytes"
        case .niDidUpdate:
            """
            \(session) peer-token:bytes distance:number azimuth:number elevation:number angle:number \
            vertical:text(unknown|same|above|below|aboveOrBelow)
            """
        case .niDidUpdateAlgorithmConvergence:
            "\(session) peer-token:bytes status:text(unknown|converged|not-converged) missing:text"
        case .niDidRemove: "\(session) peer-token:bytes reason:text(timeout|peerEnded)"
        case .niDidInvalidate: "\(session) error:\(word(sessionErrors)) code:number"

        case .arRun: "ar-session:number fits:flag"
        case .arTrackingState: "ar-session:number state:text(normal|limited)"
        case .arFrame, .arPause, .arInterruptionEnded: "ar-session:number"
        case .arInterrupted: "ar-session:number reason:text(taken|background)"

        case .appLaunched, .appTerminated, .appForeground: ""
        case .appBackground: "live-activity:flag"
        case .appFound, .appLost, .appConnected, .appDisconnected, .appSubscribed, .appStart,
            .appStop:
            "peer:device"
        case .appAttempt: "peer:device attempt:number"
        case .appGaveUp: "peer:device reason:text"
        case .appService: "peer:device service:any"
        case .appReceived: "peer:device message:text peer-token:bytes"
        case .appNotification: "peer:device text:text"
        case .appQuality: "peer:device quality:text(unknown|good|close)"

        case .systemPermission: "answer:text(allowed|denied)"
        case .systemPrompt: "text:text"
        case .systemSinglesOnly: ""
        case .systemFindMy: "on:flag"
        case .systemPairing: "peer:device digits:number"
        case .systemPaired: "peer:device reason:byte"
        case .systemBluetooth: "power:text(on|off)"

        case .accessoryConfigured, .accessoryStart, .accessoryStop: "link-handle:number"
        case .accessoryRejected, .accessoryError: "link-handle:number reason:text"

        case .uciCommand, .uciResponse, .uciNotification: "group:number opcode:number packet:bytes"
        }
    }

    /// A text that is one of these words.
    private static func word(_ words: [String]) -> String {
        "text(\(words.joined(separator: "|")))"
    }

    private static let causes = word(["killed"] + FailureKind.allCases.map(\.rawValue))

    private static let roles = word(DeviceRole.allCases.map(\.rawValue))

    private static let pdus = word(ATTOpcode.allCases.map(\.name) + ["malformed"])

    /// What is there on the network, and missing for Bluetooth.
    private static let transport = "transport:text(network)"
    private static let service = "\(transport) type:text name:text"

    /// What every event about one attribute has.
    private static let attribute = "link:number peer:device handle:number"
    /// What two radios have to have the same to range, beside the session id.
    private static let parameters =
        "channel:number preamble:number sts-iv:bytes slots:number slot-duration:number interval:number"
    private static let radioRoles = "text(responder|initiator|advertiser|observer|anchor|tag)"

    /// What every event about one NISession has.
    private static let session = "ni-session:number peer:device"

    /// What every message has.
    private static let message = "link:number peer:device session:number length:number spoilt:flag"
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
    package static let messages: [String] = EventKind.allCases.compactMap { kind in
        let parts = kind.rawValue.split(separator: ".")
        guard parts.count == 3, parts[2] == "sent", kind != .msgMalformedSent else { return nil }
        return String(parts[1])
    }
}
