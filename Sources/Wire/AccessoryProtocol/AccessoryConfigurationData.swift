import Bluetooth

/// How often an accessory would like to be measured (R4 3.4.3.1).
package enum PreferredUpdateRate: UInt8, CaseIterable, Sendable {
    /// The Apple device selects a rate and may change it.
    case automatic = 0
    /// About once every one to two seconds.
    case infrequent = 10
    /// Two to five times a second.
    case userInteractive = 20
}

/// What an accessory generates anew for every ranging session (R4 3.4).
package struct AccessoryConfigurationData: Equatable, Sendable {
    /// The protocol's major version (R4 3.3).
    package static let major: UInt16 = 1
    /// The protocol's minor version (R4 3.3).
    package static let minor: UInt16 = 0
    /// The bytes before UWBConfigData, the length byte included.
    package static let fixedLength = 16

    /// How often the accessory would like to be measured.
    package var preferredUpdateRate: PreferredUpdateRate
    /// Ten bytes for future use; their content is ignored, but kept.
    package var reserved: [UInt8]
    /// The middleware's own bytes, opaque to the protocol: at most 255.
    package var uwbConfigData: [UInt8]

    /// Configuration data around the middleware's own.
    ///
    /// - Throws: `ProtocolError.invalid` where `uwbConfigData` has no bytes or more than 255.
    package init(
        preferredUpdateRate: PreferredUpdateRate = .automatic, uwbConfigData: [UInt8]
    ) throws(ProtocolError) {
        guard (1...255).contains(uwbConfigData.count) else {
            throw .invalid(
                kind: Self.kind, offset: 15, expected: "UWBConfigData of 1 to 255 bytes")
        }
        self.preferredUpdateRate = preferredUpdateRate
        self.uwbConfigData = uwbConfigData
        reserved = Array(repeating: 0, count: 10)
    }

    /// Reads configuration data.
    ///
    /// - Throws: `ProtocolError`: bytes missing or too many, another version, a reserved update rate,
    ///   no UWBConfigData.
    package init(_ bytes: [UInt8]) throws(ProtocolError) {
        var reader = FieldReader(bytes, kind: Self.kind)
        guard try reader.number("MajorVersion") == Self.major else {
            throw reader.invalid(size: 2, "MajorVersion 1")
        }
        guard try reader.number("MinorVersion") == Self.minor else {
            throw reader.invalid(size: 2, "MinorVersion 0")
        }
        let rate = try reader.number("PreferredUpdateRate", as: UInt8.self)
        guard let rate = PreferredUpdateRate(rawValue: rate) else {
            throw reader.invalid(size: 1, "PreferredUpdateRate 0, 10 or 20")
        }
        preferredUpdateRate = rate
        reserved = try reader.take(10, as: "RFU of 10 bytes")
        let length = try reader.number("UWBConfigDataLength", as: UInt8.self)
        guard length > 0 else { throw reader.invalid(size: 1, "UWBConfigDataLength above 0") }
        uwbConfigData = try reader.take(Int(length), as: "UWBConfigData of \(length) bytes")
        try reader.end()
    }

    /// The bytes of Table 3-2.
    package var bytes: [UInt8] {
        var bytes = [UInt8](littleEndian: Self.major)
        bytes.append(littleEndian: Self.minor)
        bytes.append(preferredUpdateRate.rawValue)
        bytes += reserved
        bytes.append(UInt8(truncatingIfNeeded: uwbConfigData.count))
        return bytes + uwbConfigData
    }

    private static let kind = "accessory configuration data"
}

/// The value of the Accessory Multiple Configuration Data characteristic (R4 4.3.3).
package struct MultipleConfigurationData: Equatable, Sendable {
    /// Accessory configuration data of each session, as bytes: they are compared, not interpreted.
    package var configurations: [[UInt8]]

    /// Configuration data of several sessions.
    ///
    /// - Throws: `ProtocolError.invalid` where there are more than 255, or one has more than 255 bytes.
    package init(configurations: [[UInt8]]) throws(ProtocolError) {
        guard configurations.count <= 255 else {
            throw .invalid(kind: Self.kind, offset: 0, expected: "at most 255 configurations")
        }
        guard configurations.allSatisfy({ $0.count <= 255 }) else {
            throw .invalid(kind: Self.kind, offset: 1, expected: "configurations up to 255 bytes")
        }
        self.configurations = configurations
    }

    /// Reads the characteristic's value.
    ///
    /// - Throws: `ProtocolError`: bytes missing or too many.
    package init(_ bytes: [UInt8]) throws(ProtocolError) {
        var reader = FieldReader(bytes, kind: Self.kind)
        configurations = []
        let count = try reader.number("NumConfigs", as: UInt8.self)
        for index in 0..<Int(count) {
            let length = try reader.number("Config[\(index)].Length", as: UInt8.self)
            let data = try reader.take(Int(length), as: "Config[\(index)].Data of \(length) bytes")
            configurations.append(data)
        }
        try reader.end()
    }

    /// The bytes of Table 4-5.
    package var bytes: [UInt8] {
        configurations.reduce(into: [UInt8(truncatingIfNeeded: configurations.count)]) {
            $0.append(UInt8(truncatingIfNeeded: $1.count))
            $0 += $1
        }
    }

    private static let kind = "multiple configuration data"
}
