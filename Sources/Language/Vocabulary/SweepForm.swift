/// One way in which a sweep strikes with a verb: on everybody that it can be done to, once at every moment or at each
/// occurrence of something, and where it lasts for as long as the sweep says.
package struct SweepForm: Equatable, Sendable {
    /// What stands beside the verb.
    package enum Modifiers: Equatable, Sendable {
        case settings([VerbSetting.Name: VerbSetting.Value])
        /// A place that no radio of the topology reaches, and for the end a step back.
        case outOfReachAndBack
    }

    /// What it is reported as: `partition-one-way`; the verb where nothing else is said.
    package private(set) var kind: String
    /// Whether it strikes from each device to the other, and not once between the two.
    package var isEachWay: Bool
    /// What stands beside the verb.
    package var modifiers: Modifiers

    static func with(
        _ settings: [VerbSetting.Name: VerbSetting.Value] = [:], as kind: String = "",
        eachWay isEachWay: Bool = false
    ) -> SweepForm {
        SweepForm(kind: kind, isEachWay: isEachWay, modifiers: .settings(settings))
    }

    static let outOfReachAndBack = SweepForm(
        kind: "", isEachWay: false, modifiers: .outOfReachAndBack)

    func named(_ name: String) -> SweepForm {
        var form = self
        if form.kind.isEmpty { form.kind = name }
        return form
    }
}
