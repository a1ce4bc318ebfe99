import Yams

/// A topology file as what can be left out of it.
package struct TopologyParts {
    /// Where a part stands.
    package struct Path: Hashable, Sendable, CustomStringConvertible {
        fileprivate enum Step: Hashable, Sendable {
            case key(String)
            case index(Int)
        }

        fileprivate let steps: [Step]

        /// `devices.lock.defects`, `steps[2]`.
        package var description: String {
            steps.reduce("") { text, step in
                switch step {
                case .key(let key): text.isEmpty ? key : "\(text).\(key)"
                case .index(let index): "\(text)[\(index)]"
                }
            }
        }
    }

    private let root: Node

    /// Of the text of a file; nil where it is no mapping.
    package init?(_ text: String) {
        // Plain texts stay what they are; nothing here asks which of them is a number.
        guard let root = try? Yams.compose(yaml: text, .basic), root.mapping != nil else {
            return nil
        }
        self.root = root
    }

    /// As a file has it.
    package var text: String { Self.text(of: root) }

    private static func text(of node: Node) -> String { (try? Yams.serialize(node: node)) ?? "" }

    /// What can be left out, each but for its parts; the biggest first, and of equal ones the last.
    ///
    /// The length is none of them: without it a run is longer.
    package var paths: [Path] {
        var found: [(path: Path, size: Int)] = []
        _ = collect(root, [], &found)
        return found.enumerated().sorted {
            ($1.element.size, $1.offset) < ($0.element.size, $0.offset)
        }.map(\.element.path)
    }

    /// Whether it has such a part.
    package func has(_ path: Path) -> Bool {
        var node: Node? = root
        for step in path.steps {
            switch step {
            case .key(let key): node = node?.mapping?[key]
            case .index(let index):
                let items = node?.sequence.map(Array.init) ?? []
                node = items.indices.contains(index) ? items[index] : nil
            }
        }
        return node != nil
    }

    private func collect(
        _ node: Node, _ steps: [Path.Step], _ found: inout [(path: Path, size: Int)]
    ) -> Int {
        var size = 1
        for (step, child) in children(of: node) where steps != [] || step != .key("length") {
            let path = steps + [step]
            let place = found.count
            found.append((Path(steps: path), 0))
            found[place].size = collect(child, path, &found)
            size += found[place].size
        }
        return size
    }

    private func children(of node: Node) -> [(Path.Step, Node)] {
        switch node {
        case .mapping(let mapping): mapping.map { (.key($0.key.string ?? ""), $0.value) }
        case .sequence(let list): list.enumerated().map { (.index($0.offset), $0.element) }
        case .scalar, .alias: []
        }
    }

    /// The text without a part.
    package func text(without path: Path) -> String {
        Self.text(of: replacing(path.steps[...], in: root, by: nil) ?? root)
    }

    /// The text with another value of a key at the top, which may be new.
    package func text(with key: String, _ value: String) -> String {
        guard var mapping = root.mapping else { return text }
        mapping[Node(key)] = Node(value)
        return Self.text(of: .mapping(mapping))
    }

    /// The text with one more defect of a device; nil where the file names no such device.
    package func text(switchingOn defect: String, of device: String) -> String? {
        guard var file = root.mapping, var devices = file["devices"]?.mapping,
            var spec = devices[device]?.mapping
        else { return nil }
        let old = spec["defects"]?.sequence.map(Array.init) ?? []
        if !old.contains(where: { $0.string == defect }) {
            spec["defects"] = .sequence(
                Node.Sequence(old + [Node(defect)], .implicit, .flow))
        }
        devices[device] = .mapping(spec)
        file["devices"] = .mapping(devices)
        return Self.text(of: .mapping(file))
    }

    private func replacing(
        _ steps: ArraySlice<Path.Step>, in node: Node, by new: Node?
    ) -> Node? {
        guard let step = steps.first else { return new }
        let rest = steps.dropFirst()
        switch (node, step) {
        case (.mapping(var mapping), .key(let key)):
            guard let child = mapping[key] else { return node }
            mapping[key] = replacing(rest, in: child, by: new)
            return .mapping(mapping)
        case (.sequence(let list), .index(let index)):
            let items = list.enumerated().compactMap { place, child in
                place == index ? replacing(rest, in: child, by: new) : child
            }
            return .sequence(Node.Sequence(items, list.tag, list.style))
        default: return node
        }
    }
}
