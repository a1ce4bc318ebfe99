/// How faults at random strike with a verb, on whom and for how long a run draws.
package struct RandomFaultForm: Equatable, Sendable {
    /// The kind, as `faults:` has it; the verb where nothing else is said.
    package private(set) var name: String
    package var explanation: String
    /// What stands beside the verb.
    package var settings: [VerbSetting.Name: VerbSetting.Value]
    /// A setting that each fault draws: its name, and of how many values from 0.
    package var draws: Drawn?
    private var verbName: VerbName?

    /// A setting whose value is drawn.
    package struct Drawn: Equatable, Sendable {
        package var name: VerbSetting.Name
        /// Of how many numbers from 0.
        package var below: Int64
    }

    static func with(
        _ explanation: String, _ settings: [VerbSetting.Name: VerbSetting.Value] = [:],
        as name: String = "", drawing drawn: Drawn? = nil
    ) -> RandomFaultForm {
        RandomFaultForm(
            name: name, explanation: explanation, settings: settings, draws: drawn, verbName: nil)
    }

    func named(_ verb: VerbName) -> RandomFaultForm {
        var form = self
        form.verbName = verb
        if form.name.isEmpty { form.name = verb.rawValue }
        return form
    }

    package var verb: VerbForm {
        guard let verbName else { preconditionFailure("`\(name)` stands beside no verb") }
        return verbName.form
    }

    /// The kinds, in the order of the verbs: what a seed draws depends on it.
    package static let all: [RandomFaultForm] = VerbName.allCases.compactMap(\.form.random)

    /// The kind of this name; nil for an unknown one.
    package static func named(_ name: String) -> RandomFaultForm? { all.first { $0.name == name } }
}
