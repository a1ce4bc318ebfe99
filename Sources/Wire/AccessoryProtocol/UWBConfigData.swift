import Bluetooth

/// What an accessory's middleware says about its UWB chip, inside accessory configuration data.
///
/// The authority (Apple's UWB interoperability specification) is not public; this is the layout that
/// AOSP's ranging test app, vendors' headers and captures agree on. Protocol logic treats it as
/// opaque; only a simulated middleware and a simulated phone look inside.
package struct UWBConfigData: Equatable, Sendable {
    /// What the accessory does in a ranging round.
    package enum Role: UInt8, CaseIterable, Sendable {
        case responder = 0
        case initiator = 1
        case advertiser = 5
        case observer = 6
        /// Downlink TDoA anchor.
        case anchor = 7
        /// Downlink TDoA tag.
        case tag = 8

        package var name: String { "\(self)" }
    }

    /// What a version adds: 2.0 also what slots the accessory can keep to.
    package typealias Version = UWBVersionData<Slots>

    /// What slots an accessory can keep to.
    package struct Slots {
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

    package var version: Version
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
        version = try Version(number, from: &reader)
        try reader.end()
    }

    /// The bytes, little endian.
    package var bytes: [UInt8] {
        var bytes = version.number.bytes
        bytes.append(littleEndian: manufacturer)
        bytes.append(littleEndian: chipset)
        bytes.append(littleEndian: middleware)
        bytes.append(role.rawValue)
        bytes.append(littleEndian: address)
        return bytes + version.bytes
    }
}

extension UWBConfigData.Slots: UWBVersionRest {
    package init(from reader: inout FieldReader) throws(ProtocolError) {
        self.init(
            reserved: try reader.number("RFU"), hoppingMode: try reader.number("hopping mode"),
            slotsPerRound: try reader.number("slots per round"),
            slotDuration: try reader.number("slot duration"),
            interval: try reader.number("ranging interval"))
    }

    package var bytes: [UInt8] {
        var bytes = [UInt8](littleEndian: reserved)
        bytes.append(hoppingMode)
        bytes.append(littleEndian: slotsPerRound)
        bytes.append(littleEndian: slotDuration)
        bytes.append(littleEndian: interval)
        return bytes
    }
}
