/// Making and changing documents; what is not of the kind that is asked for is nil, and setting it
/// changes nothing.
extension YAMLNode {
    /// A scalar that is written plainly where it can be.
    package init(_ text: String, style: Style = .plain) {
        self.init(content: .text(text, style))
    }

    package init(list: [YAMLNode], isInOneLine: Bool = false) {
        self.init(content: .list(list), isInOneLine: isInOneLine)
    }

    /// A mapping of keys that differ.
    package init(mapping: [(key: String, value: YAMLNode)], isInOneLine: Bool = false) {
        let entries = mapping.map { Entry(newKey: $0, value: $1) }
        self.init(content: .mapping(entries), isInOneLine: isInOneLine)
    }

    package var string: String? {
        guard case .text(let text, _) = content else { return nil }
        return text
    }

    package var items: [YAMLNode]? {
        get {
            guard case .list(let items) = content else { return nil }
            return items
        }
        set {
            guard case .list = content, let newValue else { return }
            content = .list(newValue)
        }
    }

    package var entries: [Entry]? {
        get {
            guard case .mapping(let entries) = content else { return nil }
            return entries
        }
        set {
            guard case .mapping = content, let newValue else { return }
            content = .mapping(newValue)
        }
    }

    /// The value of a key of a mapping; nil where it is not given.
    ///
    /// Setting nil takes it out, and a new key becomes the last one.
    package subscript(key: String) -> YAMLNode? {
        get { entries?.first { $0.key == key }?.value }
        set {
            let place = entries?.firstIndex { $0.key == key }
            switch (newValue, place) {
            case (let value?, let place?): entries?[place].value = value
            case (let value?, nil):
                entries?.append(Entry(newKey: key, value: value))
            case (nil, let place?): entries?.remove(at: place)
            case (nil, nil): break
            }
        }
    }

    /// Written in one line, with all that is in it.
    package var inOneLine: YAMLNode {
        var node = self
        switch content {
        case .text: return self
        case .list(let items): node.content = .list(items.map(\.inOneLine))
        case .mapping(let entries):
            node.content = .mapping(
                entries.map { Entry(key: $0.key, keyNode: $0.keyNode, value: $0.value.inOneLine) })
        }
        node.isInOneLine = true
        return node
    }
}

extension YAMLNode.Entry {
    /// An entry whose key nobody has written yet.
    fileprivate init(newKey key: String, value: YAMLNode) {
        let style = YAMLBoolean.isOne(key) ? YAMLNode.Style.singleQuoted : .plain
        self.init(key: key, keyNode: YAMLNode(key, style: style), value: value)
    }
}

/// Where a part of a document stands.
package struct YAMLPath: Hashable, Sendable, CustomStringConvertible {
    /// A step into a mapping, or into a list.
    package enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    package let steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    /// The path as people write it: `devices.lock.defects`, `steps[2]`.
    package var description: String {
        steps.reduce("") { text, step in
            switch step {
            case .key(let key): text.isEmpty ? key : "\(text).\(key)"
            case .index(let index): "\(text)[\(index)]"
            }
        }
    }
}

extension YAMLNode {
    /// Its parts, each with the step that leads there.
    package var children: [(step: YAMLPath.Step, node: YAMLNode)] {
        switch content {
        case .text: []
        case .list(let items): items.enumerated().map { (.index($0.offset), $0.element) }
        case .mapping(let entries): entries.map { (.key($0.key), $0.value) }
        }
    }

    /// What stands at a path; nil where nothing does.
    package subscript(path: YAMLPath) -> YAMLNode? {
        path.steps.reduce(self) { node, step in
            switch step {
            case .key(let key): node?[key]
            case .index(let index):
                node?.items.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            }
        }
    }

    /// With something else at a path, or without what stands there; as it is where nothing does.
    ///
    /// - Returns: nil where nothing is left.
    package func replacing(_ path: YAMLPath, by new: YAMLNode?) -> YAMLNode? {
        guard let step = path.steps.first else { return new }
        let rest = YAMLPath(Array(path.steps.dropFirst()))
        var node = self
        switch step {
        case .key(let key):
            guard let child = self[key] else { return self }
            node[key] = child.replacing(rest, by: new)
        case .index(let index):
            node.items = items?.enumerated().compactMap { place, child in
                place == index ? child.replacing(rest, by: new) : child
            }
        }
        return node
    }
}
