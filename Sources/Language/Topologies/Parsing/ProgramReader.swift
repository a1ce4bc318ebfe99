import Basics
import Scenarios
import Vocabulary
import YAML

/// Reads which program plays a device: exactly one of `model`, `profile`, `run`, `hci` and `dials-in`.
struct ProgramReader {
    let program: DeviceSpec.Program
    let kind: Catalogue.Kind
    /// Environment variables beyond the usual few, as they are written.
    let environment: [String]

    /// The keys of which one decides what plays a device; a foreign program may have a model as well.
    private enum Choice: String, CaseIterable {
        case run, hci
        case dialsIn = "dials-in"
        case model, profile

        var kind: Catalogue.Kind {
            switch self {
            case .model: .appleDevice
            case .profile: .accessory
            case .run, .hci, .dialsIn: .foreign
            }
        }
    }

    init(_ mapping: YAMLMapping) throws(Problem) {
        let choices = [Choice.model, .profile, .run, .hci, .dialsIn].filter {
            mapping[$0.rawValue] != nil
        }
        let isForeign = choices.contains { $0.kind == .foreign }
        let deciding = isForeign ? choices.filter { $0 != .model } : choices
        guard deciding.count == 1, let node = mapping[deciding[0].rawValue] else {
            throw Self.undecided(mapping, among: deciding)
        }
        for (keys, owners) in [
            (["arguments", "environment"], ["run", "hci"]), (HostReader.keys, ["hci"]),
        ] {
            for key in keys where !owners.contains(where: { mapping[$0] != nil }) {
                guard let node = mapping.keyNode(key) else { continue }
                throw node.problem(
                    "`\(key)` belongs to \(owners.map { "`\($0)`" }.joined(separator: " or "))",
                    expected: owners.map { "`\($0):`" }.joined(separator: " or ") + " beside it")
            }
        }
        environment = try Self.environment(mapping)
        program =
            switch deciding[0] {
            case .model: .appleDevice(model: try Self.model(node))
            case .profile: .accessory(profile: try Self.profile(node))
            case .run: try Self.executable(node, in: mapping)
            case .hci:
                .host(
                    try HostReader.host(node, Self.arguments(mapping), in: mapping),
                    model: try Self.foreignModel(mapping))
            case .dialsIn: try Self.dialIn(node, in: mapping)
            }
        kind = deciding[0].kind
    }

    /// What seems to play a device that has a mistake.
    static func kind(ofUnread node: YAMLNode) -> Catalogue.Kind {
        guard case .mapping(let entries) = node.content else { return .foreign }
        let keys = entries.map(\.key)
        return Choice.allCases.first { keys.contains($0.rawValue) }?.kind ?? .foreign
    }

    private static func undecided(_ mapping: YAMLMapping, among choices: [Choice]) -> Problem {
        let expected = "one of model (an Apple device), profile (an accessory), run, hci, dials-in"
        guard let last = choices.last, let node = mapping.keyNode(last.rawValue) else {
            return mapping.node.problem("nothing says what plays this device", expected: expected)
        }
        return node.problem(
            "a device cannot have both `\(choices[0].rawValue)` and `\(last.rawValue)`",
            expected: expected)
    }

    private static func model(_ node: YAMLNode) throws(Problem) -> String {
        let name = try node.text("model", expected: "a model, like iPhone 15")
        guard let model = Catalogue.model(named: name) else {
            let known = Catalogue.models.flatMap { [$0.name, $0.identifier] }
            throw node.problem(
                "`\(name)` is not a model", expected: "a model, like iPhone 15 or iPhone15,4",
                suggestion: Suggestion.nearest(to: name, among: known))
        }
        return model.identifier
    }

    private static func profile(_ node: YAMLNode) throws(Problem) -> String {
        try node.choice("profile", of: Catalogue.profiles.map(\.name))
    }

    private static func executable(
        _ node: YAMLNode, in mapping: YAMLMapping
    ) throws(Problem) -> DeviceSpec.Program {
        .executable(
            path: try node.text("run", expected: "the path of a program"),
            arguments: try arguments(mapping), model: try foreignModel(mapping))
    }

    private static func arguments(_ mapping: YAMLMapping) throws(Problem) -> [String] {
        var arguments: [String] = []
        if let list = mapping["arguments"] {
            for item in try list.list("arguments", expected: "a list of texts") {
                arguments.append(try item.plainText("arguments"))
            }
        }
        return arguments
    }

    /// `NAME` takes one of ours over, `NAME=VALUE` sets one, and so does `NAME: VALUE`.
    private static func environment(_ mapping: YAMLMapping) throws(Problem) -> [String] {
        guard let node = mapping["environment"] else { return [] }
        let expected =
            "a list of variables, like [HTTP_PROXY, MODE=test], or a mapping, like {MODE: test}"
        var items: [String] = []
        var names: Set<Substring> = []
        for (item, text) in try variables(node, expected: expected) {
            let name = text.prefix { $0 != "=" }
            guard let first = name.first, first.isASCII, first.isLetter || first == "_",
                name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
            else { throw item.problem("`\(name)` names no variable", expected: expected) }
            guard !name.hasPrefix("ANECHOIC_") else {
                throw item.problem("`\(name)` is set by the orchestrator", expected: "another name")
            }
            guard names.insert(name).inserted else {
                throw item.problem("`\(name)` stands twice in `environment`")
            }
            items.append(text)
        }
        return items
    }

    private static func variables(
        _ node: YAMLNode, expected: String
    ) throws(Problem) -> [(YAMLNode, String)] {
        var variables: [(YAMLNode, String)] = []
        if case .mapping(let entries) = node.content {
            for entry in entries {
                let value = try entry.value.plainText("environment")
                variables.append((entry.keyNode, "\(entry.key)=\(value)"))
            }
        } else {
            for item in try node.list("environment", expected: expected) {
                variables.append((item, try item.plainText("environment")))
            }
        }
        return variables
    }

    private static func dialIn(
        _ node: YAMLNode, in mapping: YAMLMapping
    ) throws(Problem) -> DeviceSpec.Program {
        guard try node.flag("dials-in") else {
            throw mapping.node.problem(
                "`dials-in: false` says nothing about what plays this device",
                expected: "dials-in: true, or one of model, profile, run, hci")
        }
        return .dialsIn(model: try foreignModel(mapping))
    }

    /// An Apple device goes over the link by its identifier, whatever plays it; any other model is handed
    /// to a foreign program as it is written.
    private static func foreignModel(_ mapping: YAMLMapping) throws(Problem) -> String {
        let name = try mapping["model"]?.text("model") ?? ""
        return Catalogue.model(named: name)?.identifier ?? name
    }
}
