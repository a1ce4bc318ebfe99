import Basics
package import YAML

/// A topology file as parts that can be removed or changed.
package struct TopologyParts {
    /// Where a part stands.
    package typealias Path = YAMLPath

    let root: YAMLNode

    init(_ root: YAMLNode) { self.root = root }

    /// Of the text of a file; nil where it is no mapping.
    package init?(_ text: String) {
        guard let root = YAMLReader.tree(of: text), root.entries != nil else { return nil }
        self.root = root
    }

    /// As a file has it, a device, a step and the like in a line each, as people write them.
    package var text: String {
        var file = root
        for key in ["devices", "walls", "links", "steps", "faults", "expect"] {
            guard var section = file[key] else { continue }
            section.items = section.items?.map(\.inOneLine)
            section.entries = section.entries?.map { entry in
                var entry = entry
                entry.value = entry.value.inOneLine
                return entry
            }
            section.isInOneLine = false
            file[key] = section
        }
        file["air"] = file["air"]?.inOneLine
        return file.document
    }

    /// The parts that can be removed; the biggest first, and of equal ones the last.
    ///
    /// What limits something is none of them: without its length a run is longer, and without `one-way` a
    /// partition is complete. Nor are the parts of a promise or a fluent, and the parameters of a device:
    /// with others it is another device.
    package var paths: [Path] {
        var found: [(path: Path, size: Int)] = []
        _ = collect(below: root, at: [], into: &found)
        return found.enumerated().sorted {
            ($1.element.size, $1.offset) < ($0.element.size, $0.offset)
        }.map(\.element.path)
    }

    /// Whether a program of somebody else's plays one of its devices.
    package var startsPrograms: Bool {
        (root["devices"]?.entries ?? []).contains { device in
            ["run", "hci"].contains { device.value[$0] != nil }
        }
    }

    package func has(_ path: Path) -> Bool { root[path] != nil }

    private func collect(
        below node: YAMLNode, at steps: [Path.Step], into found: inout [(path: Path, size: Int)]
    ) -> Int {
        var size = 1
        for (step, child) in node.children {
            let path = steps + [step]
            guard !Self.isKept(path) else { continue }
            let place = found.count
            found.append((Path(path), 0))
            found[place].size = collect(below: child, at: path, into: &found)
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

    package func text(without path: Path) -> String { replacing(path, by: nil).text }

    /// With something else at a path, or without what stands there.
    func replacing(_ path: Path, by new: YAMLNode?) -> TopologyParts {
        TopologyParts(root.replacing(path, by: new) ?? root)
    }

    /// The text with a sentence on what it is about, and the promise that it breaks, where one is named.
    package func text(about sentence: String, breaking promise: String?) -> String {
        var file = root
        file["about"] = nil
        if let promise {
            let new = YAMLNode("violated \(promise)")
            let others = file["expect"].map { $0.items ?? [$0] } ?? []
            file["expect"] = others.isEmpty ? new : YAMLNode(list: others + [new])
        }
        let about = YAMLNode(mapping: [("about", YAMLNode(sentence))])
        file.entries?.insert(contentsOf: about.entries ?? [], at: 0)
        return TopologyParts(file).text
    }

    /// The text with one more defect of a device; nil where the file names no such device.
    package func text(switchingOn defect: String, of device: String) -> String? {
        changing(device) { spec in
            let old = spec["defects"]?.items ?? []
            guard !old.contains(where: { $0.string == defect }) else { return }
            spec["defects"] = YAMLNode(list: old + [YAMLNode(defect)], isInOneLine: true)
        }?.text
    }

    /// The text for a file in another folder: relative paths of programs, and arguments that name a file, lead
    /// the same way.
    ///
    /// - Parameters:
    ///   - way: The way from the other folder to the one from which they count: `../mine`, or an absolute path.
    ///   - isFile: Whether an argument is a relative path of a file, as it stands here.
    /// - Returns: The text.
    package func text(
        runningBy way: String, isFile: (_ argument: String) -> Bool
    ) -> String {
        var parts = self
        for device in root["devices"]?.entries ?? [] {
            guard let key = ["run", "hci"].first(where: { device.value[$0] != nil }),
                let path = device.value[key]?.string
            else { continue }
            let isRelative = path.contains("/") && !path.hasPrefix("/")
            let arguments = device.value["arguments"]?.items?.map { argument in
                guard let word = argument.string, !word.isEmpty, !word.hasPrefix("/"),
                    isFile(word)
                else { return argument }
                return YAMLNode(tidyPath("\(way)/\(word)"))
            }
            parts =
                parts.changing(device.key) { spec in
                    if isRelative { spec[key] = YAMLNode(programPath("\(way)/\(path)")) }
                    if let arguments {
                        spec["arguments"] = YAMLNode(list: arguments, isInOneLine: true)
                    }
                } ?? parts
        }
        return parts.text
    }

    /// With a device that is another one; nil where the file names no such device.
    func changing(_ device: String, by change: (inout YAMLNode) -> Void) -> TopologyParts? {
        let path = Path([.key("devices"), .key(device)])
        guard var spec = root[path], spec.entries != nil else { return nil }
        change(&spec)
        return replacing(path, by: spec)
    }
}
