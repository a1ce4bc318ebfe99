import ARKit
import AccessoryProtocol
import DeviceKit
import DeviceLink

/// With what a session is run.
enum RangingSubject {
    case accessory(NINearbyAccessoryConfiguration)
    /// Another Apple device, by the token of its session; `isExtended` where long distances are to be measured.
    case peer(NIDiscoveryToken, isExtended: Bool, usesCamera: Bool)

    /// What an app's configuration is about; nil for one of no known kind.
    init?(_ configuration: NIConfiguration) {
        switch configuration {
        case let configuration as NINearbyAccessoryConfiguration: self = .accessory(configuration)
        case let configuration as NINearbyPeerConfiguration:
            self = .peer(
                configuration.peerDiscoveryToken,
                isExtended: configuration.isExtendedDistanceMeasurementEnabled,
                usesCamera: configuration.isCameraAssistanceEnabled)
        default: return nil
        }
    }

    /// The token of the nearby object.
    var token: NIDiscoveryToken {
        switch self {
        case .accessory(let configuration): configuration.accessoryDiscoveryToken
        case .peer(let token, _, _): token
        }
    }

    /// Accessory configuration data; nil for a peer.
    var configuration: NINearbyAccessoryConfiguration? {
        guard case .accessory(let configuration) = self else { return nil }
        return configuration
    }

    /// The token of a peer; nil for an accessory.
    var peerToken: NIDiscoveryToken? {
        if case .peer(let token, _, _) = self { token } else { nil }
    }

    /// Whether long distances are to be measured.
    var isExtended: Bool {
        if case .peer(_, let isExtended, _) = self { isExtended } else { false }
    }

    /// Whether both devices can measure long distances.
    func canExtend(on device: DeviceCapabilities) -> Bool {
        device.supportsExtendedDistanceMeasurement
            && token.deviceCapabilities.supportsExtendedDistanceMeasurement
    }

    /// Whether the camera is to help, which it does not in a session that goes on in the background (Apple, *Nearby
    /// Interaction*).
    var usesCamera: Bool {
        switch self {
        case .accessory(let configuration):
            configuration.isCameraAssistanceEnabled
                && configuration.bluetoothPeerIdentifier == nil
        case .peer(_, _, let usesCamera): usesCamera
        }
    }

    var bluetoothPeerIdentifier: UUID? { configuration?.bluetoothPeerIdentifier }
}

/// One run of a session: what was asked for.
struct RangingRun {
    let subject: RangingSubject
    /// The accessory, where the system knows it.
    let accessory: KnownAccessory?
    /// Whether it measures at extended distance: where its app wants it, and both devices can.
    let isExtended: Bool
    /// What observations of the run say of it.
    let told: Field?
    /// The session whose frames help; nil where the camera does not.
    let camera: ARSession?
    /// Whether the accessory's Nearby Interaction Service holds the configuration.
    var isVerified: Bool

    init(
        _ subject: RangingSubject, with accessory: KnownAccessory?,
        on device: DeviceCapabilities, camera: ARSession?
    ) {
        self.subject = subject
        self.accessory = accessory
        self.camera = camera
        isExtended = subject.isExtended && subject.canExtend(on: device)
        told = accessory?.told
        isVerified = subject.bluetoothPeerIdentifier == nil
    }
}

/// What the radio does for a run.
struct RangingRadio {
    /// The radio's handle.
    let handle: UInt32
    let parameters: UWBParameters
    /// The accessory's part of them: Apple's shareable configuration data.
    let shareable: [UInt8]

