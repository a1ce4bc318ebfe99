import PromiseLibrary
import Scenarios
import Vocabulary
import YAML

/// Reads `faults:`, faults drawn at random.
struct FaultsReader {
    /// How long a fault lasts where nothing is said.
    static let standardDuration: DurationRange = 500_000_000...2_000_000_000

    let cast: Cast

    /// The plan of random faults.
    func faults(_ node: YAMLNode) throws(Problem) -> RandomFaults {
        let mapping = try YAMLMapping(node, of: "`faults`", keys: TopologyKeys.faults)
        var faults = RandomFaults(rates: [])
        if let node = mapping["between"] {
            let time = try node.durationRange("between")
            guard time.upperBound <= cast.length else { throw cast.afterEnd(node, for: "between") }
            faults.between = time
        }
        faults.isSwarm = try mapping["swarm"]?.flag("swarm") ?? false
        faults.heals = try mapping["heal"]?.flag("heal") ?? false
        var mistakes = Mistakes()
        for key in mapping.keys {
            guard let node = mapping[key],
                let kind = RandomFaultForm.named(key)
            else { continue }
            mistakes.attempt { () throws(Problem) in
                faults.rates.append(try rate(of: kind, in: node))
            }
        }
        try mistakes.check()
        return faults
    }

    private func rate(of kind: RandomFaultForm, in node: YAMLNode) throws(Problem)
        -> RandomFaults.Rate
    {
        let mapping = try YAMLMapping(
            node, of: "a random `\(kind.name)`", keys: TopologyKeys.fault(lasts: kind.verb.lasts))
        let ratio = try mapping.required("ratio", expected: "how likely in a second, like 1/20")
        var duration: DurationRange = kind.verb.lasts ? Self.standardDuration : 0...0
        if let node = mapping["for"] { duration = try node.durationRange("for") }
        var devices = all(kind)
        if let node = mapping["devices"] { devices = try self.devices(node, for: kind) }
        return RandomFaults.Rate(
            kind: kind.name, ratio: try ratio.ratio("ratio"), duration: duration, devices: devices)
    }

    private func all(_ kind: RandomFaultForm) -> [String] {
        cast.members.filter { $0.kind == .foreign || kind.verb.hits.contains($0.kind) }.map(\.name)
    }

    private func devices(_ node: YAMLNode, for kind: RandomFaultForm) throws(Problem) -> [String] {
        let names = try cast.deviceList(node, for: "devices")
        for name in names where !all(kind).contains(name) {
            throw node.problem(
                "`\(kind.name)` cannot hit `\(name)`",
                expected: kind.verb.hits.map(\.rawValue).joined(separator: " or "))
        }
        return names
    }
}
