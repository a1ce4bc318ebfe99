import Vocabulary

/// The keys that each mapping of a topology file may have, in the order of the documentation.
package enum TopologyKeys {
    package static let topology = [
        "about", "length", "devices", "services", "air", "walls", "links", "steps", "faults",
        "fluents",
        "promises", "expect",
    ]

    /// A device, whatever plays it; parameters of its kind come on top.
    package static let device = [
        "model", "profile", "run", "hci", "arguments", "environment", "listen", "dial",
        "clock", "children", "uci", "dials-in", "count", "at", "grid", "heading",
        "orientation", "light", "path", "start",
        "bonded", "answers-within", "defects", "parameters",
    ]

    static let service = serviceUUIDs + ["messages"]

    /// What a service for messages cannot be without.
    static let serviceUUIDs = ["service", "receive", "transmit"]

    package static let leg = ["from", "to", "at"]

    package static let wall = ["from", "to"]

    package static let grid = ["from", "columns", "spacing"]

    enum Air: String, CaseIterable {
        case bluetoothRange = "bluetooth-range"
        case loss
        case hostDelay = "host-delay"
        case queueDelay = "queue-delay"
        case eventCapacity = "event-capacity"
        case uwbRange = "uwb-range"
        case uwbFieldOfView = "uwb-field-of-view"
        case uwbNoise = "uwb-noise"
        case uwbLoss = "uwb-loss"
        case uwbExtendedRange = "uwb-extended-range"
        case uwbExtendedLoss = "uwb-extended-loss"
        case uwbEndHeard = "uwb-end-heard"
        case uwbStrideAfter = "uwb-stride-after"
        case networkDelay = "network-delay"
        case networkLoss = "network-loss"
        case networkTimeout = "network-timeout"
    }

    package static let air = Air.allCases.map(\.rawValue)

    package static let link = ["between", "loss", "host-delay", "event-capacity", "obstructed"]

    /// When a step is done.
    package static let moment = ["at", "when", "after", "skip", "times"]

    /// A step: a moment, a verb and what belongs to it.
    package static let step = moment + VerbName.allCases.map(\.rawValue) + VerbSetting.Name.words

    package static let faults = ["between", "swarm", "heal"] + RandomFaultForm.all.map(\.name)

    package static func fault(lasts: Bool) -> [String] {
        lasts ? ["ratio", "for", "devices"] : ["ratio", "devices"]
    }
}
