package import AccessoryProtocol
package import DeviceKit
package import Vocabulary

/// Everything that a topology can set about an accessory, checked.
///
/// The names, ranges and defaults are those of `AccessoryParameter`; durations come as nanoseconds, lengths as
/// millimetres.
package struct AccessoryParameters: Equatable, Sendable {
    /// What phones reach it by.
    package var transport: DataLinkTransport = AccessoryParameter.transport.standard()
    /// Which service carries the messages.
    package var service: AccessoryParameter.Service = AccessoryParameter.service.standard()
    /// The topology's own service for messages; nil where it has none for this accessory.
    package var ownService: MessageService?
    /// What is in the advertisement.
    package var advertised: AccessoryParameter.Advertised = AccessoryParameter.advertised.standard()
    /// What is made of a request whose length is wrong.
    package var messageLength: AccessoryParameter.MessageLength = AccessoryParameter.messageLength
        .standard()
    /// The largest ATT MTU that the accessory agrees to, in bytes.
    package var mtu: Int = AccessoryParameter.mtu.standard()
    /// How many phones may be connected at once.
    package var links: Int = AccessoryParameter.links.standard()
    /// Version of the UWB configuration data, and of the shareable data that is accepted.
    package var version: UWBVersion = AccessoryParameter.uwbVersion.standard()
    /// The update rate that the configuration data prefers (R4 3.4.3.1).
    package var updateRate = AccessoryParameter.updateRate.standard(of: updateRates)
    /// Whether the accessory starts the ranging rounds.
    package var isInitiator = AccessoryParameter.rangingRole.standard(of: rangingRoles)
    /// Whether it has the Nearby Interaction Service (R4 4).
    package var hasNearbyInteraction = AccessoryParameter.nearbyInteraction.standard(of: presences)
    /// How many Multiple Configuration Data characteristics there are (R4 4.3.3).
    package var multiples: Int = AccessoryParameter.multiples.standard()
    /// How phones may keep what they have discovered.
    package var gattCaching: AccessoryParameter.GATTCaching = AccessoryParameter.gattCaching
        .standard()
    /// What a restart does to the attributes.
    package var servicesAfterRestart: AccessoryParameter.ServicesAfterRestart = AccessoryParameter
        .servicesAfterRestart.standard()
    /// How phones can pair with it.
    package var pairing: AccessoryParameter.Pairing = AccessoryParameter.pairing.standard()
    /// What a user sees and presses during a pairing.
    package var pairingInterface: AccessoryParameter.PairingInterface = AccessoryParameter
        .pairingInterface.standard()
    /// Whether it shows a resolvable private address.
    package var hasPrivateAddress: Bool = AccessoryParameter.privateAddress.standard()
    /// Whether it asks each phone for security.
    package var requestsSecurity: Bool = AccessoryParameter.securityRequest.standard()
    /// Advertising interval at first.
    package var fastInterval: Nanoseconds = AccessoryParameter.fastInterval.standard()
    /// How long the first interval is kept.
    package var fastTime: Nanoseconds = AccessoryParameter.fastTime.standard()
    /// Advertising interval afterwards.
    package var slowInterval: Nanoseconds = AccessoryParameter.slowInterval.standard()
    /// How long the application needs for one message.
    package var handlingTime: Nanoseconds = AccessoryParameter.handlingTime.standard()
    /// How much longer it may need.
    package var handlingSlack: Nanoseconds = AccessoryParameter.handlingSlack.standard()
    /// When `accessoryUwbDidStart` is sent.
    package var acknowledgement: AccessoryParameter.Acknowledgement = AccessoryParameter.acknowledge
        .standard()
    /// How long the middleware takes from accepting the shareable data to asking the radio.
    package var startDelay: Nanoseconds = AccessoryParameter.startDelay.standard()
    /// How long all rounds may be misses until it stops.
    package var rangingTimeout: Nanoseconds = AccessoryParameter.rangingTimeout.standard()
    /// Whether and when the middleware's start fails.
    package var startFailure: AccessoryParameter.StartFailure = AccessoryParameter.startFailure
        .standard()
    /// How many starts fail; 0 is all.
    package var failingStarts: UInt64 = AccessoryParameter.startFailures.standard()
    /// Below this distance in millimetres the phone is notified; 0 is never.
    package var notifyDistance: UInt32 = AccessoryParameter.notifyDistance.standard()
    /// When the accessory asks for its own connection parameters; 0 is never.
    package var requestDelay: Nanoseconds = AccessoryParameter.requestDelay.standard()
    /// When it asks again after a refusal.
    package var requestRetry: Nanoseconds = AccessoryParameter.requestRetry.standard()
    /// Smallest connection interval it asks for.
    package var minimumInterval: Nanoseconds = AccessoryParameter.minimumInterval.standard()
    /// Largest connection interval it asks for.
    package var maximumInterval: Nanoseconds = AccessoryParameter.maximumInterval.standard()
    /// Peripheral latency it asks for, in connection events.
    package var latency: UInt16 = AccessoryParameter.latency.standard()
    /// Supervision timeout it asks for.
    package var supervisionTimeout: Nanoseconds = AccessoryParameter.supervisionTimeout.standard()
    /// The defects that are switched on, those of the profile first.
    package var defects: [AccessoryDefect] = []

    // What the rows say; made once, because every start begins with it.
    private static let standard = Self()
    private static let names = AccessoryParameter.allCases.map(\.rawValue)

    private init() {}

    /// The defaults of a profile.
    ///
    /// - Throws: `Refusal` for a name that is none of `AccessoryProfile`.
    package init(profile name: String) throws(Refusal) {
        guard let profile = AccessoryProfile(rawValue: name) else {
            throw .unknown(
                "profile", named: name, known: AccessoryProfile.allCases.map(\.rawValue))
        }
        self = .standard
        for (parameter, value) in profile.changes {
            try set(parameter, to: Pair(parameter.rawValue, value))
        }
        defects = profile.deviations
    }

    /// The parameters of one incarnation.
    ///
    /// - Throws: `Refusal` that names the nearest known profile, parameter, choice or defect, or the
    ///   range of a number.
    package init(_ reset: Reset) throws(Refusal) {
        try self.init(profile: reset.model)
        // Refuses what is unknown or given twice.
        _ = try Parameters(reset, known: Self.names + [MessageService.parameter])
        for pair in reset.parameters {
            if let parameter = AccessoryParameter(rawValue: pair.name) {
                try set(parameter, to: pair)
            } else if let service = MessageService(pair.value) {
                ownService = service
            }
        }
        for name in reset.defects {
            guard let defect = AccessoryDefect(rawValue: name) else {
                throw .unknown(
                    "defect", named: name, known: AccessoryDefect.allCases.map(\.rawValue))
            }
            if !has(defect) { defects.append(defect) }
        }
        guard minimumInterval <= maximumInterval else {
            throw Refusal(
                "the parameter \"connection-interval-min\" is above \"connection-interval-max\"")
        }
    }

    /// The service that carries the messages.
    var messageService: MessageService {
        switch service {
        case .qnis: .qorvo
        case .nus: .nordicUART
        case .own: ownService ?? .qorvo
        }
    }

    /// The first byte of each message.
    var messageNumbers: MessageNumbers { messageService.numbers }

    /// Whether a defect is switched on.
    package func has(_ defect: AccessoryDefect) -> Bool { defects.contains(defect) }
}
