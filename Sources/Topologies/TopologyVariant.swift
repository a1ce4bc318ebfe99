import Yams

/// A topology file with something changed: other programs play its devices, defects are off.
package struct TopologyVariant: Equatable, Sendable {
    /// The path of a program that plays every reference accessory.
    package var accessory: String?
    /// The path of a program that plays every reference Apple device.
    package var app: String?
    /// The profile of every reference accessory, or what a foreign one is told; nil for the file's.
    package var profile: String?
    /// Whether defects are switched off, and nothing is expected to be broken.
    package var isHealthy = false
    /// Whether expectations are dropped: they may be about the program that was replaced.
    package var expectsNothing = false

    /// No change.
    package init() {}

    /// The text of a file with the change; a text that is no topology is left as it is, for its reader
    /// to say what is wrong.
    package func text(of text: String) -> String {
        guard var file = YAMLReader.tree(of: text)?.mapping else { return text }
        if let devices = file["devices"]?.mapping {
            file["devices"] = .mapping(
                Node.Mapping(devices.map { ($0.key, changed($0.value)) }, devices.tag))
        }
        if expectsNothing {
            file["expect"] = nil
        } else if isHealthy {
            file["expect"] = file["expect"].flatMap(Self.withoutViolations)
        }
        return (try? Yams.serialize(node: .mapping(file))) ?? text
    }

    private func changed(_ node: Node) -> Node {
        guard var device = node.mapping else { return node }
        if isHealthy { device["defects"] = nil }
        let isAccessory = device["profile"] != nil
        if isAccessory, let profile { device["profile"] = Node(profile) }
        if isAccessory, let accessory {
            return Self.played(by: accessory, device, model: profile ?? device["profile"]?.string)
        }
        if let app, device["model"] != nil, device["run"] == nil, device["dials-in"] == nil {
            return Self.played(by: app, device, model: device["model"]?.string)
        }
        return .mapping(device)
    }

    /// What a device keeps that somebody else's program plays: where it is, and whom it knows.
    private static let kept = ["count", "at", "grid", "heading", "path", "start", "bonded"]

    private static func played(
        by program: String, _ device: Node.Mapping, model: String?
    ) -> Node {
        var pairs: [(Node, Node)] = [("run", Node(program, Tag(.str), .singleQuoted))]
        if let model { pairs.append(("model", Node(model))) }
        for (key, value) in device where kept.contains(key.string ?? "") {
            pairs.append((key, value))
        }
        return .mapping(Node.Mapping(pairs))
    }

    /// Expectations but for those that a promise is broken; nil where none is left.
    private static func withoutViolations(_ node: Node) -> Node? {
        guard let list = node.sequence else {
            return node.string?.hasPrefix("violated ") == true ? nil : node
        }
        let kept = list.filter { item in
            item.string?.hasPrefix("violated ") != true && item.mapping?["violated"] == nil
        }
        return kept.isEmpty ? nil : .sequence(.init(Array(kept), list.tag))
    }
}
