package import DeviceLink

/// A row of the table of verbs: all that anybody has to know of a verb but what it does.
///
/// The reader, the schema, `anechoic help verbs`, the sweep, random faults and shrink's weaker faults take
/// from here what they know.
package struct VerbForm: Equatable, Sendable {
    /// What stands after the verb.
    package enum Target: Equatable, Sendable {
        case pair
        case device
        /// One device of these kinds, which understands the command.
        case command([Catalogue.Kind])
    }

    /// What a device is told.
    package struct Command: Equatable, Sendable {
        package var name: String
        package var arguments: [Pair]

        package init(name: String, arguments: [Pair] = []) {
            self.name = name
            self.arguments = arguments
        }
    }

    /// What ends what the verb began.
    package enum End: Equatable, Sendable {
        /// Nothing, or nothing was begun.
        case none
        /// The verb itself knows how long it lasts, and has another that ends it sooner, if any.
        case itself(or: VerbName?)
        /// Another verb; `for:` says when that one follows.
        case verb(VerbName)
    }

    package var name: VerbName
    package var target: Target
    /// What may stand beside it, what must first.
    package var settings: [VerbSetting]
    package var end: End
    package var explanation: String
    /// How a sweep strikes with it; empty where it does not: what ends another verb,
    /// what is no disturbance (`start`, `allow`), what another one does nearly as well (`jetsam`, `bluetooth-reset`, `find-my`),
    /// and what nobody knows the meaning of (`command`).
    package var sweep: [SweepForm]
    /// How faults at random strike with it; nil where they do not.
    package var random: RandomFaultForm?
    /// What does less harm, for shrink, the least first.
    package var weaker: [WeakerFault]
    /// What the device is told, without what may stand beside the verb; nil for a verb that is no command,
    /// or any.
    package var command: Command?

    init(
        _ name: VerbName, _ target: Target, _ explanation: String, _ settings: [VerbSetting] = [],
        end: End = .none, telling command: Command? = nil, sweep: [SweepForm] = [],
        random: RandomFaultForm? = nil, weaker: [WeakerFault] = []
    ) {
        self.name = name
        self.target = target
        self.explanation = explanation
        self.settings = settings
        self.end = end
        if case .none = end {} else { self.settings.append(.lasting) }
        if case .command = target, name != .command {
            self.command = command ?? Command(name: name.rawValue)
        }
        self.sweep = sweep.map { $0.named(name.rawValue) }
        self.random = random?.named(name)
        self.weaker = weaker
    }
}

extension VerbForm {
    /// The verb that ends what this one began; nil where none does.
    package var undo: VerbName? {
        switch end {
        case .none: nil
        case .itself(let other): other
        case .verb(let other): other
        }
    }

    /// The verb that follows when `for:` is over; nil where the verb ends by itself.
    package var following: VerbName? {
        if case .verb(let other) = end { other } else { nil }
    }

    /// Whether it takes `for:`.
    package var lasts: Bool { end != .none }

    /// The keys that may stand beside it.
    package var modifiers: [String] { settings.map(\.name.rawValue) }

    /// The keys that must stand beside it.
    package var required: [String] { settings.filter(\.isRequired).map(\.name.rawValue) }

    /// What stands behind a key; nil for one that the verb does not take.
    package subscript(name: VerbSetting.Name) -> VerbSetting? {
        settings.first { $0.name == name }
    }

    /// The kinds of devices that it can be done to, or to one of two such.
    package var hits: [Catalogue.Kind] {
        if case .command(let kinds) = target { kinds } else { Catalogue.Kind.allCases }
    }
}

extension VerbName {
    package var form: VerbForm {
        guard let form = Self.forms[self] else { preconditionFailure("`\(self)` has no row") }
        return form
    }

    /// Looked up only.
    private static let forms = Dictionary(uniqueKeysWithValues: VerbForm.all.map { ($0.name, $0) })
}

extension VerbForm {
    /// The row of the verb of this name; nil for an unknown one.
    package static func named(_ name: String) -> VerbForm? { VerbName(rawValue: name)?.form }

    /// The row of the verb by which a device is told just this; nil where there is none.
    package static func telling(_ command: Command) -> VerbForm? {
        all.first { $0.command == command }
    }

    /// The verbs that `for:` lets follow another one.
    package static let endings = all.compactMap(\.following).map(\.form)
}
