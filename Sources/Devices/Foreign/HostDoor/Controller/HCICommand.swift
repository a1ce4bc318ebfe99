package import Bluetooth

// The virtual controller has all of them.
extension HCICommand {
    /// Whether it belongs to the feature LE Extended Advertising.
    package var isExtendedAdvertising: Bool {
        (HCICommand.leSetAdvertisingSetRandomAddress.rawValue...0x2043).contains(rawValue)
    }

    /// Whether the answer is a Command Status, because an event of its own comes later.
    package var isAnsweredByStatus: Bool {
        switch self {
        case .disconnect, .readRemoteVersionInformation, .leCreateConnection,
            .leExtendedCreateConnection, .leConnectionUpdate, .leReadRemoteFeatures,
            .leEnableEncryption, .leSetPHY:
            true
        default: false
        }
    }

    /// Where it stands in Supported Commands (Core Specification Vol 4 Part E 6.27): octet and bit.
    package var place: (octet: Int, bit: Int) {
        switch self {
        case .disconnect: (0, 5)
        case .readRemoteVersionInformation: (2, 7)
        case .setEventMask: (5, 6)
        case .reset: (5, 7)
        case .setControllerToHostFlowControl: (10, 5)
        case .hostBufferSize: (10, 6)
        case .hostNumberOfCompletedPackets: (10, 7)
        case .readLocalVersionInformation: (14, 3)
        case .readLocalSupportedCommands: (14, 4)
        case .readLocalSupportedFeatures: (14, 5)
        case .readBufferSize: (14, 7)
        case .readBDADDR: (15, 1)
        case .readRSSI: (15, 5)
        case .setEventMaskPage2: (22, 2)
        // Those of LE stand one behind the other, in two runs.
        case _ where rawValue <= HCICommand.leReadSupportedStates.rawValue:
            Self.bit(25 * 8 + Int(rawValue - HCICommand.leSetEventMask.rawValue))
        default: Self.bit(33 * 8 + Int(rawValue - HCICommand.leReadSupportedStates.rawValue))
        }
    }

    private static func bit(_ number: Int) -> (octet: Int, bit: Int) { (number / 8, number % 8) }
}

/// Why the controller does not do what a command wants (Core Specification Vol 1 Part F).
enum HCIError: UInt8, Error {
    case unknownCommand = 0x01
    case unknownConnection = 0x02
    case memoryCapacityExceeded = 0x07
    case commandDisallowed = 0x0C
    case unsupportedFeature = 0x11
    case invalidParameters = 0x12
    case unknownAdvertisingIdentifier = 0x42
}
