/// A door for bytes of strangers, played by the fuzzer and, with what it has found, by the tests.
///
/// Playing an input returns; what must not be traps, which both report.
package struct FuzzTarget: Sendable {
    /// Plays one input.
    package typealias Player = (UnsafeRawBufferPointer) -> Void

    /// What an input is, which decides how many are worth playing.
    package enum Kind: String, Sendable {
        /// Bytes of a protocol.
        case bytes
        /// Hundreds of messages between two hosts.
        case conversation
        /// A text file.
        case text
        /// A run, or the beginning of one.
        case run
    }

    /// Its name, in lower case with hyphens.
    package let name: String
    /// What an input is.
    package let kind: Kind
    /// The most bytes of an input that the fuzzer makes.
    package let longest: Int
    /// What it plays, in one sentence.
    package let about: String
    /// Makes a player, which may keep what is the same for all inputs.
    package let makePlayer: @Sendable () -> Player

    package init(
        _ name: String, _ kind: Kind, longest: Int, _ about: String,
        _ makePlayer: @escaping @Sendable () -> Player
    ) {
        self.name = name
        self.kind = kind
        self.longest = longest
        self.about = about
        self.makePlayer = makePlayer
    }

}

// Scripts/fuzz reads this table and that of AllTargets.swift: name, kind and length, then a sentence.
extension FuzzTarget {
    /// The targets whose inputs are bytes of a protocol, or a conversation in it.
    package static let bytes: [FuzzTarget] = [
        FuzzTarget("device-frames", .bytes, longest: 512, "Frames of a device (DeviceLink).") {
            { playDeviceFrames($0) }
        },
        FuzzTarget("orchestrator-frames", .bytes, longest: 512, "Frames of the orchestrator.") {
            { playOrchestratorFrames($0) }
        },
        FuzzTarget("hci-capture", .bytes, longest: 512, "Captures of what a device asks for.") {
            { playCapture($0) }
        },
        FuzzTarget("advertising", .bytes, longest: 64, "Advertising data.") {
            { playAdvertising($0) }
        },
        FuzzTarget("configuration-data", .bytes, longest: 256, "Accessory configuration data.") {
            { playConfigurationData($0) }
        },
        FuzzTarget("shareable-data", .bytes, longest: 128, "Shareable configuration data.") {
            { playShareableData($0) }
        },
        FuzzTarget("l2cap-att-pdus", .bytes, longest: 64, "Frames, signals and PDUs of a link.") {
            { playPDU($0) }
        },
        FuzzTarget("l2cap-att-server", .conversation, longest: 1024, "A peer at our GATT server.") {
            { playServer($0) }
        },
        FuzzTarget("l2cap-att-client", .conversation, longest: 1024, "A peer at our GATT client.") {
            { playClient($0) }
        },
        FuzzTarget("host-controller", .conversation, longest: 1024, "A host at our controller.") {
            { playHostController($0) }
        },
        FuzzTarget("host-uwbs", .conversation, longest: 1024, "A host at our UWB chip.") {
            { playHostUWBS($0) }
        },
    ]
}

/// Says what must not be, and ends the process.
///
/// `precondition` would say nothing in a release build, which the fuzzer is.
package func demand(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { fatalError(sentence()) }
}