    /// Chooses the parameters of a new ranging session; nil where the accessory is incompatible.
    init?(
        _ configuration: NINearbyAccessoryConfiguration, handle: UInt32,
        of system: NearbyInteractionParameters
    ) {
        guard case .compatible(let accessory, let rate) = configuration.radio else { return nil }
        let context = Context.current
        let address = 1 + UInt16(context.random("uwb-address").below(0xFFFE))
        let sessionID = 1 + UInt32(context.random("uwb-session-id").below(0xFFFF_FFFE))
        var choice = AppleUWBConfigData(
            answering: accessory, at: system.has(.ignoresUpdateRate) ? .infrequent : rate,
            sessionID: system.has(.repeatsSessionID) ? 1 : sessionID,
            stsIV: context.random("sts-iv").bytes(6), address: address)
        if system.has(.rangesTooOften) { choice.interval /= 3 }
        if system.has(.rangesTooSeldom) { choice.interval *= 3 }
        self.handle = handle
        shareable = choice.bytes
        parameters = UWBParameters(
            sessionID: choice.sessionID &+ (system.has(.sharesOtherSessionID) ? 1 : 0),
            address: address, peer: accessory.address,
            channel: choice.channel, preamble: choice.preamble, stsIV: choice.stsIV,
            slotsPerRound: choice.slotsPerRound + (system.has(.sharesOtherSlots) ? 1 : 0),
            slotDuration: choice.slotDuration,
            interval: choice.interval, isInitiator: accessory.role == .responder)
    }
}

extension RangingRadio {
    /// What two Apple devices range by, each of which has the other's token: both find the same from the two, and roles and
    /// addresses that mirror one another.
    init(
        from own: NIDiscoveryToken, to peer: NIDiscoveryToken, isExtended: Bool, handle: UInt32
    ) {
        let isFirst = own.bytes.lexicographicallyPrecedes(peer.bytes)
        let pair = (isFirst ? [own, peer] : [peer, own]).flatMap(\.bytes)
        let key = pair.reduce(Keyed(0).with("peers")) { $0.with(UInt64($1)) }
        self.handle = handle
        shareable = []
        // 6 slots of 3 ms are a round of 18 ms, 11 rounds an interval of 198 ms, as with accessories.
        parameters = UWBParameters(
            sessionID: 1 + UInt32(key.with("session-id").below(0xFFFF_FFFE)),
            address: own.shortAddress, peer: peer.shortAddress, channel: 9, preamble: 10,
            stsIV: key.with("sts-iv").bytes(6), slotsPerRound: 6, slotDuration: 3_600,
            interval: 198, isInitiator: isFirst, isExtended: isExtended)
    }
}

extension NIDiscoveryToken {
    /// The short address of the radio of its session.
    fileprivate var shortAddress: UInt16 {
        let key = bytes.reduce(Keyed(0).with("short address")) { $0.with(UInt64($1)) }
        return 1 + UInt16(key.below(0xFFFE))
    }
}

extension AppleUWBConfigData {
    /// What an iPhone selects for an accessory: the accessory's own version, and an interval of whole
    /// rounds near the rate that the accessory prefers (R4 3.4.3.1).
    fileprivate init(
        answering accessory: UWBConfigData, at rate: PreferredUpdateRate, sessionID: UInt32,
        stsIV: [UInt8], address: UInt16
    ) {
        let times: UInt16 =
            switch rate {
            case .userInteractive: 1
            case .automatic: 2
            case .infrequent: 6
            }
        switch accessory.version {
        case .v1_0, .v1_1:
            // 6 slots of 3 ms are a round of 18 ms, 11 rounds an interval of 198 ms.
            let version: Version =
                accessory.version == .v1_0 ? .v1_0 : .v1_1(clockDrift: 100)
            self.init(
                version: version, sessionID: sessionID, interval: 198 * times, stsIV: stsIV,
                destination: address)
        case .v2_0(_, let slots):
            self.init(
                version: .v2_0(
                    clockDrift: 100, AppleUWBConfigData.Hopping(mode: slots.hoppingMode)),
                sessionID: sessionID, slotsPerRound: slots.slotsPerRound,
                slotDuration: slots.slotDuration,
                interval: UInt16(clamping: UInt32(slots.interval) * UInt32(times)),
                stsIV: stsIV, destination: address)
        }
    }
}
