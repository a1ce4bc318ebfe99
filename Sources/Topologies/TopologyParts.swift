internal import Foundation
import Yams

/// A topology file as what can be left out of it.
package struct TopologyParts {
    /// Where a part stands.
    package struct Path: Hashable, Sendable, CustomStringConvertible {
        enum Step: Hashable, Sendable {
            case key(String)
            case index(Int)
        }

        let steps: [Step]

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

    let root: Node

    init(_ root: Node) { self.root = root }

    /// Of the text of a file; nil where it is no mapping.
    package init?(_ text: String) {
        guard let root = YAMLReader.tree(of: text), root.mapping != nil else { return nil }
        self.root = root
    }

    /// As a file has it.
    package var text: String { Self.text(of: root) }

    static func text(of node: Node) -> String {
        (try? Yams.serialize(node: laidOut(node), width: -1)) ?? ""
    }

    /// A device, a step and the like in a line each, as people write them.
    private static func laidOut(_ root: Node) -> Node {
        guard var file = root.mapping else { return root }
        for key in ["devices", "links", "steps", "faults", "expect"] {
            switch file[key] {
            case .mapping(let mapping)?:
                file[key] = .mapping(
                    Node.Mapping(mapping.map { ($0.key, inOneLine($0.value)) }, .implicit, .block))
            case .sequence(let list)?:
                file[key] = .sequence(Node.Sequence(list.map(inOneLine), .implicit, .block))
            default: break
            }
        }
        file["air"] = file["air"].map(inOneLine)
        return .mapping(file)
    }

    private static func inOneLine(_ node: Node) -> Node {
        switch node {
        case .mapping(var mapping):
            mapping.style = .flow
            for (key, value) in mapping { mapping[key] = inOneLine(value) }
            return .mapping(mapping)
        case .sequence(let list):
            return .sequence(Node.Sequence(list.map(inOneLine), list.tag, .flow))
        case .scalar, .alias: return node
        }
    }

    /// What can be left out, each but for its parts; the biggest first, and of equal ones the last.
    ///
    /// What makes something less by being there is none of them: without its length a run is longer, and
    /// without `one-way` a partition is a whole one. Neither is what a promise or a fluent of the file consists
    /// of, nor what makes a device what it is: with other parameters it is another one, of which something else
    /// may be expected.
    package var paths: [Path] {
        var found: [(path: Path, size: Int)] = []
        _ = collect(root, [], &found)
        return found.enumerated().sorted {
            ($1.element.size, $1.offset) < ($0.element.size, $0.offset)
        }.map(\.element.path)
    }

    /// Whether it has such a part.
    package func has(_ path: Path) -> Bool { node(at: path) != nil }

    /// What stands there.
    func node(at path: Path) -> Node? {
        var node: Node? = root
        for step in path.steps {
            switch step {
            case .key(let key): node = node?.mapping?[key]
            case .index(let index):
                let items = node?.sequence.map(Array.init) ?? []
                node = items.indices.contains(index) ? items[index] : nil
            }
        }
        return node
    }

    private func collect(
        _ node: Node, _ steps: [Path.Step], _ found: inout [(path: Path, size: Int)]
    ) -> Int {
        var size = 1
        for (step, child) in children(of: node) {
            let path = steps + [step]
            guard !Self.isKept(path) else { continue }
            let place = found.count
            found.append((Path(steps: path), 0))
            found[place].size = collect(child, path, &found)
            size += found[place].size
        }
        return size
    }

    private static func isKept(_ path: [Path.Step]) -> Bool {
        switch path.last {
        case .key("length"): path.count == 1
        case .key("one-way"): true
        case .key("parameters"), .key("arguments"), .key("environment"):
            path.count == 3 && path.first == .key("devices")
        // A promise of its own, or a fluent, with less of it is another one.
        default: path.count > 2 && [.key("promises"), .key("fluents")].contains(path.first)
        }
    }

    func children(of node: Node) -> [(Path.Step, Node)] {
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

    /// The text with a sentence on what it is about, and the promise that it breaks, where one is named.
    package func text(about sentence: String, breaking promise: String?) -> String {
        guard var file = root.mapping else { return text }
        file["about"] = nil
        let old = file["expect"]
        if let promise {
            let new = Node("violated \(promise)")
            let others = old.map { $0.sequence.map(Array.init) ?? [$0] } ?? []
            file["expect"] = others.isEmpty ? new : .sequence(Node.Sequence(others + [new]))
        }
        return Self.text(
            of: .mapping(
                Node.Mapping([("about", Node(sentence))] + file.map { ($0.key, $0.value) })))
    }

    /// The text with one more defect of a device; nil where the file names no such device.
    package func text(switchingOn defect: String, of device: String) -> String? {
        changing(device) { spec in
            let old = spec["defects"]?.sequence.map(Array.init) ?? []
            guard !old.contains(where: { $0.string == defect }) else { return }
            spec["defects"] = .sequence(Node.Sequence(old + [Node(defect)], .implicit, .flow))
        }?.text
    }

    /// The text for a file in another folder: relative paths of programs, and arguments that name a file,
    /// count from `folder`.
    package func text(runningFrom folder: String) -> String {
        var parts = self
        for (name, spec) in root.mapping?["devices"]?.mapping ?? [:] {
            guard let name = name.string, let spec = spec.mapping, let path = spec["run"]?.string
            else { continue }
            let isRelative = path.contains("/") && !path.hasPrefix("/")
            let arguments = spec["arguments"]?.sequence?.map { Self.moved($0, from: folder) }
            parts =
                parts.changing(name) { device in
                    if isRelative { device["run"] = Node("\(folder)/\(path)") }
                    if let arguments {
                        device["arguments"] = .sequence(Node.Sequence(arguments, .implicit, .flow))
                    }
                } ?? parts
        }
        return parts.text
    }

    /// An argument of a program that was started in `folder`; one that names a file there goes on doing so.
    private static func moved(_ argument: Node, from folder: String) -> Node {
        guard let word = argument.string, !word.isEmpty, !word.hasPrefix("/") else {
            return argument
        }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(
            atPath: "\(folder)/\(word)", isDirectory: &isFolder)
        return exists && !isFolder.boolValue ? Node("\(folder)/\(word)") : argument
    }

    /// With a device that is another one; nil where the file names no such device.
    func changing(_ device: String, _ change: (inout Node.Mapping) -> Void) -> TopologyParts? {
        guard var file = root.mapping, var devices = file["devices"]?.mapping,
            var spec = devices[device]?.mapping
        else { return nil }
        change(&spec)
        devices[device] = .mapping(spec)
        file["devices"] = .mapping(devices)
        return TopologyParts(.mapping(file))
    }

    func replacing(
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
