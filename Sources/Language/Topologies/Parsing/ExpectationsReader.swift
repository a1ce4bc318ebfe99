import Basics
import PromiseLibrary
import Promises
import Scenarios
import Traces
import YAML

/// Reads `expect:`: a list of expectations, or one that is a text (`violated PROMISE`).
struct ExpectationsReader {
    let cast: Cast
    /// The fluents that may be spoken of, and the promises of the topology's own.
    let own: PropertySet
    /// Whether a name that is no promise is a mistake: not where a promise could not be read.
    let knowsAllPromises: Bool
    /// What is expected in the language of promises.
    private(set) var properties: [Property] = []
    private(set) var expectations: [Expectation] = []
    private(set) var mustViolate: [String] = []
    private(set) var sideEffects: [Topology.SideEffect] = []

    init(
        _ node: YAMLNode, with cast: Cast, own: PropertySet, knowsAllPromises: Bool
    ) throws(Problem) {
        self.cast = cast
        self.own = own
        self.knowsAllPromises = knowsAllPromises
        if case .text = node.content, !node.isNothing {
            try readText(node)
        } else {
            try readList(node)
        }
    }

    private mutating func readList(_ node: YAMLNode) throws(Problem) {
        var mistakes = Mistakes()
        for item in try node.list(
            "expect", expected: "a list, like - eventually within 10s: ni.didUpdate on ben")
        {
            mistakes.attempt { () throws(Problem) in
                if case .text = item.content, !item.isNothing {
                    try readText(item)
                } else {
                    try readItem(item)
                }
            }
            guard expectations.count <= TopologyLimits.expectations else {
                throw item.problem(
                    "there are too many expectations",
                    expected: "at most \(TopologyLimits.expectations)")
            }
        }
        try mistakes.check()
    }

    /// Reads an expectation that is a text: `violated PROMISE`.
    private mutating func readText(_ node: YAMLNode) throws(Problem) {
        let text = try node.text("expect")
        guard text.hasPrefix("violated ") else {
            throw node.problem(
                "`\(text)` is not an expectation", expected: ExpectationWord.forms)
        }
        try readPromise(node.part(text.dropFirst(9), of: text))
    }

    private mutating func readPromise(_ node: YAMLNode) throws(Problem) {
        let promise = try promise(node)
        guard !mustViolate.contains(promise) else {
            throw node.problem("`violated: \(promise)` stands twice")
        }
        mustViolate.append(promise)
    }

    /// A promise that is broken beside the one that is meant, and why that cannot be avoided.
    private mutating func readSideEffect(_ node: YAMLNode) throws(Problem) {
        let keys = ExpectationWord.sideEffect
        let mapping = try YAMLMapping(node, of: "a side effect", keys: keys)
        let effect = Topology.SideEffect(
            promise: try promise(mapping.required(keys[0], expected: "a promise")),
            reason: try mapping.required(keys[1], expected: "a reason").text(keys[1]))
        guard !sideEffects.contains(where: { $0.promise == effect.promise }) else {
            throw node.problem("`\(keys[0]): \(effect.promise)` stands twice")
        }
        sideEffects.append(effect)
    }

    private func promise(_ node: YAMLNode) throws(Problem) -> String {
        let known = PropertyLibrary.promiseNames + own.properties.map(\.id)
        let promise = try node.text("violated", expected: "a promise")
        guard known.contains(promise) || !knowsAllPromises else {
            throw node.problem(
                "there is no promise `\(promise)`", expected: "one that `anechoic promises` lists",
                suggestion: Suggestion.nearest(to: promise, among: known))
        }
        return promise
    }

    private mutating func readItem(_ node: YAMLNode) throws(Problem) {
        let name = "expected in line \(node.position.line)"
        let entries = try node.entries("an expectation", expected: ExpectationWord.forms)
        if entries.contains(where: { PromiseKeys.telling.contains($0.key) }) {
            let reader = PropertyReader(
                fluents: own.fluents, patterns: PatternsReader(cast: cast))
            var property = try reader.property(node, name: name)
            if property.about.sentence.isEmpty {
                property.about.sentence = String(node.inOneLine.document.dropLast())
            }
            return properties.append(property)
        }
        if entries.contains(where: { $0.key == ExpectationWord.sideEffect[0] }) {
            return try readSideEffect(node)
        }
        guard let entry = entries.first, entries.count == 1 else {
            let place = entries.count > 1 ? entries[1].keyNode : node
            throw place.problem(
                "an expectation has one key, this one has \(entries.count)",
                expected: "a `-` before each expectation")
        }
        switch try ExpectationWord(entry.keyNode, with: cast) {
        case .violated: try readPromise(entry.value)
        case .events(let form):
            let patterns = try patterns(entry.value, of: form)
            for choice in choices(patterns) {
                try add(choice, as: form, of: entry, named: name, at: node.position)
            }
        }
    }

    private mutating func add(
        _ patterns: [GroupedPattern], as form: ExpectationWord.Form, of entry: YAMLNode.Entry,
        named name: String, at source: SourcePosition
    ) throws(Problem) {
        var parsed: [EventPattern] = []
        for pattern in patterns {
            let reader = PatternReader(cast: cast, node: pattern.node)
            parsed.append(try reader.pattern(pattern.text))
        }
        let texts = patterns.map(\.text)
        let written = form.isOrder ? "[" + texts.joined(separator: ", ") + "]" : texts[0]
        expectations.append(
            Expectation(
                Property(name, body: form.body(parsed)), text: "\(entry.key): \(written)",
                source: source))
    }
}

/// A pattern in which `every GROUP` has or has not been spelt out yet.
private struct GroupedPattern {
    var text: String
    var node: YAMLNode
    /// The groups it names after `every`.
    var groups: [String]

    /// The pattern for one member of a group.
    func spelt(_ group: String, as member: String) -> GroupedPattern {
        var copy = self
        copy.text = text.replacing("every \(group)", with: member)
        copy.groups = groups.filter { $0 != group }
        return copy
    }
}

extension ExpectationsReader {
    private func patterns(
        _ node: YAMLNode, of form: ExpectationWord.Form
    ) throws(Problem) -> [GroupedPattern] {
        guard form.isOrder else { return [try grouped(node)] }
        let items = try node.list("in order", expected: "a list of at least two events")
        guard items.count > 1 else {
            throw node.problem("one event has no order", expected: "a list of at least two events")
        }
        var patterns: [GroupedPattern] = []
        for item in items { patterns.append(try grouped(item)) }
        return patterns
    }

    private func grouped(_ node: YAMLNode) throws(Problem) -> GroupedPattern {
        let text = try node.text("an expectation", expected: "an event, like ni.didUpdate on ben")
        let words = text.split(separator: " ").map(String.init)
        var groups: [String] = []
        for (word, next) in zip(words, words.dropFirst()) where word == "every" {
            _ = try cast.members(ofGroup: next, at: node)
            if !groups.contains(next) { groups.append(next) }
        }
        return GroupedPattern(
            text: words.joined(separator: " "), node: node, groups: groups)
    }

    /// The patterns once for each member of each group they name.
    private func choices(_ patterns: [GroupedPattern]) -> [[GroupedPattern]] {
        guard let group = patterns.flatMap(\.groups).first, let members = cast.group(group) else {
            return [patterns]
        }
        return members.flatMap { member in
            choices(patterns.map { $0.spelt(group, as: member) })
        }
    }
}
