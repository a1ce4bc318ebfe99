import Yams

/// Weaker faults in place of those of a script.
extension TopologyParts {
    /// What a step does, and to whom.
    private struct Deed {
        var verb: String
        var target: Node
        var others: [(key: String, value: String)] = []
    }

    /// The texts with a weaker fault in place of that of a step, the weakest first.
    ///
    /// A killed process loses its links; a partition that is shorter than any supervision timeout ends
    /// none; one way is half of it; and what is only late arrives.
    package func weakening(step index: Int) -> [String] {
        guard let steps = root.mapping?["steps"]?.sequence, steps.indices.contains(index),
            let step = steps[index].mapping,
            let verb = step.keys.compactMap(\.string).first(where: { VerbForm.named($0) != nil }),
            let target = step[verb]
        else { return [] }
        let old = Deed(verb: verb, target: target)
        let path: [Path.Step] = [.key("steps"), .index(index)]
        return weaker(old, isOneWay: step["one-way"] != nil).compactMap { deed in
            replacing(path[...], in: root, by: Self.step(step, doing: deed)).map(Self.text)
        }
    }

    /// The moment stays, and how long it lasts where the weaker fault lasts as well.
    private static func step(_ old: Node.Mapping, doing deed: Deed) -> Node {
        let form = VerbForm.named(deed.verb)
        var new = Node.Mapping([])
        for (key, value) in old where TopologyKeys.moment.contains(key.string ?? "") {
            new[key] = value
        }
        new[Node(deed.verb)] = deed.target
        for (key, value) in deed.others { new[Node(key)] = Node(value) }
        if let lasting = old["for"], form?.modifiers.contains("for") == true {
            new["for"] = lasting
        }
        return .mapping(new)
    }

    private func weaker(_ deed: Deed, isOneWay: Bool) -> [Deed] {
        let pairs = peers(of: deed.target).map { Node([$0, deed.target]) }
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

    private static func outages(_ pairs: [Node]) -> [Deed] {
        let all =
            pairs.map(late) + pairs.flatMap(oneWay)
            + pairs.map { Deed(verb: "partition", target: $0) }
        return all.map { deed in
            var brief = deed
            brief.others.append(("for", short))
            return brief
        }
    }

    private static func late(_ pair: Node) -> Deed {
        Deed(verb: "delay", target: pair, others: [("by", "100ms")])
    }

    private static func oneWay(_ pair: Node) -> [Deed] {
        let both = pair.sequence.map(Array.init) ?? []
        return [both, both.reversed()].map {
            Deed(verb: "partition", target: Node($0), others: [("one-way", "true")])
        }
    }

    /// Everybody else, for what is done to a device.
    private func peers(of target: Node) -> [Node] {
        let name = target.string ?? ""
        let devices = root.mapping?["devices"]?.mapping.map(Array.init) ?? []
        return devices.compactMap { key, spec in
            let peer = key.string ?? ""
            let isGroup = spec.mapping?["count"] != nil
            guard peer != name, "every \(peer)" != name, !(isGroup && name.hasPrefix("\(peer)-"))
            else { return nil }
            return Node(isGroup ? "every \(peer)" : peer)
        }
    }
}
