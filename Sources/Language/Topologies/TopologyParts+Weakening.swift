import Vocabulary
import YAML

/// Weaker faults in place of those of a script.
extension TopologyParts {
    private struct Deed {
        var verb: VerbName
        var target: YAMLNode
        var settings: [(name: VerbSetting.Name, value: VerbSetting.Value)] = []
    }

    /// The texts with a weaker fault in place of that of a step, the weakest first.
    ///
    /// A killed process loses its links; a partition that is shorter than any supervision timeout ends
    /// none; one way is half of it; and what is only late arrives.
    package func weakening(step index: Int) -> [String] {
        let path = Path([.key("steps"), .index(index)])
        guard let step = root[path],
            let verb = step.entries?.lazy.compactMap({ VerbName(rawValue: $0.key) }).first,
            let target = step[verb.rawValue]
        else { return [] }
        let old = Deed(verb: verb, target: target)
        return weaker(old, isOneWay: step["one-way"] != nil).map { deed in
            replacing(path, by: Self.step(step, doing: deed)).text
        }
    }

    /// The moment stays, and how long it lasts where the weaker fault lasts as well.
    private static func step(_ old: YAMLNode, doing deed: Deed) -> YAMLNode {
        var new = old
        new.entries = old.entries?.filter { TopologyKeys.moment.contains($0.key) }
        new[deed.verb.rawValue] = deed.target
        for setting in deed.settings {
            new[setting.name.rawValue] = YAMLNode(setting.value.written)
        }
        if let lasting = old["for"], deed.verb.form.lasts {
            new["for"] = lasting
        }
        return new
    }

    private func weaker(_ deed: Deed, isOneWay: Bool) -> [Deed] {
        let form = deed.verb.form
        let pairs =
            form.target == .pair
            ? [deed.target] : peers(of: deed.target).map { YAMLNode(list: [$0, deed.target]) }
        return form.weaker.flatMap { weaker in
            switch weaker {
            case .late: [Self.late(deed.target)]
            case .oneWay: isOneWay ? [] : Self.oneWay(deed.target)
            case .briefOutages: Self.outages(pairs)
            case .disconnections: pairs.map { Deed(verb: .disconnect, target: $0) }
            case .verb(let verb): [Deed(verb: verb, target: deed.target)]
            }
        }
    }

    /// Less than the least supervision timeout.
    private static let short = VerbSetting.Value.duration(.milliseconds(90))

    private static func outages(_ pairs: [YAMLNode]) -> [Deed] {
        let all =
            pairs.map(late) + pairs.flatMap(oneWay)
            + pairs.map { Deed(verb: .partition, target: $0) }
        return all.map { deed in
            var brief = deed
            brief.settings.append((.lasting, short))
            return brief
        }
    }

    private static func late(_ pair: YAMLNode) -> Deed {
        Deed(
            verb: .delay, target: pair, settings: [(.by, .duration(.milliseconds(100)))])
    }

    private static func oneWay(_ pair: YAMLNode) -> [Deed] {
        let both = pair.items ?? []
        return [both, both.reversed()].map {
            Deed(
                verb: .partition, target: YAMLNode(list: $0), settings: [(.oneWay, .flag(true))])
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
