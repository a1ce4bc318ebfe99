/// The profiles of the reference accessory: what kind of firmware it has.
package enum AccessoryProfile: String, CaseIterable, Sendable {
    case qorvo
    case multi

    /// What it is, in a sentence.
    package var explanation: String {
        switch self {
        case .qorvo: "One phone at a time, one session, ATT MTU 100."
        case .multi: "Up to five phones at a time, a session each, ATT MTU 247."
        }
    }

    /// The numbers that are others than the rows of the parameters say.
    package var changes: [(parameter: AccessoryParameter, number: UInt64)] {
        switch self {
        case .qorvo: []
        case .multi: [(.links, 5), (.mtu, 247)]
        }
    }

    /// The number that a parameter is by default; nil where it is what its row says.
    func change(of parameter: AccessoryParameter) -> UInt64? {
        changes.first { $0.parameter == parameter }?.number
    }
}
