import Basics

/// A mapping whose keys are known; all that are not are a problem at once.
package struct YAMLMapping {
    /// What the mapping describes, for messages: `a device`.
    package let what: String
    package let node: YAMLNode
    private let entries: [YAMLNode.Entry]

    /// A list of more keys than this helps nobody who only made a slip.
    private static let longList = 20

    /// The mapping in `node`, which may hold `keys` only.
    package init(_ node: YAMLNode, of what: String, keys: [String]) throws(Problem) {
        var mistakes = Mistakes()
        self = try YAMLMapping(node, of: what, keys: keys, noting: &mistakes)
        try mistakes.check()
    }

    /// The mapping in `node`, of which keys beside `keys` are mistakes and nothing else.
    package init(
        _ node: YAMLNode, of what: String, keys: [String], noting mistakes: inout Mistakes
    ) throws(Problem) {
        guard case .mapping(let all) = node.content else {
            throw node.problem(
                "\(what) cannot be \(node.described)",
                expected: "a mapping with \(keys.joined(separator: ", "))")
        }
        for entry in all where !keys.contains(entry.key) {
            let nearest = Suggestion.nearest(to: entry.key, among: keys)
            let isLong = keys.count > Self.longList
            mistakes.add(
                entry.keyNode.problem(
                    "\(what) has no key `\(entry.key)`",
                    expected: isLong && nearest != nil ? "" : keys.joined(separator: ", "),
                    suggestion: nearest))
        }
        self.what = what
        self.node = node
        entries = all.filter { keys.contains($0.key) }
    }

    /// The keys, in the file's order.
    package var keys: [String] { entries.map(\.key) }

    /// The value of a key; nil where it is not given.
    package subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    package func keyNode(_ key: String) -> YAMLNode? { entries.first { $0.key == key }?.keyNode }

    /// The value of a key that must be given.
    package func required(_ key: String, expected: String) throws(Problem) -> YAMLNode {
        guard let value = self[key] else {
            throw Problem("\(what) needs `\(key)`", at: node.position, expected: expected)
        }
        return value
    }
}

extension YAMLNode? {
    /// What `read` makes of the value of the key `name`; nil where it is not given.
    package func read<Value>(
        _ name: String, _ read: (YAMLNode, String) throws(Problem) -> Value
    ) throws(Problem) -> Value? {
        guard let self else { return nil }
        return try read(self, name)
    }
}
