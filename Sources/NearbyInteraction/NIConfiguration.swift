internal import AccessoryProtocol

/// What a session is about.
public class NIConfiguration: Hashable {
    fileprivate init() {}

    /// A configuration like this one, which can be changed by itself.
    public func copy() -> Any { self }

    /// Whether both are the same configuration.
    public static func == (left: NIConfiguration, right: NIConfiguration) -> Bool {
        left === right
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(Self.self)) }
}

/// A session with a third-party accessory.
public final class NINearbyAccessoryConfiguration: NIConfiguration {
    /// What the accessory's data says about its radio.
    enum Radio: Equatable {
        /// Something this device can range with.
        case compatible(UWBConfigData, PreferredUpdateRate)
        /// Something of a version or role that this device does not know.
        case incompatible
    }

    /// The token of the accessory, with which it appears in the delegate's callbacks.
    public let accessoryDiscoveryToken: NIDiscoveryToken
    /// Whether the camera should help.
    ///
    /// It has no effect here.
    public var isCameraAssistanceEnabled = false

    /// The accessory configuration data as the app received it.
    let bytes: [UInt8]
    let radio: Radio
    /// The accessory's Bluetooth identifier, for sessions that go on in the background.
    let bluetoothPeerIdentifier: UUID?

    /// A session with the accessory that sent this configuration data.
    ///
    /// - Throws: `NIError.invalidConfiguration` where the data is malformed (R4 3.4.2).
    public convenience init(data: Data) throws {
        try self.init(Array(data), identifier: nil)
    }

    /// A session with an accessory that is paired and connected by Bluetooth.
    ///
    /// It goes on in the background; the system compares the data with what the accessory's Nearby
    /// Interaction Service holds (R4 4.3.2).
    ///
    /// - Throws: `NIError.invalidConfiguration` where the data is malformed. An accessory that is not
    ///   paired or not connected ends the session when it is run.
    public convenience init(accessoryData: Data, bluetoothPeerIdentifier: UUID) throws {
        try self.init(Array(accessoryData), identifier: bluetoothPeerIdentifier)
    }

    private init(_ other: NINearbyAccessoryConfiguration) {
        (bytes, radio) = (other.bytes, other.radio)
        bluetoothPeerIdentifier = other.bluetoothPeerIdentifier
        accessoryDiscoveryToken = other.accessoryDiscoveryToken
        isCameraAssistanceEnabled = other.isCameraAssistanceEnabled
        super.init()
    }

    public override func copy() -> Any { NINearbyAccessoryConfiguration(self) }

    private init(_ bytes: [UInt8], identifier: UUID?) throws {
        guard let data = try? AccessoryConfigurationData(bytes),
            let radio = Radio(data)
        else { throw NIError(.invalidConfiguration) }
        self.bytes = bytes
        self.radio = radio
        bluetoothPeerIdentifier = identifier
        accessoryDiscoveryToken = NIDiscoveryToken(configuration: bytes)
        super.init()
    }
}

extension UWBConfigData {
    /// Whether there is a round in what the accessory says of its slots.
    fileprivate var hasRounds: Bool {
        guard case .v2_0(_, let slots) = version else { return true }
        return slots.slotsPerRound > 0 && slots.slotDuration > 0 && slots.interval > 0
    }
}

extension NINearbyAccessoryConfiguration.Radio {
    /// What the radio's part says; nil where it is malformed.
    fileprivate init?(_ data: AccessoryConfigurationData) {
        if let radio = try? UWBConfigData(data.uwbConfigData) {
            let canRange =
                (radio.role == .initiator || radio.role == .responder) && radio.hasRounds
            self = canRange ? .compatible(radio, data.preferredUpdateRate) : .incompatible
        } else if Self.hasUnknownVersion(data.uwbConfigData) {
            self = .incompatible
        } else {
            return nil
        }
    }

    private static func hasUnknownVersion(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 19 else { return false }
        return ![[1, 0, 0, 0], [1, 0, 1, 0], [2, 0, 0, 0]].contains(Array(bytes.prefix(4)))
    }
}
