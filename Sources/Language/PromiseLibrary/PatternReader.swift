import Basics
import DeviceLink
package import Traces
import Vocabulary
package import YAML

/// Reads a pattern of events and checks that its kind, device, fields and values exist.
package struct PatternReader {
    package let cast: Cast
    /// The text's node, for positions.
    package let node: YAMLNode

    package init(cast: Cast, node: YAMLNode) {
        self.cast = cast
        self.node = node
    }

    /// The pattern in `text`, which stands in `node` or is `node`'s text with a group spelt out.
    package func pattern(_ text: String) throws(Problem) -> EventPattern {
        var pattern: EventPattern
        do {
            pattern = try EventPattern(parsing: text)
        } catch {
            throw problem(
                error.message, column: error.column, length: error.length, expected: error.expected)
        }
        // A device that is called what a role is called is meant itself.
        if let name = pattern.role?.rawValue, cast.kind(of: name) != nil {
            (pattern.device, pattern.role) = (name, nil)
        }
        try checkDevice(pattern, in: text)
        // Somebody else's program may observe what it likes in families of its own.
        let family = pattern.kind.prefix { $0 != "." }
        guard Self.families.contains(family) || !isForeign(pattern.device) else { return pattern }
        try checkKind(pattern)
        try checkRole(pattern)
        for condition in pattern.conditions { try check(condition, of: pattern, in: text) }
        return pattern
    }

    private func checkDevice(_ pattern: EventPattern, in text: String) throws(Problem) {
        guard let device = pattern.device, cast.kind(of: device) == nil else { return }
        throw located(
            cast.unknown(device, at: node), word: device, after: pattern.kind.count, in: text)
    }

    /// The families whose kinds are all known.
    private static let families = EventKind.allCases.map(\.family).uniqued

    private func isForeign(_ device: String?) -> Bool {
        device.flatMap(cast.kind(of:)) == .foreign
    }

    private func checkKind(_ pattern: EventPattern) throws(Problem) {
        guard Catalogue.kinds(below: pattern.kind).isEmpty else { return }
        throw problem(
            "there is no event `\(pattern.kind)`", column: 1, length: pattern.kind.count,
            expected: "the kind of an event, like link.up or msg.initialize",
            suggestion: Suggestion.nearest(to: pattern.kind, among: Catalogue.kindsAndPrefixes))
    }

    /// A phone's event never happens on an accessory; but what somebody else's program does on the air is not known.
    private func checkRole(_ pattern: EventPattern) throws(Problem) {
        let isForeign = isForeign(pattern.device)
        guard !isForeign || EventKind.fence.admits(pattern.kind),
            let only = Catalogue.role(of: pattern.kind),
            let role = pattern.role ?? pattern.device.flatMap(cast.role(of:)), role != only
        else { return }
        let model = isForeign && only == .appleDevice ? " (`model: iPhone 15` makes it one)" : ""
        throw problem(
            "`\(pattern.kind)` never happens on \(Catalogue.Kind(role).rawValue)", column: 1,
            length: pattern.kind.count,
            expected: "`on` \(Catalogue.Kind(only).rawValue)\(model), or another event")
    }

    private func check(
        _ condition: EventPattern.Condition, of pattern: EventPattern, in text: String
    ) throws(Problem) {
        func located(_ whole: Problem, at word: String) -> Problem {
            self.located(whole, word: word, after: pattern.kind.count, in: text)
        }
        let fields = Catalogue.fields(below: pattern.kind)
        guard let field = fields.first(where: { $0.name == condition.field }) else {
            let names = fields.map(\.name)
            let unknown = node.problem(
                "`\(pattern.kind)` has no field `\(condition.field)`",
                expected: names.isEmpty ? "no condition" : names.joined(separator: ", "),
                suggestion: Suggestion.nearest(to: condition.field, among: names))
            throw located(unknown, at: condition.field)
        }
        guard field.holds(condition.value) else {
            let wrong = node.problem(
                "`\(condition.field)` is \(field.values.described)",
                expected: field.values.example)
            throw located(wrong, at: condition.field)
        }
        guard field.canBe(condition.value) else {
            throw located(impossible(condition, for: field), at: condition.field)
        }
        if case .number(let number) = condition.value,
            !field.isDecided(by: condition.comparison, number), let range = field.range
        {
            let vacuous = node.problem(
                "`\(condition)` is decided whatever happens",
                expected: "a number from \(range.lowerBound) to \(range.upperBound)")
            throw located(vacuous, at: condition.field)
        }
        if field.values == .device, case .text(let name) = condition.value,
            cast.kind(of: name) == nil
        {
            throw located(cast.unknown(name, at: node), at: name)
        }
    }

    /// The problem that a field never has a value.
    private func impossible(
        _ condition: EventPattern.Condition, for field: Catalogue.TraceField
    ) -> Problem {
        guard case .text(let word) = condition.value, let words = field.words else {
            let range = field.range ?? 0...0
            return node.problem(
                "`\(condition)` never happens",
                expected: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return node.problem(
            "`\(condition.field)` is never `\(word)`", expected: words.joined(separator: ", "),
            suggestion: Suggestion.nearest(to: word, among: words))
    }

    /// A problem of the whole node, moved to a word of it.
    private func located(
        _ whole: Problem, word: String, after: Int, in text: String
    ) -> Problem {
        let start = text.index(text.startIndex, offsetBy: after, limitedBy: text.endIndex)
        let range = text[(start ?? text.startIndex)...].firstRange(of: word)
        let column = range.map { text.distance(from: text.startIndex, to: $0.lowerBound) + 1 } ?? 1
        return problem(
            whole.message, column: column, length: word.count, expected: whole.expected,
            suggestion: whole.suggestion)
    }

    private func problem(
        _ message: String, column: Int, length: Int, expected: String, suggestion: String? = nil
    ) -> Problem {
        var position = node.position
        if case .text(_, let style) = node.content, style != .plain { position.column += 1 }
        position.column += column - 1
        return Problem(
            message, at: position, length: length, expected: expected, suggestion: suggestion)
    }
}

extension Catalogue.Kind {
    fileprivate init(_ role: DeviceRole) {
        self = role == .accessory ? .accessory : .appleDevice
    }
}
