import PromiseLibrary
import Scenarios
import Vocabulary
import YAML

extension Air {
    /// What `air:` says; all else keeps its default.
    init(_ node: YAMLNode) throws(Problem) {
        self.init()
        let mapping = try YAMLMapping(node, of: "the air", keys: TopologyKeys.air)
        var mistakes = Mistakes()
        for key in mapping.keys.compactMap(TopologyKeys.Air.init) {
            guard let node = mapping[key.rawValue] else { continue }
            mistakes.attempt { () throws(Problem) in try read(key, from: node) }
        }
        try mistakes.check()
    }

    private mutating func read(_ key: TopologyKeys.Air, from node: YAMLNode) throws(Problem) {
        let name = key.rawValue
        switch key {
        case .bluetoothRange: bluetoothRange = try node.length(name, in: 0...10_000_000)
        case .loss: loss = try node.ratio(name)
        case .hostDelay: hostDelay = try node.duration(name, in: VerbSetting.delays)
        case .queueDelay: queueDelay = try node.duration(name, in: VerbSetting.delays)
        case .eventCapacity: eventCapacity = try node.eventCapacity(name)
        case .uwbRange: uwbRange = try node.length(name, in: 0...10_000_000)
        case .uwbFieldOfView: uwbFieldOfView = try node.angle(name, in: 0...18_000)
        case .uwbNoise: uwbNoise = try node.length(name, in: 0...1_000_000)
        case .uwbLoss: uwbLoss = try node.ratio(name)
        case .uwbExtendedRange: uwbExtendedRange = try node.length(name, in: 0...10_000_000)
        case .uwbExtendedLoss: uwbExtendedLoss = try node.ratio(name)
        case .uwbEndHeard: uwbEndHeard = try node.ratio(name)
        case .uwbStrideAfter:
            uwbStrideAfter = try node.duration(name, in: 0...TopologyLimits.length)
        case .networkDelay:
            networkDelay = try node.durationRange(name)
            guard networkDelay.upperBound <= VerbSetting.delays.upperBound else {
                throw node.problem(
                    "`\(name)` is too long",
                    expected: "up to \(YAMLNode.written(VerbSetting.delays.upperBound))")
            }
        case .networkLoss: networkLoss = try node.ratio(name)
        case .networkTimeout:
            networkTimeout = try node.duration(
                name, in: .seconds(1)...TopologyLimits.length)
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
