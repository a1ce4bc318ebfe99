package import Promises
package import Traces
import Vocabulary
package import YAML

/// Reads patterns and keys of promises.
package struct PatternsReader {
    package let cast: Cast

    package init(cast: Cast) { self.cast = cast }

    /// A pattern, or a list of patterns of which one is meant.
    package func all(_ node: YAMLNode, for name: String) throws(Problem) -> [EventPattern] {
        guard case .list(let items) = node.content else { return [try one(node, for: name)] }
        guard !items.isEmpty else {
            throw node.problem("`\(name)` names no event", expected: "at least one event")
        }
        var patterns: [EventPattern] = []
        for item in items { patterns.append(try one(item, for: name)) }
        return patterns
    }

    package func one(_ node: YAMLNode, for name: String) throws(Problem) -> EventPattern {
        let text = try node.text(name, expected: "an event, like link.up")
        let pattern = try PatternReader(cast: cast, node: node).pattern(text)
        if let field = pattern.contradiction {
            throw node.problem("no event can have both values of `\(field)`")
        }
        return pattern
    }
}

/// What instances may be told apart by.
package let eventKeyNames =
    ["device"] + DeviceRole.allCases.map(\.rawValue) + Catalogue.fieldNames

/// Keys of instances: `device`, a role, or fields that some event has.
package func eventKeys(_ node: YAMLNode, for name: String) throws(Problem) -> [EventKey] {
    try distinct(node, named: \.name) { item throws(Problem) in
        EventKey(try item.choice(name, of: eventKeyNames))
    }
}

/// The keys that two events have the same: a name that both have, or `peer-address = address`.
func eventKeyPairs(_ node: YAMLNode, for name: String) throws(Problem) -> [EventKeyPair] {
    try distinct(node, named: \.key.name) { item throws(Problem) in
        let text = try item.text(name, expected: "a field, or two like peer-address = address")
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2 else {
            return EventKeyPair(EventKey(try item.choice(name, of: eventKeyNames)))
        }
        let key = try item.part(sides[0], of: text).choice(name, of: eventKeyNames)
        let other = try item.part(sides[1], of: text).choice(name, of: eventKeyNames)
        return EventKeyPair(EventKey(key), EventKey(other))
    }
}

/// The keys in one place or in a list of places, none of which stands twice.
private func distinct<Key>(
    _ node: YAMLNode, named nameOf: (Key) -> String,
    read: (YAMLNode) throws(Problem) -> Key
) throws(Problem) -> [Key] {
    var items = [node]
    if case .list(let list) = node.content { items = list }
    var keys: [Key] = []
    for item in items {
        let key = try read(item)
        guard !keys.contains(where: { nameOf($0) == nameOf(key) }) else {
            throw item.problem("`\(nameOf(key))` stands twice")
        }
        keys.append(key)
        guard keys.count <= EventKey.most else {
            throw item.problem(
                "there are too many keys", expected: "at most \(EventKey.most)")
        }
    }
    return keys
}

extension EventPattern {
    /// A field of which the conditions demand two values at once.
    fileprivate var contradiction: String? {
        let wanted = conditions.filter { $0.comparison == .equal }
        return wanted.first { one in
            wanted.contains { $0.field == one.field && $0.value != one.value }
        }?.field
    }

    /// Whether an event that is meant can have a key.
    package func mayHave(_ key: EventKey) -> Bool {
        switch key {
        case .device: return !kind.hasPrefix("run.")
        case .role(let role):
            return self.role == nil || self.role == role || mayHave(.field("peer"))
        case .field(let name):
            let fields = Catalogue.fields(below: kind)
            return fields.contains { $0.name == name }
        }
    }

    /// Whether every event that is meant is one of the other pattern's, too.
    package func implies(_ other: EventPattern) -> Bool {
        other.matches(kind: kind) && (other.device == nil || other.device == device)
            && (other.role == nil || other.role == role)
            && other.conditions.allSatisfy(conditions.contains)
    }
}
