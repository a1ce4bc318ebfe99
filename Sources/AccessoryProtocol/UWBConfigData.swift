/// What an accessory's middleware says about its UWB chip, inside accessory configuration data.
///
/// The authority (Apple's UWB interoperability specification) is not public; this is the layout that
/// AOSP's ranging test app, vendors' headers and captures agree on. Protocol logic treats it as
/// opaque; only a simulated middleware and a simulated phone look inside.
package struct UWBConfigData: Equatable, Sendable {
    /// What the accessory does in a ranging round.
    package enum Role: UInt8, CaseIterable, Sendable {
        /// Answers a round.
        case responder = 0
        /// Begins a round.
        case initiator = 1
        /// Advertises.
        case advertiser = 5
        /// Observes.
        case observer = 6
        /// Downlink TDoA anchor.
        case anchor = 7
        /// Downlink TDoA tag.
        case tag = 8
    }

    /// What a version adds.
    package enum Version: Equatable, Sendable {
        /// 1.0, 19 bytes: nothing.
        case v1_0
        /// 1.1, 21 bytes: the largest clock drift in ppm.
        case v1_1(clockDrift: UInt16)
        /// 2.0, 32 bytes: also what slots the accessory can keep to.
        case v2_0(clockDrift: UInt16, Slots)
    }

    /// What slots an accessory can keep to.
    package struct Slots: Equatable, Sendable {
        /// Four bytes for future use.
        package var reserved: UInt32
        /// The hopping mode; 0 is none.
        package var hoppingMode: UInt8
        /// Slots per round: at least 6.
        package var slotsPerRound: UInt16
        /// Slot duration in RSTU (1200 RSTU = 1 ms): at least 2400, a multiple of 1200.
        package var slotDuration: UInt16
        /// Ranging interval in milliseconds.
        package var interval: UInt16

        /// Slots; the defaults are those of AOSP's ranging test app.
        package init(
            reserved: UInt32 = 0, hoppingMode: UInt8 = 0, slotsPerRound: UInt16 = 25,
            slotDuration: UInt16 = 2400, interval: UInt16 = 200
        ) {
            self.reserved = reserved
            self.hoppingMode = hoppingMode
            self.slotsPerRound = slotsPerRound
            self.slotDuration = slotDuration
            self.interval = interval
        }
    }

    /// The version and what it adds.
    package var version: Version
    /// The manufacturer's id.
    package var manufacturer: UInt32
    /// The chipset's model id.
    package var chipset: UInt32
    /// The middleware's version, in the manufacturer's own form.
    package var middleware: UInt32
    /// What the accessory does in a ranging round.
    package var role: Role
    /// The accessory's short address.
    package var address: UInt16

    package init(
        version: Version, manufacturer: UInt32, chipset: UInt32, middleware: UInt32, role: Role,
        address: UInt16
    ) {
        self.version = version
        self.manufacturer = manufacturer
        self.chipset = chipset
        self.middleware = middleware
        self.role = role
        self.address = address
    }
}

extension UWBConfigData {
    /// Reads version 1.0, 1.1 or 2.0.
    ///
    /// - Throws: `ProtocolError`: bytes missing or too many, an unknown version or role.
    package init(_ bytes: [UInt8]) throws(ProtocolError) {
        var reader = FieldReader(bytes, kind: "UWBConfigData")
        let number = try reader.version()
        manufacturer = try reader.number("manufacturer id")
        chipset = try reader.number("chipset model id")
        middleware = try reader.number("middleware version")
        let role = try reader.number("ranging role", as: UInt8.self)
        guard let role = Role(rawValue: role) else {
            throw reader.invalid(size: 1, "ranging role 0, 1, 5, 6, 7 or 8")
        }
        self.role = role
        address = try reader.number("short address")
        switch number {
        case .v1_0: version = .v1_0
        case .v1_1: version = .v1_1(clockDrift: try reader.number("clock drift"))
        case .v2_0:
            version = .v2_0(clockDrift: try reader.number("clock drift"), try reader.slots())
        }
        try reader.end()
    }

    /// The bytes, little endian.
    package var bytes: [UInt8] {
        var bytes = number.bytes
        bytes.append(littleEndian: manufacturer)
        bytes.append(littleEndian: chipset)
        bytes.append(littleEndian: middleware)
        bytes.append(role.rawValue)
        bytes.append(littleEndian: address)
        switch version {
        case .v1_0: break
        case .v1_1(let clockDrift): bytes.append(littleEndian: clockDrift)
        case .v2_0(let clockDrift, let slots):
            bytes.append(littleEndian: clockDrift)
            bytes.append(littleEndian: slots.reserved)
            bytes.append(slots.hoppingMode)
            bytes.append(littleEndian: slots.slotsPerRound)
            bytes.append(littleEndian: slots.slotDuration)
            bytes.append(littleEndian: slots.interval)
        }
        return bytes
    }

    private var number: UWBVersionNumber {
        switch version {
        case .v1_0: .v1_0
        case .v1_1: .v1_1
        case .v2_0: .v2_0
        }
    }
}

/// The versions that both configuration data exist in.
enum UWBVersionNumber {
    case v1_0, v1_1, v2_0

    var bytes: [UInt8] {
        switch self {
        case .v1_0: [1, 0, 0, 0]
        case .v1_1: [1, 0, 1, 0]
        case .v2_0: [2, 0, 0, 0]
        }
    }
}

extension FieldReader {
    mutating func version() throws(ProtocolError) -> UWBVersionNumber {
        let major = try number("major version", as: UInt16.self)
        let minor = try number("minor version", as: UInt16.self)
        switch (major, minor) {
        case (1, 0): return .v1_0
        case (1, 1): return .v1_1
        case (2, 0): return .v2_0
        default: throw invalid(size: 4, "version 1.0, 1.1 or 2.0")
        }
    }

    fileprivate mutating func slots() throws(ProtocolError) -> UWBConfigData.Slots {
        UWBConfigData.Slots(
            reserved: try number("RFU"), hoppingMode: try number("hopping mode"),
            slotsPerRound: try number("slots per round"),
            slotDuration: try number("slot duration"), interval: try number("ranging interval"))
    }
}
