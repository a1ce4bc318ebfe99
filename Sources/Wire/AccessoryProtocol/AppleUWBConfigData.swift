import Bluetooth

/// The final UWB parameters that an Apple device has selected: its shareable configuration data (R4
/// 3.5).
///
/// The layout has the same sources as that of `UWBConfigData`.
package struct AppleUWBConfigData: Equatable, Sendable {
    /// What a version adds: 2.0 also the hopping mode.
    package typealias Version = UWBVersionData<Hopping>

    /// How an Apple device hops between the rounds of a block.
    package struct Hopping {
        /// Four bytes for future use.
        package var reserved: UInt32
        /// The hopping mode; 0 is none.
        package var mode: UInt8

        package init(reserved: UInt32 = 0, mode: UInt8) {
            self.reserved = reserved
            self.mode = mode
        }
    }

    package var version: Version
    /// The country in two ASCII characters.
    package var country: [UInt8]
    /// The FiRa session id.
    package var sessionID: UInt32
    /// The preamble code index: 9 … 12.
    package var preamble: UInt8
    /// The channel: 5, 6, 8, 9, 10, 12, 13 or 14.
    package var channel: UInt8
    package var slotsPerRound: UInt16
    /// Slot duration in RSTU (1200 RSTU = 1 ms).
    package var slotDuration: UInt16
    /// Ranging interval in milliseconds.
    package var interval: UInt16
    /// Ranging round control: 0x03 time-scheduled, 0x06 contention.
    package var roundControl: UInt8
    /// The static STS initialisation vector: 6 bytes.
    package var stsIV: [UInt8]
    /// The short address of the Apple device, which the accessory ranges with.
    package var destination: UInt16

    package init(
        version: Version, country: [UInt8] = [0x55, 0x53], sessionID: UInt32,
        preamble: UInt8 = 10, channel: UInt8 = 9, slotsPerRound: UInt16 = 6,
        slotDuration: UInt16 = 3600, interval: UInt16 = 198, roundControl: UInt8 = 0x03,
        stsIV: [UInt8], destination: UInt16
    ) {
        precondition(country.count == 2, "a country has two characters")
        precondition(stsIV.count == 6, "an STS initialisation vector has six bytes")
        self.version = version
        self.country = country
        self.sessionID = sessionID
        self.preamble = preamble
        self.channel = channel
        self.slotsPerRound = slotsPerRound
        self.slotDuration = slotDuration
        self.interval = interval
        self.roundControl = roundControl
        self.stsIV = stsIV
        self.destination = destination
    }
}

extension AppleUWBConfigData {
    /// Reads version 1.0, 1.1 or 2.0.
    ///
    /// - Throws: `ProtocolError`: bytes missing or too many, an unknown version, a length that does not
    ///   belong to the version, a preamble or a channel that does not exist.
    package init(_ bytes: [UInt8]) throws(ProtocolError) {
        var reader = FieldReader(bytes, kind: "AppleUWBConfigData")
        let number = try reader.version()
        let length = Self.length(of: number)
        guard try reader.number("configDataLength") == length else {
            throw reader.invalid(size: 1, "configDataLength \(length)")
        }
        try reader.expect(Int(length))
        country = try reader.take(2, as: "country code")
        sessionID = try reader.number("session id")
        preamble = try reader.number("preamble id")
        guard (9...12).contains(preamble) else {
            throw reader.invalid(size: 1, "preamble id 9 … 12")
        }
        channel = try reader.number("channel")
        guard [5, 6, 8, 9, 10, 12, 13, 14].contains(channel) else {
            throw reader.invalid(size: 1, "channel 5, 6, 8, 9, 10, 12, 13 or 14")
        }
        slotsPerRound = try reader.number("slots per round")
        slotDuration = try reader.number("slot duration")
        interval = try reader.number("ranging interval")
        roundControl = try reader.number("ranging round control")
        stsIV = try reader.take(6, as: "static STS IV")
        destination = try reader.number("destination address")
        version = try Version(number, from: &reader)
        try reader.end()
    }

    /// The bytes, little endian.
    package var bytes: [UInt8] {
        var bytes = version.number.bytes
        bytes.append(Self.length(of: version.number))
        bytes += country
        bytes.append(littleEndian: sessionID)
        bytes.append(preamble)
        bytes.append(channel)
        bytes.append(littleEndian: slotsPerRound)
        bytes.append(littleEndian: slotDuration)
        bytes.append(littleEndian: interval)
        bytes.append(roundControl)
        bytes += stsIV
        bytes.append(littleEndian: destination)
        return bytes + version.bytes
    }

    /// The bytes after the length itself.
    private static func length(of version: UWBVersion) -> UInt8 {
        switch version {
        case .v1_0: 23
        case .v1_1: 25
        case .v2_0: 30
        }
    }
}

extension AppleUWBConfigData.Hopping: UWBVersionRest {
    package init(from reader: inout FieldReader) throws(ProtocolError) {
        self.init(reserved: try reader.number("RFU"), mode: try reader.number("hopping mode"))
    }

    package var bytes: [UInt8] { [UInt8](littleEndian: reserved) + [mode] }
}
