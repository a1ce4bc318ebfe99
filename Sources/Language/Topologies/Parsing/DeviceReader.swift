import Basics
import DeviceLink
import PromiseLibrary
import Scenarios
import Vocabulary
import YAML

/// Reads one entry of `devices:`.
struct DeviceReader {
    let mapping: YAMLMapping
    let program: ProgramReader
    private let length: Nanoseconds
    private var parameters: [Pair] = []
    /// How we pair on behalf of somebody else's accessory.
    private var security: [Pair] = []
    /// Parameters whose value names devices, to be looked up once all are known.
    private(set) var references: [(name: String, node: YAMLNode)] = []

    init(_ node: YAMLNode, length: Nanoseconds) throws(Problem) {
        let known = TopologyKeys.device + Self.parameterNames(in: node)
        do {
            mapping = try YAMLMapping(node, of: "a device", keys: known)
        } catch {
            throw Self.explained(error, at: node, known: known)
        }
        program = try ProgramReader(mapping)
        self.length = length
        var mistakes = Mistakes()
        let parameters = Catalogue.parameters(of: program.kind)
        for key in mapping.keys {
            guard let parameter = parameters.first(where: { $0.name == key }) else { continue }
            mistakes.attempt { () throws(Problem) in try read(parameter) }
        }
        mistakes.attempt { () throws(Problem) in try readForeignParameters() }
        if program.kind == .foreign {
            mistakes.attempt { () throws(Problem) in try readSecurity() }
        }
        try mistakes.check()
    }

    /// The problem of an unknown key, which may be a parameter of the other kind of device.
    private static func explained(
        _ problem: Problem, at node: YAMLNode, known: [String]
    ) -> Problem {
        guard case .mapping(let entries) = node.content,
            let entry = entries.first(where: { !known.contains($0.key) }),
            let owner = Catalogue.Kind.allCases.first(where: { kind in
                Catalogue.parameters(of: kind).contains { $0.name == entry.key }
            })
        else { return problem }
        let isSomebodyElses = entries.contains { ["run", "hci", "dials-in"].contains($0.key) }
        let place = owner == .accessory ? "`profile:` beside it" : "`model:` beside it"
        var explained = entry.keyNode.problem(
            "`\(entry.key)` is a parameter of \(owner.rawValue)",
            expected: isSomebodyElses
                ? "it among `parameters:`, which a program of somebody else's is told" : place)
        explained.others = problem.others
        return explained
    }

    /// The device, the `number`th of its group.
    func device(name: String, number: Int, inRow row: Position) throws(Problem) -> DeviceSpec {
        var device = DeviceSpec(name: name, program: program.program)
        var mistakes = Mistakes()
        mistakes.attempt { () throws(Problem) in
            device.position = try position(number: number) ?? row
        }
        mistakes.attempt { () throws(Problem) in
            device.heading = try mapping["heading"]?.angle("heading", in: -36_000...36_000) ?? 0
        }
        mistakes.attempt { () throws(Problem) in
            let held = try mapping["orientation"]?.choice(
                "orientation", of: VerbSetting.Orientation.words)
            device.isUpright = held != VerbSetting.Orientation.landscape.rawValue
        }
        mistakes.attempt { () throws(Problem) in
            if let node = mapping["light"] {
                device.light = UInt32(try node.integer("light", in: VerbSetting.lights))
            }
        }
        mistakes.attempt { () throws(Problem) in device.path = try path() }
        device.parameters = parameters
        device.security = security
        device.environment = program.environment
        mistakes.attempt { () throws(Problem) in device.defects = try defects() }
        mistakes.attempt { () throws(Problem) in
            device.start = try mapping["start"].read("start", moment) ?? 0
        }
        mistakes.attempt { () throws(Problem) in
            device.answersWithin = try answersWithin()
        }
        try mistakes.check()
        return device
    }

    private func answersWithin() throws(Problem) -> Nanoseconds? {
        guard let node = mapping["answers-within"] else { return nil }
        guard program.kind != .appleDevice else {
            throw node.problem(
                "`answers-within` is of accessories", expected: "none for an Apple device")
        }
        return try node.duration("answers-within", in: DeviceSpec.answerTimes)
    }

    /// How many devices the entry stands for; nil where it is one with its own name.
    func count() throws(Problem) -> Int? {
        guard let node = mapping["count"] else { return nil }
        return Int(try node.integer("count", in: 1...Int64(TopologyLimits.devices)))
    }

    /// The names of the parameters that a device of this program has; all, where it is not clear.
    private static func parameterNames(in node: YAMLNode) -> [String] {
        guard case .mapping(let entries) = node.content else { return [] }
        let keys = entries.map(\.key)
        if keys.contains("hci") { return [] }
        if keys.contains(where: ["run", "dials-in"].contains) {
            let model = entries.first { $0.key == "model" }?.value.string
            let isApples = model.flatMap { Catalogue.model(named: $0) } != nil
            return isApples ? [] : Catalogue.securityParameters.map(\.name)
        }
        if keys.contains("model") { return Catalogue.parameters(of: .appleDevice).map(\.name) }
        if keys.contains("profile") { return Catalogue.parameters(of: .accessory).map(\.name) }
        return []
    }
}

extension DeviceReader {
    private func moment(_ node: YAMLNode, for what: String) throws(Problem) -> Nanoseconds {
        try Cast(length: length).moment(node, for: what)
    }

