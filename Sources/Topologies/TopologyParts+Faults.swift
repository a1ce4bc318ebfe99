package import DeviceLink
import Yams

/// A topology file with faults that somebody else thinks of.
///
/// What the file expects it expects without them, so that they are judged by promises alone.
extension TopologyParts {
    /// How long a run goes on after the last fault, so that what was disturbed has time to range again.
    package static let recovery: Nanoseconds = .seconds(40)

    /// How often a kind of fault happens that the file says nothing of: per second and target.
    private static let standardRatio = "1/30"
    /// For how long faults happen after the last step of the script, where the file does not say it.
    private static let standardTime: Nanoseconds = .seconds(15)

    /// The text with faults at random as its rates say, or with all kinds where it has none: a swarm, which
    /// heals, and after which everybody has time to range again.
    package var textWithRandomFaults: String {
        guard var file = root.mapping else { return text }
        var faults = file["faults"]?.mapping ?? Node.Mapping([])
        if !RandomFaultForm.all.contains(where: { faults[$0.name] != nil }) {
            for form in RandomFaultForm.all {
                faults[Node(form.name)] = Node([(Node("ratio"), Node(Self.standardRatio))])
            }
        }
        let end = faultsEnd(faults)
        faults = Self.ending(faults, at: end)
        faults["swarm"] = Node("true")
        faults["heal"] = Node("true")
        file["faults"] = .mapping(faults)
        return Self.text(of: .mapping(Self.recovering(file, from: end, length: length)))
    }

    /// With faults at random, if it has any, that go on until a time where it does not say until when.
    func withFaults(endingAt end: Nanoseconds) -> TopologyParts {
        guard var file = root.mapping, let faults = file["faults"]?.mapping else { return self }
        file["faults"] = .mapping(Self.ending(faults, at: end))
        return TopologyParts(.mapping(file))
    }

    private static func ending(_ faults: Node.Mapping, at end: Nanoseconds) -> Node.Mapping {
        guard faults["between"] == nil else { return faults }
        var faults = faults
        faults["between"] = Node("0s..\(TimedFault.text(end))")
        return faults
    }

    /// The text with more steps, written as in a file, after which there is time to range again; nil where
    /// one of them is no YAML.
    package func text(adding steps: [String], endingAt end: Nanoseconds) -> String? {
        let nodes = steps.compactMap { YAMLReader.tree(of: $0) }
        guard nodes.count == steps.count, let file = root.mapping else { return nil }
        let recovering = Self.recovering(file, from: end, length: length)
        return TopologyParts(.mapping(recovering)).changingSteps { $0 + nodes }.text
    }

    private static func recovering(
        _ file: Node.Mapping, from end: Nanoseconds, length: Nanoseconds?
    ) -> Node.Mapping {
        var file = file
        let needed = min(end + recovery, TopologyLimits.length)
        file["length"] = Node(TimedFault.text(max(length ?? Topology.standardLength, needed)))
        file["expect"] = nil
        return file
    }

    private func faultsEnd(_ faults: Node.Mapping) -> Nanoseconds {
        let between = faults["between"]?.string?.components(separatedBy: "..")
        if let end = between?.last, let time = Self.duration(Node(end)) { return time }
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
        guard let devices = root.mapping?["devices"]?.mapping else { return nil }
        var parts = self
        for (place, device) in devices.enumerated() {
            guard let name = device.key.string,
                !kept.contains(where: { $0 == name || $0.hasPrefix("\(name)-") })
            else { continue }
            let key = draw.with(UInt64(place))
            if let count = device.value.mapping?["count"]?.string.flatMap(UInt64.init), count > 1 {
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
        let path: [Path.Step] = [.key("devices"), .key(group), .key("count")]
        return TopologyParts(replacing(path[...], in: root, by: Node("\(count)")) ?? root)
    }

    private func without(_ device: String) -> TopologyParts? {
        guard var file = root.mapping, var devices = file["devices"]?.mapping else { return nil }
        devices[device] = nil
        file["devices"] = .mapping(devices)
        for key in ["links", "steps"] {
            guard let items = file[key]?.sequence else { continue }
            let kept = items.filter { !Self.mentions(device, $0) }
            file[key] = kept.isEmpty ? nil : .sequence(Node.Sequence(kept))
        }
        return Self.unlisting(device, in: .mapping(file)).map(TopologyParts.init)
    }

    /// Whether a name stands somewhere, by itself or in a pattern (`link.up on ben`).
    private static func mentions(_ name: String, _ node: Node) -> Bool {
        switch node {
        case .mapping(let mapping): mapping.values.contains { mentions(name, $0) }
        case .sequence(let list): list.contains { mentions(name, $0) }
        case .scalar(let scalar): scalar.string.split(separator: " ").contains { $0 == name }
        case .alias: false
        }
    }

    /// The file where a device is in no list any more: of peers, of the bonded, of those that a fault hits;
    /// nil where one of them would be empty.
    private static func unlisting(_ name: String, in node: Node) -> Node? {
        switch node {
        case .mapping(var mapping):
            for (key, value) in mapping {
                guard let rest = unlisting(name, in: value) else { return nil }
                mapping[key] = rest
            }
            return .mapping(mapping)
        case .sequence(let list):
            let kept = list.filter { $0.string != name }.compactMap { unlisting(name, in: $0) }
            if kept.isEmpty, !list.isEmpty { return nil }
            return .sequence(Node.Sequence(kept, list.tag, list.style))
        case .scalar, .alias: return node
        }
    }
}
