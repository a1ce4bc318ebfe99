internal import Vocabulary
internal import YAML

/// Weaker faults in place of those of a script.
extension TopologyParts {
    /// What a step does, and to whom.
    private struct Deed {
        var verb: String
        var target: YAMLNode
        var others: [(key: String, value: String)] = []
    }

    /// The texts with a weaker fault in place of that of a step, the weakest first.
    ///
    /// A killed process loses its links; a partition that is shorter than any supervision timeout ends
    /// none; one way is half of it; and what is only late arrives.
    package func weakening(step index: Int) -> [String] {
        let path = Path([.key("steps"), .index(index)])
        guard let step = root[path],
            let verb = step.entries?.map(\.key).first(where: { VerbForm.named($0) != nil }),
            let target = step[verb]
        else { return [] }
        let old = Deed(verb: verb, target: target)
        return weaker(old, isOneWay: step["one-way"] != nil).map { deed in
            replacing(path, by: Self.step(step, doing: deed)).text
        }
    }

    /// The moment stays, and how long it lasts where the weaker fault lasts as well.
    private static func step(_ old: YAMLNode, doing deed: Deed) -> YAMLNode {
        let form = VerbForm.named(deed.verb)
        var new = old
        new.entries = old.entries?.filter { TopologyKeys.moment.contains($0.key) }
        new[deed.verb] = deed.target
        for (key, value) in deed.others { new[key] = YAMLNode(value) }
        if let lasting = old["for"], form?.modifiers.contains("for") == true {
            new["for"] = lasting
        }
        return new
    }

    private func weaker(_ deed: Deed, isOneWay: Bool) -> [Deed] {
        let pairs = peers(of: deed.target).map { YAMLNode(list: [$0, deed.target]) }
        let disconnections = pairs.map { Deed(verb: "disconnect", target: $0) }
        switch deed.verb {
        case "disconnect": return Self.outages([deed.target])
        case "partition":
            return [Self.late(deed.target)] + (isOneWay ? [] : Self.oneWay(deed.target))
        case "hold": return [Self.late(deed.target)]
        case "freeze": return Self.outages(pairs)
        case "kill":
            return Self.outages(pairs) + disconnections
                + [Deed(verb: "freeze", target: deed.target)]
        case "bluetooth-off": return Self.outages(pairs) + disconnections
        case "terminate", "lock": return [Deed(verb: "background", target: deed.target)]
        case "garble", "truncate", "extend": return [Deed(verb: "corrupt", target: deed.target)]
        default: return []
        }
    }

    /// Less than the least supervision timeout.
    private static let short = "90ms"

    private static func outages(_ pairs: [YAMLNode]) -> [Deed] {
        let all =
            pairs.map(late) + pairs.flatMap(oneWay)
            + pairs.map { Deed(verb: "partition", target: $0) }
        return all.map { deed in
            var brief = deed
            brief.others.append(("for", short))
            return brief
        }
    }

    private static func late(_ pair: YAMLNode) -> Deed {
        Deed(verb: "delay", target: pair, others: [("by", "100ms")])
    }

    private static func oneWay(_ pair: YAMLNode) -> [Deed] {
        let both = pair.items ?? []
        return [both, both.reversed()].map {
            Deed(verb: "partition", target: YAMLNode(list: $0), others: [("one-way", "true")])
        }
    }

    /// Everybody else, for what is done to a device.
    private func peers(of target: YAMLNode) -> [YAMLNode] {
        let name = target.string ?? ""
        return (root["devices"]?.entries ?? []).compactMap { device in
            let peer = device.key
            let isGroup = device.value["count"] != nil
            guard peer != name, "every \(peer)" != name, !(isGroup && name.hasPrefix("\(peer)-"))
            else { return nil }
            return YAMLNode(isGroup ? "every \(peer)" : peer)
        }
    }
}