    private func defects() throws(Problem) -> [String] {
        guard let node = mapping["defects"] else { return [] }
        var found: [String] = []
        for item in try node.list("defects", expected: "a list of defects") {
            let name: String
            if program.kind == .foreign {
                name = try item.text("defects")
            } else {
                name = try defect(item)
            }
            guard !found.contains(name) else {
                throw item.problem("`\(name)` stands twice in `defects`")
            }
            found.append(name)
        }
        return found
    }

    private func defect(_ node: YAMLNode) throws(Problem) -> String {
        let name = try node.text("defects", expected: "the name of a defect")
        let owner = Catalogue.Kind.allCases.first { kind in
            Catalogue.defects(of: kind).contains { $0.name == name }
        }
        if let owner, owner != program.kind {
            throw node.problem(
                "`\(name)` is a defect of \(owner.rawValue)",
                expected: "a defect of \(program.kind.rawValue)")
        }
        return try node.choice("defects", of: Catalogue.defects(of: program.kind).map(\.name))
    }

    private func position(number: Int) throws(Problem) -> Position? {
        if let node = mapping["grid"] {
            guard let keyNode = mapping.keyNode("grid"), mapping["at"] == nil else {
                throw node.problem("a device has `at` or `grid`, not both")
            }
            guard mapping["count"] != nil else {
                throw keyNode.problem(
                    "`grid` places many devices", expected: "`count` beside it, or `at`")
            }
            return try Grid(node).position(of: number)
        }
        return try mapping["at"].read("at", Position.init)
    }

    private func path() throws(Problem) -> [Waypoint] {
        guard let node = mapping["path"] else { return [] }
        var path: [Waypoint] = []
        for item in try node.list(
            "path", expected: "a list of legs, like {from: 5s, to: 8s, at: [3m, 0]}")
        {
            let leg = try leg(item)
            guard path.last.map({ $0.arrival <= leg.departure }) ?? true else {
                throw item.problem(
                    "this leg begins before the one above has ended",
                    expected: "legs in order of time")
            }
            path.append(leg)
        }
        return path
    }

    private func leg(_ node: YAMLNode) throws(Problem) -> Waypoint {
        let mapping = try YAMLMapping(node, of: "a leg of a path", keys: TopologyKeys.leg)
        let from = try mapping.required("from", expected: "when the walk begins, like from: 5s")
        let departure = try moment(from, for: "from")
        var arrival = departure
        if let node = mapping["to"] {
            arrival = try moment(node, for: "to")
            guard arrival >= departure else {
                throw node.problem(
                    "the walk ends before it begins", expected: "a time after `from`")
            }
        }
        let at = try mapping.required("at", expected: "where the walk ends, like at: [3m, 0]")
        return Waypoint(
            departure: departure, arrival: arrival, position: try Position(at, for: "at"))
    }
}

extension DeviceReader {
    private mutating func read(_ parameter: Catalogue.Parameter) throws(Problem) {
        guard let node = mapping[parameter.name] else { return }
        if parameter.values == .devices { references.append((parameter.name, node)) }
        parameters.append(Pair(parameter.name, try node.parameter(parameter)))
    }

    /// What a Security Manager of ours goes by, where there is to be one.
    private mutating func readSecurity() throws(Problem) {
        for parameter in Catalogue.securityParameters {
            guard let node = mapping[parameter.name] else { continue }
            security.append(Pair(parameter.name, try node.parameter(parameter)))
        }
        let pairing = security.first { $0.name == AccessoryParameter.pairing.rawValue }?.value
        if pairing ?? AccessoryParameter.Pairing.none.rawValue
            == AccessoryParameter.Pairing.none.rawValue
        {
            security = []
        }
    }

    /// Parameters of a foreign program: numbers with a unit become nanoseconds, millimetres or
    /// hundredths of a degree; the rest is handed over as it is.
    private mutating func readForeignParameters() throws(Problem) {
        guard let node = mapping["parameters"] else { return }
        guard program.kind == .foreign else {
            throw node.problem(
                "`parameters` belongs to `run`, `hci` or `dials-in`",
                expected: "each parameter as a key of the device")
        }
        for entry in try node.entries("parameters", expected: "a mapping of names to values") {
            let text = try entry.value.plainText(entry.key)
            let values = Quantity.allCases.compactMap { try? $0.value(of: text) }
            let isPlainNumber = text.allSatisfy(\.isASCIIDigit)
            parameters.append(
                Pair(entry.key, isPlainNumber ? text : values.first.map(String.init) ?? text))
        }
    }
}

extension YAMLNode {
    /// The value of a parameter as it is handed to the device.
    fileprivate func parameter(_ parameter: Catalogue.Parameter) throws(Problem) -> String {
        let name = parameter.name
        switch parameter.values {
        case .duration(let range): return String(try duration(name, in: range))
        case .length(let range): return String(try length(name, in: range))
        case .number(let range): return String(try integer(name, in: range))
        case .choice(let words): return try choice(name, of: words)
        case .flag: return String(try flag(name))
        case .text: return try text(name)
        case .devices: return ""
        }
    }

    /// A text, or `true` and `false` as they are written.
    func plainText(_ name: String) throws(Problem) -> String {
        if case .text(let word, .plain) = content, ["true", "false"].contains(word) {
            return word
        }
        return try text(name)
    }
}
