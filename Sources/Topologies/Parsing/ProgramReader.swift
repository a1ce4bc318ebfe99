/// Reads which program plays a device: exactly one of `model`, `profile`, `run` and `dials-in`.
struct ProgramReader {
    let program: DeviceSpec.Program
    let kind: Catalogue.Kind

    init(_ mapping: YAMLMapping) throws(Problem) {
        let choices = ["model", "profile", "run", "dials-in"].filter { mapping[$0] != nil }
        let isForeign = choices.contains("run") || choices.contains("dials-in")
        let deciding = isForeign ? choices.filter { $0 != "model" } : choices
        guard deciding.count == 1 else { throw Self.undecided(mapping, deciding) }
        if let node = mapping.keyNode("arguments"), mapping["run"] == nil {
            throw node.problem("`arguments` belongs to `run`", expected: "`run:` beside it")
        }
        switch deciding[0] {
        case "model": program = .appleDevice(model: try Self.model(mapping))
        case "profile": program = .accessory(profile: try Self.profile(mapping))
        case "run": program = try Self.executable(mapping)
        default: program = try Self.dialIn(mapping)
        }
        kind = Self.kind(deciding[0])
    }

    private static func kind(_ key: String) -> Catalogue.Kind {
        switch key {
        case "model": .appleDevice
        case "profile": .accessory
        default: .foreign
        }
    }

    private static func undecided(_ mapping: YAMLMapping, _ choices: [String]) -> Problem {
        let expected = "one of model (an Apple device), profile (an accessory), run, dials-in"
        guard let last = choices.last, let node = mapping.keyNode(last) else {
            return mapping.node.problem("nothing says what plays this device", expected: expected)
        }
        return node.problem(
            "a device cannot have both `\(choices[0])` and `\(last)`", expected: expected)
    }

    private static func model(_ mapping: YAMLMapping) throws(Problem) -> String {
        guard let node = mapping["model"] else { return "" }
        let name = try node.text("model", expected: "a model, like iPhone 15")
        guard let model = Catalogue.model(named: name) else {
            let known = Catalogue.models.flatMap { [$0.name, $0.identifier] }
            throw node.problem(
                "`\(name)` is not a model", expected: "a model, like iPhone 15 or iPhone15,4",
                suggestion: Suggestion.nearest(to: name, among: known))
        }
        return model.identifier
    }

    private static func profile(_ mapping: YAMLMapping) throws(Problem) -> String {
        guard let node = mapping["profile"] else { return "" }
        return try node.choice("profile", of: Catalogue.profiles.map(\.name))
    }

    private static func executable(_ mapping: YAMLMapping) throws(Problem) -> DeviceSpec.Program {
        guard let node = mapping["run"] else { preconditionFailure("`run` was there") }
        var arguments: [String] = []
        if let list = mapping["arguments"] {
            for item in try list.list("arguments", expected: "a list of texts") {
                arguments.append(try item.plainText("arguments"))
            }
        }
        return .executable(
            path: try node.text("run", expected: "the path of a program"), arguments: arguments,
            model: try foreignModel(mapping))
    }

    private static func dialIn(_ mapping: YAMLMapping) throws(Problem) -> DeviceSpec.Program {
        guard let node = mapping["dials-in"], try node.flag("dials-in") else {
            throw mapping.node.problem(
                "`dials-in: false` says nothing about what plays this device",
                expected: "dials-in: true, or one of model, profile, run")
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
