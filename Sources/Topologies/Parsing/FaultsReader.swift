internal import DeviceLink

/// Reads `faults:`, faults drawn at random.
struct FaultsReader {
    /// A kind of random fault, whom it can hit and whether it lasts.
    struct Kind {
        var name: String
        var hits: [Catalogue.Kind]
        var lasts: Bool
    }

    /// The kinds, in the order of the documentation.
    static let kinds: [Kind] = [
        Kind(name: "disconnect", hits: Catalogue.Kind.allCases, lasts: false),
        Kind(name: "loss", hits: Catalogue.Kind.allCases, lasts: true),
        Kind(name: "partition", hits: Catalogue.Kind.allCases, lasts: true),
        Kind(name: "hold", hits: Catalogue.Kind.allCases, lasts: true),
        Kind(name: "freeze", hits: Catalogue.Kind.allCases, lasts: true),
        Kind(name: "kill", hits: Catalogue.Kind.allCases, lasts: true),
        Kind(name: "corrupt", hits: Catalogue.Kind.allCases, lasts: false),
        Kind(name: "background", hits: [.appleDevice], lasts: true),
        Kind(name: "suspend", hits: [.appleDevice], lasts: true),
        Kind(name: "bluetooth", hits: [.appleDevice, .accessory], lasts: true),
    ]

    /// Keys of `faults:`.
    static let keys = ["between"] + kinds.map(\.name)

    /// How long a fault lasts where nothing is said.
    static let standardDuration: DurationRange = 500_000_000...2_000_000_000

    let cast: Cast

    /// The plan of random faults.
    func faults(_ node: YAMLNode) throws(Problem) -> RandomFaults {
        let mapping = try YAMLMapping(node, of: "`faults`", keys: Self.keys)
        var faults = RandomFaults(between: 0...cast.length, rates: [])
        if let node = mapping["between"] {
            faults.between = try node.durationRange("between")
            guard faults.between.upperBound <= cast.length else {
                throw cast.afterEnd(node, "between")
            }
        }
        for key in mapping.keys where key != "between" {
            guard let node = mapping[key], let kind = Self.kinds.first(where: { $0.name == key })
            else { continue }
            faults.rates.append(try rate(kind, node))
        }
        return faults
    }

    private func rate(_ kind: Kind, _ node: YAMLNode) throws(Problem) -> RandomFaults.Rate {
        let keys = kind.lasts ? ["ratio", "for", "devices"] : ["ratio", "devices"]
        let mapping = try YAMLMapping(node, of: "a random `\(kind.name)`", keys: keys)
        let ratio = try mapping.required("ratio", expected: "how likely in a second, like 1/20")
        var duration: DurationRange = kind.lasts ? Self.standardDuration : 0...0
        if let node = mapping["for"] { duration = try node.durationRange("for") }
        var devices = all(kind)
        if let node = mapping["devices"] { devices = try self.devices(node, kind) }
        return RandomFaults.Rate(
            kind: kind.name, ratio: try ratio.ratio("ratio"), duration: duration, devices: devices)
    }

    private func all(_ kind: Kind) -> [String] {
        cast.members.filter { $0.kind == .foreign || kind.hits.contains($0.kind) }.map(\.name)
    }

    private func devices(_ node: YAMLNode, _ kind: Kind) throws(Problem) -> [String] {
        let names = try cast.deviceList(node, "devices")
        for name in names where !all(kind).contains(name) {
            throw node.problem(
                "`\(kind.name)` cannot hit `\(name)`",
                expected: kind.hits.map(\.rawValue).joined(separator: " or "))
        }
        return names
    }
}
