import AccessoryProtocol
import DeviceKit
import Vocabulary

extension AccessoryParameters {
    static let updateRates: [(String, PreferredUpdateRate)] = [
        ("automatic", .automatic), ("infrequent", .infrequent),
        ("user-interactive", .userInteractive),
    ]
    static let rangingRoles = [("initiator", true), ("responder", false)]

    static let flags = [("true", true), ("false", false)]
    static let presences = [("present", true), ("absent", false)]

    /// Sets a parameter to what a pair says.
    ///
    /// - Throws: `Refusal` where the value is none of its range.
    mutating func set(_ parameter: AccessoryParameter, to pair: Pair) throws(Refusal) {
        func number() throws(Refusal) -> UInt64 { try pair.number(in: parameter.range) }
        switch parameter {
        case .transport: transport = try pair.choice()
        case .service: service = try pair.choice()
        case .advertised: advertised = try pair.choice()
        case .messageLength: messageLength = try pair.choice()
        case .mtu: mtu = Int(try number())
        case .links: links = Int(try number())
        case .uwbVersion: version = try pair.choice()
        case .updateRate: updateRate = try pair.choice(of: Self.updateRates)
        case .rangingRole: isInitiator = try pair.choice(of: Self.rangingRoles)
        case .nearbyInteraction: hasNearbyInteraction = try pair.choice(of: Self.presences)
        case .multiples: multiples = Int(try number())
        case .ownCharacteristic: hasOwnCharacteristic = try pair.choice(of: Self.flags)
        case .gattCaching: gattCaching = try pair.choice()
        case .servicesAfterRestart: servicesAfterRestart = try pair.choice()
        case .pairing: pairing = try pair.choice()
        case .pairingInterface: pairingInterface = try pair.choice()
        case .privateAddress: hasPrivateAddress = try pair.choice(of: Self.flags)
        case .securityRequest: requestsSecurity = try pair.choice(of: Self.flags)
        case .handlingTime: handlingTime = try number()
        case .handlingSlack: handlingSlack = try number()
        case .notifyDistance: notifyDistance = UInt32(try number())
        case .configuration: configuration = try pair.choice()
        case .acknowledge: acknowledgement = try pair.choice()
        case .startDelay: startDelay = try number()
        case .rangingTimeout: rangingTimeout = try number()
        case .startFailure: startFailure = try pair.choice()
        case .startFailures: failingStarts = try number()
        case .wrongAfter: wrongAfter = try number()
        case .fastInterval: fastInterval = try number()
        case .fastTime: fastTime = try number()
        case .slowInterval: slowInterval = try number()
        case .requestDelay: requestDelay = try number()
        case .requestRetry: requestRetry = try number()
        case .minimumInterval: minimumInterval = try number()
        case .maximumInterval: maximumInterval = try number()
        case .latency: latency = UInt16(try number())
        case .supervisionTimeout: supervisionTimeout = try number()
        }
    }
}

extension Pair {
    /// The whole number that the value is.
    fileprivate func number(in range: ClosedRange<UInt64>) throws(Refusal) -> UInt64 {
        guard let number = UInt64(value), range.contains(number) else {
            throw Refusal(
                "the parameter \"\(name)\" is \"\(value)\", but a whole number from "
                    + "\(range.lowerBound) to \(range.upperBound) was expected")
        }
        return number
    }

    /// The case whose raw value the value is.
    fileprivate func choice<Choice: CaseIterable & RawRepresentable<String>>() throws(Refusal)
        -> Choice
    {
        try choice(of: Choice.allCases.map { ($0.rawValue, $0) })
    }

    /// What the word stands for that the value is.
    fileprivate func choice<Choice>(of choices: [(String, Choice)]) throws(Refusal) -> Choice {
        guard let chosen = choices.first(where: { $0.0 == value }) else {
            throw Refusal(
                "the parameter \"\(name)\" is \"\(value)\", but one of "
                    + "\(choices.map(\.0).joined(separator: ", ")) was expected")
        }
        return chosen.1
    }
}
