package import DeviceLink

/// What a topology may name: models, profiles, their parameters, defects and commands, promises.
///
/// The devices know the same names (their `Refusal` has the last word); the catalogue exists so that
/// `check` finds a mistake without starting a process, and so that an editor can complete.
package enum Catalogue {
    /// Whose parameters, defects and commands are meant.
    package enum Kind: String, CaseIterable, Sendable {
        case appleDevice = "an Apple device"
        case accessory = "an accessory"
        /// Somebody else's program: nothing is known about it.
        case foreign = "somebody else's program"
    }

    package struct Parameter: Equatable, Sendable {
        /// As written in a file.
        package var name: String
        package var values: Values
        /// What it is where the file is silent, as written in a file.
        package var standard: String
        package var explanation: String
    }

    package enum Values: Equatable, Sendable {
        /// A duration; handed over in nanoseconds.
        case duration(ClosedRange<Nanoseconds>)
        /// A length; handed over in millimetres.
        case length(ClosedRange<Int64>)
        case number(ClosedRange<Int64>)
        /// One of these words.
        case choice([String])
        case flag
        case text
        /// Names of devices of the topology; handed over separated by commas.
        case devices
    }

    package struct Term: Equatable, Sendable {
        package var name: String
        package var explanation: String
    }

    /// The parameters of a kind of device, in the order of the documentation.
    package static func parameters(of kind: Kind) -> [Parameter] {
        switch kind {
        case .appleDevice: appleParameters
        case .accessory: accessoryParameters
        case .foreign: []
        }
    }

    private static let accessoryParameters = AccessoryParameter.allCases.map {
        Parameter($0, standard: $0.standardText)
    }

    /// The parameters by which we pair on behalf of an accessory that somebody else wrote.
    package static let securityParameters = accessoryParameters.filter {
        [AccessoryParameter.pairing, .pairingInterface, .securityRequest].map(\.rawValue)
            .contains($0.name)
    }

    /// The defects that can be switched on in a kind of device.
    package static func defects(of kind: Kind) -> [Term] {
        switch kind {
        case .appleDevice: appleDefects
        case .accessory: accessoryDefects
        case .foreign: []
        }
    }

    private static let accessoryDefects = AccessoryDefect.terms

    package static let profiles = AccessoryProfile.allCases.map {
        Term(name: $0.rawValue, explanation: $0.explanation)
    }

    /// Those of them that are the reference, and no vendor's.
    package static let referenceProfiles = AccessoryProfile.allCases.filter { !$0.isVendors }
        .map(\.rawValue)
}
