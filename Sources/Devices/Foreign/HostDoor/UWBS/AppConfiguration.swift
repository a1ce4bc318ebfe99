import DeviceLink

/// The parameters of a session that mean something to the UWBS (`AppConfigTlvType`).
enum AppConfigParameter: UInt8, CaseIterable, Sendable {
    /// Controlee (0) or controller (1): who sets the round's schedule, which the air does not ask.
    case deviceType = 0x00
    case rangingRoundUsage = 0x01
    case stsConfig = 0x02
    case multiNodeMode = 0x03
    case channelNumber = 0x04
    case noOfControlee = 0x05
    case deviceMacAddress = 0x06
    case dstMacAddress = 0x07
    /// In RSTU.
    case slotDuration = 0x08
    /// The interval between rounds in milliseconds.
    case rangingDuration = 0x09
    case aoaResultReq = 0x0D
    case rngDataNtf = 0x0E
    /// Responder (0) or initiator (1).
    case deviceRole = 0x11
    case preambleCodeIndex = 0x14
    case slotsPerRr = 0x1B
    case scheduledMode = 0x22
    case macAddressMode = 0x26
    case vendorId = 0x27
    case staticStsIv = 0x28
    case maxRrRetry = 0x2A
    case blockStrideLength = 0x2D
    case maxNumberOfMeasurements = 0x32

    /// Those without which no session leaves its first state; all others have a value from the beginning.
    static let needed: [AppConfigParameter] = [
        .deviceType, .rangingRoundUsage, .multiNodeMode, .deviceMacAddress, .dstMacAddress,
        .deviceRole, .scheduledMode,
    ]
}

/// A session's configuration: what the host has set, and FiRa's values for the rest.
///
/// What means nothing to the air is kept as it came and read back: SFD, rates, powers, keys, hopping, the time of
/// initiation. Static STS has eight octets in FiRa (vUpper64): the two of VENDOR_ID (bits 15 … 0), then the six of
/// STATIC_STS_IV (bits 63 … 16). The six are, in their order, the vector of the accessory protocol, by which the air
/// tells sessions apart; the two are kept and read back.
struct AppConfiguration: Equatable, Sendable {
    private var values: [UInt8: [UInt8]] = [
        AppConfigParameter.stsConfig.rawValue: [0],
        AppConfigParameter.channelNumber.rawValue: [9],
        AppConfigParameter.noOfControlee.rawValue: [1],
        AppConfigParameter.slotDuration.rawValue: [0x60, 0x09],
        AppConfigParameter.rangingDuration.rawValue: [200, 0, 0, 0],
        AppConfigParameter.aoaResultReq.rawValue: [1],
        AppConfigParameter.rngDataNtf.rawValue: [1],
        AppConfigParameter.preambleCodeIndex.rawValue: [10],
        AppConfigParameter.slotsPerRr.rawValue: [25],
        AppConfigParameter.macAddressMode.rawValue: [0],
        AppConfigParameter.vendorId.rawValue: [0, 0],
        AppConfigParameter.staticStsIv.rawValue: [0, 0, 0, 0, 0, 0],
        AppConfigParameter.maxRrRetry.rawValue: [0, 0],
        AppConfigParameter.blockStrideLength.rawValue: [0],
        AppConfigParameter.maxNumberOfMeasurements.rawValue: [0, 0],
    ]

    /// What was set, or has a value from the beginning.
    var identifiers: [UInt8] { values.keys.sorted() }

    subscript(identifier: UInt8) -> [UInt8]? { values[identifier] }

    /// The number that a parameter's octets are; nil where it has no value.
    subscript(parameter: AppConfigParameter) -> UInt32? {
        values[parameter.rawValue].map { UInt32(littleEndian: $0) }
    }

    /// Whether all is there that a session needs.
    var isComplete: Bool { AppConfigParameter.needed.allSatisfy { self[$0] != nil } }

    /// Sets a parameter, unless the UWBS cannot do what it asks for.
    ///
    /// - Returns: Whether it was set.
    mutating func set(_ identifier: UInt8, to value: [UInt8]) -> Bool {
        // Behind these begin identifiers of two octets.
        guard !(0xE0...0xE2).contains(identifier) else { return false }
        if let parameter = AppConfigParameter(rawValue: identifier),
            !Self.accepts(value, for: parameter)
        {
            return false
        }
        values[identifier] = value
        return true
    }

    /// Whether a parameter's value is of the right length, and nothing that this UWBS does not have.
    private static func accepts(_ value: [UInt8], for parameter: AppConfigParameter) -> Bool {
        switch parameter {
        case .deviceType, .deviceRole: value == [0] || value == [1]
        // Two-way ranging, single- or double-sided, deferred or not.
        case .rangingRoundUsage: value.count == 1 && (1...4).contains(value[0])
        // Static STS alone.
        case .stsConfig: value == [0]
        // One to many where the many are one.
        case .multiNodeMode: value == [0] || value == [1]
        case .noOfControlee: value == [1]
        case .channelNumber:
            value.count == 1 && [5, 6, 8, 9, 10, 12, 13, 14].contains(value[0])
        // Those of BPRF.
        case .preambleCodeIndex: value.count == 1 && (9...12).contains(value[0])
        // Short addresses, time-scheduled ranging.
        case .macAddressMode: value == [0]
        case .scheduledMode: value == [1]
        case .deviceMacAddress, .dstMacAddress, .vendorId, .maxRrRetry, .maxNumberOfMeasurements:
            value.count == 2
        case .slotDuration: value.count == 2 && value != [0, 0]
        case .rangingDuration:
            value.count == 4 && value[2...] == [0, 0] && value != [0, 0, 0, 0]
        // None, both, azimuth, elevation.
        case .aoaResultReq: value.count == 1 && value[0] <= 3
        // Never or always: the UWBS compares with no bounds.
        case .rngDataNtf: value == [0] || value == [1]
        // A round in every block.
        case .blockStrideLength: value == [0]
        case .slotsPerRr: value.count == 1 && value != [0]
        case .staticStsIv: value.count == 6
        }
    }

    /// Whether a parameter can be set while its session ranges: what is told of a round, and when.
    static func mayChangeWhileActive(_ identifier: UInt8) -> Bool {
        // RNG_DATA_NTF and its bounds, RNG_DATA_NTF_AOA_BOUND, BLOCK_STRIDE_LENGTH.
        [0x0E, 0x0F, 0x10, 0x1D, 0x2D].contains(identifier)
    }

    /// The same for the air; nil where something is missing.
    func parameters(ofSession id: UInt32) -> UWBParameters? {
        func short(_ parameter: AppConfigParameter) -> UInt16 {
            UInt16(truncatingIfNeeded: self[parameter] ?? 0)
        }
        func octet(_ parameter: AppConfigParameter) -> UInt8 {
            UInt8(truncatingIfNeeded: self[parameter] ?? 0)
        }
        guard isComplete, let vector = self[AppConfigParameter.staticStsIv.rawValue] else {
            return nil
        }
        return UWBParameters(
            sessionID: id, address: short(.deviceMacAddress), peer: short(.dstMacAddress),
            channel: octet(.channelNumber), preamble: octet(.preambleCodeIndex), stsIV: vector,
            slotsPerRound: short(.slotsPerRr), slotDuration: short(.slotDuration),
            interval: short(.rangingDuration), isInitiator: octet(.deviceRole) == 1)
    }
}
