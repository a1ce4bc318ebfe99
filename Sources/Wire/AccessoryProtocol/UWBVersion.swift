/// A version that the configuration data of both sides exist in.
package enum UWBVersion: String, CaseIterable, Sendable {
    /// An accessory's data have 19 bytes, an Apple device's 28.
    case v1_0 = "1.0"
    /// An accessory's data have 21 bytes, an Apple device's 30.
    case v1_1 = "1.1"
    /// An accessory's data have 32 bytes, an Apple device's 35.
    case v2_0 = "2.0"

    /// Major and minor version, two bytes each.
    var bytes: [UInt8] {
        switch self {
        case .v1_0: [1, 0, 0, 0]
        case .v1_1: [1, 0, 1, 0]
        case .v2_0: [2, 0, 0, 0]
        }
    }
}

/// What each version adds at the end of configuration data, 2.0 with a `Rest` of its own.
package enum UWBVersionData<Rest: UWBVersionRest>: Equatable, Sendable {
    /// Version 1.0 adds nothing.
    case v1_0
    /// Version 1.1 adds the largest clock drift in ppm.
    case v1_1(clockDrift: UInt16)
    /// Version 2.0 adds the largest clock drift in ppm, and the rest.
    case v2_0(clockDrift: UInt16, Rest)

    /// The version without what it adds.
    package var number: UWBVersion {
        switch self {
        case .v1_0: .v1_0
        case .v1_1: .v1_1
        case .v2_0: .v2_0
        }
    }

    init(_ version: UWBVersion, from reader: inout FieldReader) throws(ProtocolError) {
        switch version {
        case .v1_0: self = .v1_0
        case .v1_1: self = .v1_1(clockDrift: try reader.number("clock drift"))
        case .v2_0:
            self = .v2_0(
                clockDrift: try reader.number("clock drift"), try Rest(from: &reader))
        }
    }

    /// The bytes, little endian.
    var bytes: [UInt8] {
        switch self {
        case .v1_0: []
        case .v1_1(let clockDrift): [UInt8](littleEndian: clockDrift)
        case .v2_0(let clockDrift, let rest): [UInt8](littleEndian: clockDrift) + rest.bytes
        }
    }
}

/// What version 2.0 adds behind the clock drift.
package protocol UWBVersionRest: Equatable, Sendable {
    /// Takes the fields off the front of some bytes.
    ///
    /// - Throws: `ProtocolError.truncated` where one is missing.
    init(from reader: inout FieldReader) throws(ProtocolError)

    /// The bytes, little endian.
    var bytes: [UInt8] { get }
}

extension FieldReader {
    mutating func version() throws(ProtocolError) -> UWBVersion {
        let major = try number("major version", as: UInt16.self)
        let minor = try number("minor version", as: UInt16.self)
        switch (major, minor) {
        case (1, 0): return .v1_0
        case (1, 1): return .v1_1
        case (2, 0): return .v2_0
        default: throw invalid(size: 4, "version 1.0, 1.1 or 2.0")
        }
    }
}
