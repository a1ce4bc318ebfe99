/// One way in which a sweep of single faults strikes with a verb.
package struct SweepForm: Equatable, Sendable {
    /// Whom it strikes: each of them once at every moment.
    package enum Targets: Equatable, Sendable {
        /// Every Apple device with every accessory, once.
        case pairs
        /// The same, once from each to the other.
        case ways
        /// Every device by itself.
        case devices
        /// Every Apple device by itself.
        case appleDevices
    }

    /// What stands beside the verb.
    package enum Modifiers: Equatable, Sendable {
        /// As a step has it: `ratio: 1/2`.
        case written(String)
        /// A place that no radio of the topology reaches, and for the end a step back.
        case outOfReachAndBack
    }

    /// What it is told as: `partition-one-way`.
    package var kind: String
    /// Whom it strikes.
    package var targets: Targets
    /// What stands beside the verb; empty for nothing.
    package var modifiers: Modifiers
    /// Whether it lasts, for as long as the sweep says.
    package var lasts: Bool

    /// A form of the kind that the verb's own name is.
    package static func on(
        _ targets: Targets, _ modifiers: String = "", kind: String = "", lasts: Bool = false
    ) -> SweepForm {
        SweepForm(kind: kind, targets: targets, modifiers: .written(modifiers), lasts: lasts)
    }

    /// The same for a fault that lasts.
    package static func during(
        _ targets: Targets, _ modifiers: String = "", kind: String = ""
    ) -> SweepForm {
        on(targets, modifiers, kind: kind, lasts: true)
    }
}
