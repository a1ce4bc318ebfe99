package import AccessoryProtocol
package import DeviceKit
package import Vocabulary

/// Everything that a topology can set about an accessory, checked.
///
/// What each is says the row of `AccessoryParameter` that it begins with; durations are nanoseconds, lengths millimetres.
package struct AccessoryParameters: Equatable, Sendable {
    package var transport: DataLinkTransport = AccessoryParameter.transport.standard()
    package var service: AccessoryParameter.Service = AccessoryParameter.service.standard()
    /// The topology's own service for messages; nil where it has none for this accessory.
    package var ownService: MessageService?
    package var advertised: AccessoryParameter.Advertised = AccessoryParameter.advertised.standard()
    package var messageLength: AccessoryParameter.MessageLength = AccessoryParameter.messageLength
        .standard()
    package var mtu: Int = AccessoryParameter.mtu.standard()
    package var links: Int = AccessoryParameter.links.standard()
    package var version: UWBVersion = AccessoryParameter.uwbVersion.standard()
    package var updateRate = AccessoryParameter.updateRate.standard(of: updateRates)
    package var isInitiator = AccessoryParameter.rangingRole.standard(of: rangingRoles)
    package var hasNearbyInteraction = AccessoryParameter.nearbyInteraction.standard(of: presences)
    package var multiples: Int = AccessoryParameter.multiples.standard()
    package var hasOwnCharacteristic: Bool = AccessoryParameter.ownCharacteristic.standard()
    package var gattCaching: AccessoryParameter.GATTCaching = AccessoryParameter.gattCaching
        .standard()
    package var servicesAfterRestart: AccessoryParameter.ServicesAfterRestart = AccessoryParameter
        .servicesAfterRestart.standard()
    package var pairing: AccessoryParameter.Pairing = AccessoryParameter.pairing.standard()
    package var pairingInterface: AccessoryParameter.PairingInterface = AccessoryParameter
        .pairingInterface.standard()
    package var hasPrivateAddress: Bool = AccessoryParameter.privateAddress.standard()
    package var requestsSecurity: Bool = AccessoryParameter.securityRequest.standard()
    package var fastInterval: Nanoseconds = AccessoryParameter.fastInterval.standard()
    package var fastTime: Nanoseconds = AccessoryParameter.fastTime.standard()
    package var slowInterval: Nanoseconds = AccessoryParameter.slowInterval.standard()
    package var handlingTime: Nanoseconds = AccessoryParameter.handlingTime.standard()
    package var handlingSlack: Nanoseconds = AccessoryParameter.handlingSlack.standard()
    package var configuration: AccessoryParameter.ConfigurationData = AccessoryParameter
        .configuration.standard()
    package var acknowledgement: AccessoryParameter.Acknowledgement = AccessoryParameter.acknowledge
        .standard()
    package var startDelay: Nanoseconds = AccessoryParameter.startDelay.standard()
    package var rangingTimeout: Nanoseconds = AccessoryParameter.rangingTimeout.standard()
    package var startFailure: AccessoryParameter.StartFailure = AccessoryParameter.startFailure
        .standard()
    package var failingStarts: UInt64 = AccessoryParameter.startFailures.standard()
    package var wrongAfter: Nanoseconds = AccessoryParameter.wrongAfter.standard()
    package var notifyDistance: UInt32 = AccessoryParameter.notifyDistance.standard()
    package var requestDelay: Nanoseconds = AccessoryParameter.requestDelay.standard()
    package var requestRetry: Nanoseconds = AccessoryParameter.requestRetry.standard()
    package var minimumInterval: Nanoseconds = AccessoryParameter.minimumInterval.standard()
    package var maximumInterval: Nanoseconds = AccessoryParameter.maximumInterval.standard()
    package var latency: UInt16 = AccessoryParameter.latency.standard()
    package var supervisionTimeout: Nanoseconds = AccessoryParameter.supervisionTimeout.standard()
    /// The defects that are switched on, those of the profile first.
    package var defects: [AccessoryDefect] = []

    // What the rows say; made once, because every start begins with it. An initialiser would make it
    // again before it copied this one, so functions give parameters.
    private static let standard = Self()
    private static let names = AccessoryParameter.allCases.map(\.rawValue)

    private init() {}

    /// The defaults of a profile.
    ///
    /// - Throws: `Refusal` for a name that is none of `AccessoryProfile`.
    package static func defaults(of name: String) throws(Refusal) -> Self {
        guard let profile = AccessoryProfile(rawValue: name) else {
            throw .unknown(
                "profile", named: name, known: AccessoryProfile.allCases.map(\.rawValue))
        }
        var parameters = standard
        for (parameter, value) in profile.changes {
            try parameters.set(parameter, to: Pair(parameter.rawValue, value))
        }
        parameters.defects = profile.deviations
        return parameters
    }

    /// The parameters of one incarnation.
    ///
    /// - Throws: `Refusal` that names the nearest known profile, parameter, choice or defect, or the
    ///   range of a number.
    package static func read(_ reset: Reset) throws(Refusal) -> Self {
        var parameters = try defaults(of: reset.model)
        try parameters.take(reset)
        return parameters
    }

    private mutating func take(_ reset: Reset) throws(Refusal) {
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

    var messageService: MessageService {
        switch service {
        case .qnis: .qorvo
        case .nus: .nordicUART
        case .own: ownService ?? .qorvo
        }
    }

    /// The first byte of each message.
    var messageNumbers: MessageNumbers { messageService.numbers }

    package func has(_ defect: AccessoryDefect) -> Bool { defects.contains(defect) }
}
