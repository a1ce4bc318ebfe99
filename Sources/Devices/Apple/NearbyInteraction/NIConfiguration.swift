import AccessoryProtocol

/// What a session is about.
///
/// It can be copied and archived; two are equal where they are one.
public class NIConfiguration: NSObject, NSCopying, NSSecureCoding {
    fileprivate override init() {}

    /// A configuration from an archive; only those of its kinds have anything there.
    public required init?(coder: NSCoder) { nil }

    public class var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {}

    /// A configuration like this one, which can be changed by itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func copy() -> Any { copy(with: nil) }

    // Where an object lies differs from run to run.
    public override var hash: Int { 0 }
}

extension NSCoder {
    fileprivate func bytes(for key: String) -> Data? {
        decodeObject(of: NSData.self, forKey: key).map { $0 as Data }
    }
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
    /// Whether the camera should help (iOS 16); where it cannot, the session ends with `invalidARConfiguration`.
    ///
    /// In a session that goes on in the background it has no effect.
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
        let bytes = Array(data)
        self.init(bytes, try Radio(in: bytes), identifier: nil)
    }

    /// A session with an accessory that is paired and connected by Bluetooth.
    ///
    /// It goes on in the background; the system compares the data with what the accessory's Nearby
    /// Interaction Service holds (R4 4.3.2).
    ///
    /// - Throws: `NIError.invalidConfiguration` where the data is malformed. An accessory that is not
    ///   paired or not connected ends the session when it is run.
    public convenience init(accessoryData: Data, bluetoothPeerIdentifier: UUID) throws {
        let bytes = Array(accessoryData)
        self.init(bytes, try Radio(in: bytes), identifier: bluetoothPeerIdentifier)
    }

    private init(_ other: NINearbyAccessoryConfiguration) {
        (bytes, radio) = (other.bytes, other.radio)
        bluetoothPeerIdentifier = other.bluetoothPeerIdentifier
        accessoryDiscoveryToken = other.accessoryDiscoveryToken
        isCameraAssistanceEnabled = other.isCameraAssistanceEnabled
        super.init()
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        NINearbyAccessoryConfiguration(self)
    }

    private enum Key {
        static let data = "accessoryData"
        static let identifier = "bluetoothPeerIdentifier"
        static let camera = "isCameraAssistanceEnabled"
    }

    /// A configuration from an archive; nil where that has none.
    public required convenience init?(coder: NSCoder) {
        guard let data = coder.bytes(for: Key.data), let radio = try? Radio(in: Array(data)) else {
            return nil
        }
        let identifier = coder.decodeObject(of: NSString.self, forKey: Key.identifier)
        self.init(
            Array(data), radio, identifier: identifier.flatMap { UUID(uuidString: "\($0)") })
        isCameraAssistanceEnabled = coder.decodeBool(forKey: Key.camera)
    }

    public override func encode(with coder: NSCoder) {
        coder.encode(NSData(data: Data(bytes)), forKey: Key.data)
        if let bluetoothPeerIdentifier {
            coder.encode(
                NSString(string: bluetoothPeerIdentifier.uuidString), forKey: Key.identifier)
        }
        coder.encode(isCameraAssistanceEnabled, forKey: Key.camera)
    }

    private init(_ bytes: [UInt8], _ radio: Radio, identifier: UUID?) {
        self.bytes = bytes
        self.radio = radio
        bluetoothPeerIdentifier = identifier
        accessoryDiscoveryToken = NIDiscoveryToken(configuration: bytes)
        super.init()
    }
}

/// A session with another Apple device, whose app runs one with this device's token.
public final class NINearbyPeerConfiguration: NIConfiguration {
    /// The token of the other device's session, with which it appears in the delegate's callbacks.
    public let peerDiscoveryToken: NIDiscoveryToken
    /// Whether the camera should help (iOS 16); where it cannot, the session ends with `invalidARConfiguration`.
    public var isCameraAssistanceEnabled = false
    /// Whether long distances are to be measured, which both devices have to be able to: one session of a device at a
    /// time.
    public var isExtendedDistanceMeasurementEnabled = false

    /// A session with the device that sent this token.
    ///
    /// The token of an accessory, or of this device itself, ends the session with `invalidConfiguration` when it is run.
    public init(peerToken: NIDiscoveryToken) {
        peerDiscoveryToken = peerToken
        super.init()
    }

    private enum Key {
        static let token = "peerDiscoveryToken"
        static let camera = "isCameraAssistanceEnabled"
        static let extended = "isExtendedDistanceMeasurementEnabled"
    }

    /// A configuration from an archive; nil where that has none.
    public required convenience init?(coder: NSCoder) {
        guard let token = coder.decodeObject(of: NIDiscoveryToken.self, forKey: Key.token) else {
            return nil
        }
        self.init(peerToken: token)
        isCameraAssistanceEnabled = coder.decodeBool(forKey: Key.camera)
        isExtendedDistanceMeasurementEnabled = coder.decodeBool(forKey: Key.extended)
    }

    public override func encode(with coder: NSCoder) {
        coder.encode(peerDiscoveryToken, forKey: Key.token)
        coder.encode(isCameraAssistanceEnabled, forKey: Key.camera)
        coder.encode(isExtendedDistanceMeasurementEnabled, forKey: Key.extended)
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NINearbyPeerConfiguration(peerToken: peerDiscoveryToken)
        copy.isCameraAssistanceEnabled = isCameraAssistanceEnabled
        copy.isExtendedDistanceMeasurementEnabled = isExtendedDistanceMeasurementEnabled
        return copy
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
    /// What accessory configuration data says.
    ///
    /// - Throws: `NIError.invalidConfiguration` where it is malformed (R4 3.4.2).
    fileprivate init(in bytes: [UInt8]) throws {
        guard let data = try? AccessoryConfigurationData(bytes), let radio = Self(data) else {
            throw NIError(.invalidConfiguration)
        }
        self = radio
    }

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
