import AccessoryProtocol
import DeviceKit
package import Vocabulary

/// Everything that a topology can set about an accessory, checked.
///
/// The names, ranges and defaults are those of `AccessoryParameter`; durations come as nanoseconds, lengths as
/// millimetres.
package struct AccessoryParameters: Equatable, Sendable {
    // What each of them is, and in which unit, its row says.
    private typealias Row = AccessoryParameter
    package var transport: DataLinkTransport = Row.transport.standard()
    package var service: AccessoryParameter.Service = Row.service.standard()
    /// The topology's own service for messages; nil where it has none for this accessory.
    package var ownService: MessageService?
    package var advertised: AccessoryParameter.Advertised = Row.advertised.standard()
    package var messageLength: AccessoryParameter.MessageLength = Row.messageLength.standard()
    package var mtu: Int = Row.mtu.standard()
    package var links: Int = Row.links.standard()
    package var version: UWBVersion = Row.uwbVersion.standard()
    package var updateRate = Row.updateRate.standard(of: Self.updateRates)
    package var isInitiator = Row.rangingRole.standard(of: Self.rangingRoles)
    package var hasNearbyInteraction = Row.nearbyInteraction.standard(of: Self.presences)
    package var multiples: Int = Row.multiples.standard()
    package var gattCaching: AccessoryParameter.GATTCaching = Row.gattCaching.standard()
    package var servicesAfterRestart: AccessoryParameter.ServicesAfterRestart = Row
        .servicesAfterRestart.standard()
    package var pairing: AccessoryParameter.Pairing = Row.pairing.standard()
    package var pairingInterface: AccessoryParameter.PairingInterface = Row.pairingInterface
        .standard()
    package var hasPrivateAddress: Bool = Row.privateAddress.standard()
    package var requestsSecurity: Bool = Row.securityRequest.standard()
    package var fastInterval: Nanoseconds = Row.fastInterval.standard()
    package var fastTime: Nanoseconds = Row.fastTime.standard()
    package var slowInterval: Nanoseconds = Row.slowInterval.standard()
    package var handlingTime: Nanoseconds = Row.handlingTime.standard()
    package var handlingSlack: Nanoseconds = Row.handlingSlack.standard()
    package var acknowledgement: AccessoryParameter.Acknowledgement = Row.acknowledge.standard()
    package var startDelay: Nanoseconds = Row.startDelay.standard()
    package var rangingTimeout: Nanoseconds = Row.rangingTimeout.standard()
    package var startFailure: AccessoryParameter.StartFailure = Row.startFailure.standard()
    package var failingStarts: UInt64 = Row.startFailures.standard()
    package var notifyDistance: UInt32 = Row.notifyDistance.standard()
    package var requestDelay: Nanoseconds = Row.requestDelay.standard()
    package var requestRetry: Nanoseconds = Row.requestRetry.standard()
    package var minimumInterval: Nanoseconds = Row.minimumInterval.standard()
    package var maximumInterval: Nanoseconds = Row.maximumInterval.standard()
    package var latency: UInt16 = Row.latency.standard()
    package var supervisionTimeout: Nanoseconds = Row.supervisionTimeout.standard()
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
