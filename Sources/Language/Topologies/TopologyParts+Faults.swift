package import DeviceLink
import Scenarios
import Vocabulary
import YAML

/// A topology file with faults beside those of its script.
///
/// Its expectations are dropped, because they are meant without these faults: promises alone judge, but for those
/// that a known defect may break.
extension TopologyParts {
    /// How long a run goes on after the last fault, so that what was disturbed has time to range again.
    private static let recovery: Nanoseconds = .seconds(40)

    /// How often a kind of fault happens that the file says nothing of: per second and target.
    private static let standardRatio = "1/30"
    /// For how long faults happen after the last step of the script, where the file does not say it.
    private static let standardTime: Nanoseconds = .seconds(15)

    /// The text with faults at random as its rates say, or with all kinds where it has none: a swarm, which
    /// heals, and after which everybody has time to range again.
    package var textWithRandomFaults: String {
        var file = root
        var faults = file["faults"] ?? YAMLNode(mapping: [])
        if !RandomFaultForm.all.contains(where: { faults[$0.name] != nil }) {
            for form in RandomFaultForm.all {
                faults[form.name] = YAMLNode(mapping: [("ratio", YAMLNode(Self.standardRatio))])
            }
        }
        let end = faultsEnd(faults)
        faults = Self.ending(faults, at: end)
        faults["swarm"] = YAMLNode("true")
        faults["heal"] = YAMLNode("true")
        file["faults"] = faults
        return TopologyParts(file).recovering(from: end).text
    }

    /// With faults at random, if it has any, that go on until a time where it does not say until when.
    func withFaults(endingAt end: Nanoseconds) -> TopologyParts {
        guard let faults = root["faults"], faults.entries != nil else { return self }
        var file = root
        file["faults"] = Self.ending(faults, at: end)
        return TopologyParts(file)
    }

    private static func ending(_ faults: YAMLNode, at end: Nanoseconds) -> YAMLNode {
        guard faults["between"] == nil else { return faults }
        var faults = faults
        faults["between"] = YAMLNode("0s..\(TimedFault.text(end))")
        return faults
    }

    /// With time to range again after faults that end then, and of what is expected only what a known defect may break.
    func recovering(from end: Nanoseconds) -> TopologyParts {
        var file = root
        let length = Self.length(length ?? Topology.standardLength, recoveringFrom: end)
        file["length"] = YAMLNode(TimedFault.text(length))
        file["expect"] = file["expect"].flatMap(Self.knownBugs)
        return TopologyParts(file)
    }

    /// What a defect may break; nil where nothing, or where one has to break something: beside that it says nothing.
    private static func knownBugs(_ expected: YAMLNode) -> YAMLNode? {
        let items = expected.items ?? []
        guard !items.contains(where: \.isViolation) else { return nil }
        let kept = items.filter(\.isSideEffect)
        return kept.isEmpty ? nil : YAMLNode(list: kept)
    }

    static func length(_ length: Nanoseconds, recoveringFrom end: Nanoseconds) -> Nanoseconds {
        max(length, min(end + recovery, TopologyLimits.length))
    }

    /// Without what is drawn; what heals goes on doing so.
    var withoutDrawnFaults: TopologyParts {
        var file = root
        let plan = file["faults"]
        let healing = ["between", "heal"].compactMap { key in plan?[key].map { (key, $0) } }
        file["faults"] = plan?["heal"] == nil ? nil : YAMLNode(mapping: healing)
        return TopologyParts(file)
    }

    private func faultsEnd(_ faults: YAMLNode) -> Nanoseconds {
        let between = faults["between"]?.string?.components(separatedBy: "..")
        if let end = between?.last, let time = Self.duration(YAMLNode(end)) { return time }
        let last = moments.map(\.time).max() ?? 0
        return min(last + Self.standardTime, length ?? Topology.standardLength)
    }

    /// The text with fewer devices, as a number says, and without what the script does to those that are
    /// gone; nil where that is no topology.
    ///
    /// A group keeps at least one member, and there stay an Apple device and an accessory. So does a device
    /// that is kept by its name, a group of such devices, and who is the last one of a list: an empty list
    /// would mean everybody.
    package func text(ofSize draw: Keyed, keeping kept: [String] = []) -> String? {
        guard let devices = root["devices"]?.entries else { return nil }
        var parts = self
        for (place, device) in devices.enumerated() {
            let name = device.key
            guard !kept.contains(where: { $0 == name || $0.hasPrefix("\(name)-") }) else {
                continue
            }
            let key = draw.with(UInt64(place))
            if let count = device.value["count"]?.string.flatMap(UInt64.init), count > 1 {
                parts = parts.withCount(Int(key.below(count)) + 1, of: name)
            } else if devices.count > 2, key.below(3) == 0 {
                parts = parts.without(name) ?? parts
            }
        }
        let smaller = parts.text
        guard let old = Self.roles(of: text), let new = Self.roles(of: smaller), old == new else {
            return nil
        }
        return smaller
    }

    private static func roles(of text: String) -> Set<String>? {
        (try? Topology(parsing: Array(text.utf8), name: "", file: "")).map {
            Set($0.devices.map(\.role.rawValue))
        }
    }

    private func withCount(_ count: Int, of group: String) -> TopologyParts {
        replacing(
            Path([.key("devices"), .key(group), .key("count")]), by: YAMLNode("\(count)"))
    }

    private func without(_ device: String) -> TopologyParts? {
        var file = root
        file["devices"]?[device] = nil
        for key in ["links", "steps"] {
            guard let items = file[key]?.items else { continue }
            let kept = items.filter { !Self.isMentioned(device, in: $0) }
            file[key] = kept.isEmpty ? nil : YAMLNode(list: kept)
        }
        return Self.unlisting(device, in: file).map(TopologyParts.init)
    }

    /// Whether a name stands somewhere, by itself or in a pattern (`link.up on ben`).
    private static func isMentioned(_ name: String, in node: YAMLNode) -> Bool {
        switch node.content {
        case .text(let text, _): text.split(separator: " ").contains { $0 == name }
        case .list, .mapping: node.children.contains { isMentioned(name, in: $0.node) }
        }
    }

    /// The file where a device is in no list any more: of peers, of the bonded, of those that a fault hits;
    /// nil where one of them would be empty.
    private static func unlisting(_ name: String, in node: YAMLNode) -> YAMLNode? {
        var node = node
        switch node.content {
        case .text: break
        case .mapping(let entries):
            for entry in entries {
                guard let rest = unlisting(name, in: entry.value) else { return nil }
                node[entry.key] = rest
            }
        case .list(let list):
            let kept = list.filter { $0.string != name }.compactMap { unlisting(name, in: $0) }
            if kept.isEmpty, !list.isEmpty { return nil }
            node.items = kept
        }
        return node
    }
}
