internal import PromiseLibrary
internal import Scenarios
internal import Vocabulary
internal import YAML

extension Air {
    /// What `air:` says; all else keeps its default.
    init(_ node: YAMLNode) throws(Problem) {
        self.init()
        let mapping = try YAMLMapping(node, of: "the air", keys: TopologyKeys.air)
        var mistakes = Mistakes()
        for key in mapping.keys {
            guard let node = mapping[key] else { continue }
            mistakes.attempt { () throws(Problem) in try read(key, from: node) }
        }
        try mistakes.check()
    }

    private mutating func read(_ key: String, from node: YAMLNode) throws(Problem) {
        switch key {
        case "bluetooth-range": bluetoothRange = try node.length(key, in: 0...10_000_000)
        case "loss": loss = try node.ratio(key)
        case "host-delay": hostDelay = try node.duration(key, in: VerbSetting.delays)
        case "queue-delay": queueDelay = try node.duration(key, in: VerbSetting.delays)
        case "event-capacity": eventCapacity = try node.eventCapacity(key)
        case "uwb-range": uwbRange = try node.length(key, in: 0...10_000_000)
        case "uwb-field-of-view": uwbFieldOfView = try node.angle(key, in: 0...18_000)
        case "uwb-noise": uwbNoise = try node.length(key, in: 0...1_000_000)
        default: uwbLoss = try node.ratio(key)
        }
    }
}

extension YAMLNode {
    /// How many L2CAP frames a connection event carries.
    func eventCapacity(_ name: String) throws(Problem) -> Int {
        Int(try integer(name, in: VerbSetting.eventCapacities))
    }
}

extension LinkSpec {
    /// The links that one item of `links:` describes.
    static func links(_ node: YAMLNode, with cast: Cast) throws(Problem) -> [LinkSpec] {
        let mapping = try YAMLMapping(node, of: "a link", keys: TopologyKeys.link)
        let between = try mapping.required("between", expected: "two devices, like [ben, lock]")
        var links: [LinkSpec] = []
        for pair in try cast.pairs(between, for: "between") {
            var link = LinkSpec(between: pair)
            link.loss = try mapping["loss"]?.ratio("loss")
            link.hostDelay = try mapping["host-delay"]?.duration(
                "host-delay", in: VerbSetting.delays)
            link.eventCapacity = try mapping["event-capacity"]?.eventCapacity("event-capacity")
            link.isObstructed = try mapping["obstructed"]?.flag("obstructed") ?? false
            links.append(link)
        }
        return links
    }

    /// All of `links:`, where no two may mean the same pair.
    static func all(_ node: YAMLNode, with cast: Cast) throws(Problem) -> [LinkSpec] {
        var found: [LinkSpec] = []
        var mistakes = Mistakes()
        for item in try node.list("links", expected: "a list of links") {
            let all = mistakes.attempt { () throws(Problem) in try links(item, with: cast) }
            for link in all ?? [] {
                let pair = link.between
                let reversed = DevicePair(pair.second, pair.first)
                guard !found.contains(where: { $0.between == pair || $0.between == reversed })
                else {
                    mistakes.add(
                        item.problem(
                            "there is a second link between `\(pair.first)` and `\(pair.second)`",
                            expected: "one item for each pair"))
                    continue
                }
                found.append(link)
            }
        }
        try mistakes.check()
        return found
    }
}
