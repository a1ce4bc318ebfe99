// The numbers of UCI, by their names in Pica's packet description (uci_packets.pdl of google/pica).

/// The commands that the UWBS has: group and opcode (`CoreOpCode`, `SessionConfigOpCode`, `SessionControlOpCode`).
package enum UCICommand: UInt16, CaseIterable, Sendable {
    case coreDeviceReset = 0x0000
    case coreGetDeviceInfo = 0x0002
    case coreGetCapsInfo = 0x0003
    case coreSetConfig = 0x0004
    case coreGetConfig = 0x0005
    case sessionInit = 0x0100
    case sessionDeinit = 0x0101
    case sessionSetAppConfig = 0x0103
    case sessionGetAppConfig = 0x0104
    case sessionGetCount = 0x0105
    case sessionGetState = 0x0106
    /// RANGE_START in UCI 1.
    case sessionStart = 0x0200
    /// RANGE_STOP in UCI 1.
    case sessionStop = 0x0201
    /// RANGE_GET_RANGING_COUNT in UCI 1.
    case sessionGetRangingCount = 0x0203

    var group: UInt8 { UInt8(rawValue >> 8) }

    /// The groups that have commands here.
    static let groups = Set(allCases.map(\.group))
}

extension RawRepresentable<UInt16> {
    /// A message of this group and opcode.
    func packet(_ type: UCIPacket.MessageType, _ payload: [UInt8]) -> UCIPacket {
        UCIPacket(
            type, group: UInt8(rawValue >> 8), opcode: UInt8(truncatingIfNeeded: rawValue),
            payload: payload)
    }
}

/// What a UWBS tells of its own accord: group and opcode.
enum UCINotification: UInt16, Sendable {
    case coreDeviceStatus = 0x0001
    case coreGenericError = 0x0007
    case sessionStatus = 0x0102
    /// SESSION_INFO_NTF, which is RANGE_DATA_NTF in UCI 1.
    case sessionInfo = 0x0200
}

/// How a command was answered, or a round ended (`StatusCode`).
enum UCIStatus: UInt8, Error, Sendable {
    case ok = 0x00
    case rejected = 0x01
    case syntaxError = 0x03
    case invalidParam = 0x04
    case unknownGID = 0x07
    case unknownOID = 0x08
    case readOnly = 0x09
    case commandRetry = 0x0A
    case sessionNotExist = 0x11
    case sessionDuplicate = 0x12
    case sessionActive = 0x13
    case maxSessionsExceeded = 0x14
    case sessionNotConfigured = 0x15
    case rangingRxTimeout = 0x21
}

/// What a UWBS is doing (`DeviceState`).
enum UWBSState: UInt8, Sendable {
    case ready = 0x01
    /// At least one session ranges.
    case active = 0x02
}

/// Where in its life a session is (`SessionState`).
enum SessionState: UInt8, Sendable {
    /// It lacks some of its configuration.
    case initialized = 0x00
    case deinitialized = 0x01
    case active = 0x02
    /// It is configured, and does not range.
    case idle = 0x03
}

/// Why a session is in another state (`ReasonCode`).
enum ReasonCode: UInt8, Sendable {
    case stateChangeWithSessionManagementCommands = 0x00
    case maxRangingRoundRetryCountReached = 0x01
    case maxNumberOfMeasurementsReached = 0x02
    case sessionStoppedDueToInbandSignal = 0x05
}

/// A device's configuration parameters (`DeviceConfigId`).
enum DeviceConfigParameter: UInt8, Sendable {
    case deviceState = 0x00
    case lowPowerMode = 0x01
}

/// The name of a case as FiRa writes it: `sessionNotExist` is SESSION_NOT_EXIST.
func firaName(of value: some RawRepresentable) -> String {
    var name = ""
    var isInAbbreviation = true
    for letter in "\(value)" {
        if letter.isUppercase, !isInAbbreviation { name += "_" }
        isInAbbreviation = letter.isUppercase
        name += letter.uppercased()
    }
    return name
}
