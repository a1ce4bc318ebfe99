import Basics
package import Promises
import Traces
import Vocabulary
package import YAML

/// Reads one entry of `promises:` (PROMISES.md).
package struct PropertyReader {
    package let fluents: [Fluent]
    package let patterns: PatternsReader

    package init(fluents: [Fluent], patterns: PatternsReader) {
        self.fluents = fluents
        self.patterns = patterns
    }

    /// The promise of a mapping; one without a name gets `name`, where that is given.
    package func property(_ node: YAMLNode, name: String? = nil) throws(Problem) -> Property {
        let mapping = try YAMLMapping(node, of: "a promise", keys: PromiseKeys.promise)
        let id: String
        if let name, mapping["promise"] == nil {
            id = name
        } else {
            id = try mapping.required("promise", expected: "its name").text("promise")
        }
        let level = try mapping["level"].read("level") { node, name throws(Problem) in
            try node.choice(name, of: Property.Level.allCases.map(\.rawValue))
        }
        let keeper = try mapping["keeper"].read("keeper") { node, name throws(Problem) in
            try node.choice(name, of: Property.Keeper.allCases.map(\.rawValue))
        }
        let keys = try mapping["per"].read("per", eventKeys) ?? []
        let body = try body(mapping)
        let property = Property(
            id, clause: PromiseSource(try mapping["clause"]?.text("clause") ?? ""),
            level: level.flatMap(Property.Level.init) ?? .must,
            keeper: keeper.flatMap(Property.Keeper.init),
            sentence: try mapping["says"]?.text("says") ?? "",
            keys: keys,
            scope: try mapping["while"].read("while", condition),
            ends: try mapping["ends"].read("ends", patterns.all) ?? [],
            stimuli: try mapping["exercised-by"].read("exercised-by", patterns.all) ?? [],
            body: body,
            breaks: try mapping["breaks"].read("breaks") { node, name throws(Problem) in
                let sentence = BreachSentence(try node.text(name))
                try check(sentence, at: node, for: name, naming: keys, body.breaking)
                return sentence
            })
        try checkThatItCanTrigger(property, in: mapping)
        return property
    }

    /// In the sentence for a breach only keys of the promise stand in braces, and fields of the events that break it.
    private func check(
        _ sentence: BreachSentence, at node: YAMLNode, for name: String, naming keys: [EventKey],
        _ events: [EventPattern]
    ) throws(Problem) {
        let fields = events.flatMap { Catalogue.fields(below: $0.kind).map(\.name) }
        let names = (keys.map(\.name) + fields).uniqued
        // Somebody's own observations have whatever fields he gives them.
        let isOpen = events.contains { Catalogue.kinds(below: $0.kind).isEmpty }
        guard let wrong = sentence.names.first(where: { !isOpen && !names.contains($0) }) else {
            return
        }
        throw node.problem(
            "`{\(wrong)}` in `\(name)` is no key of this promise and no field of what breaks it",
            expected: names.isEmpty
                ? "keys in `per`" : names.map { "{\($0)}" }.joined(separator: ", "),
            suggestion: Suggestion.nearest(to: wrong, among: names))
    }

    // MARK: Bodies

    private func body(_ mapping: YAMLMapping) throws(Problem) -> Property.Body {
        switch try form(mapping) {
        case ["never"]: return .never(try list(in: mapping, for: "never"))
        case let form where form[0] == "when":
            return .response(
                when: try list(in: mapping, for: "when"), then: try list(in: mapping, for: "then"),
                same: try mapping["same"].read("same", eventKeys) ?? [],
                within: try mapping["within"].read("within", timeBound),
                unless: try listIfGiven(in: mapping, for: "unless"))
        case let form where form[0] == "event" && form[1] == "needs":
            return .precedence(
                event: try list(in: mapping, for: "event"),
                needs: try list(in: mapping, for: "needs"),
                same: try mapping["same"].read("same", eventKeyPairs) ?? [],
                since: try listIfGiven(in: mapping, for: "since"),
                within: try mapping["within"]?.duration("within"))
        case let form where form[0] == "event":
            let field = try mapping.required("same", expected: "a field").text("same")
            return .correlation(
                event: try list(in: mapping, for: "event"), field: field,
                source: try list(in: mapping, for: "as"))
        case ["always"]:
            return .always(
                try condition(mapping.required("always", expected: "a condition"), for: "always"))
        case let form where form[0] == "eventually":
            return .existence(
                [try list(in: mapping, for: "eventually")],
                within: try mapping["within"].read("within", timeBound))
        case let form where form[0] == "at-most": return try atMost(mapping)
        case ["machine"]:
            return try machine(mapping.required("machine", expected: "states"))
        default: return try count(mapping)
        }
    }

    /// The keys of the form of body that the keys of a promise tell.
    private func form(_ mapping: YAMLMapping) throws(Problem) -> [String] {
        let given = mapping.keys.filter { !PromiseKeys.heading.contains($0) }
        let form = PromiseKeys.bodies.first { form in
            given.contains(form[0]) && (form[0] != "event" || given.contains(form[1]))
                && (form[1...].first != "same" || given.contains("as"))
        }
        guard let form else {
            throw mapping.node.problem(
                "this promise says nothing", expected: PromiseKeys.forms,
                suggestion: given.contains("event") ? "needs, or same and as" : nil)
        }
        if let stray = given.first(where: { !form.contains($0) }), let node = mapping.keyNode(stray)
        {
            throw node.problem(
                "`\(stray)` does not go with `\(form[0])`",
                expected: form.joined(separator: ", "))
        }
        return form
    }

    private func atMost(_ mapping: YAMLMapping) throws(Problem) -> Property.Body {
        let limit = try mapping.required("at-most", expected: "a number")
            .integer("at-most", in: 0...1_000_000)
        let node = try mapping.required("of", expected: "a fluent")
        return .atMost(Int(limit), fluent: try fluent(try node.text("of"), at: node))
    }

    private func count(_ mapping: YAMLMapping) throws(Problem) -> Property.Body {
        let range: ClosedRange<Int64> = 0...1_000_000_000
        let least = try mapping["min"]?.integer("min", in: range)
        let most = try mapping["max"]?.integer("max", in: range)
        guard least != nil || most != nil else {
            throw mapping.node.problem("`count` needs a bound", expected: "min, max or both")
        }
        if let least, let most, least > most, let node = mapping["min"] {
            throw node.problem("`min` is greater than `max`", expected: "at most \(most)")
        }
        let window = try mapping["over"]?.duration("over")
        if window != nil, least != nil, let node = mapping.keyNode("min") {
            throw node.problem("`min` does not go with `over`", expected: "max")
        }
        let bounds = Int(least ?? 0)...(most.map(Int.init) ?? Int.max)
        return .count(try list(in: mapping, for: "count"), range: bounds, over: window)
    }

    private func machine(_ node: YAMLNode) throws(Problem) -> Property.Body {
        let expected = "states, like idle: {ni.run: pending}"
        let entries = try node.entries("machine", expected: expected)
        let names = entries.map(\.key)
        guard !entries.isEmpty else {
            throw node.problem("this machine has no state", expected: expected)
        }
        var states: [Property.MachineState] = []
        for entry in entries {
            var moves: [Property.MachineState.Move] = []
            for move in try entry.value.entries(entry.key, expected: "an event and a state") {
                let target = try move.value.choice(move.key, of: names)
                moves.append(
                    .init(
                        try patterns.one(move.keyNode, for: entry.key),
                        to: names.firstIndex(of: target) ?? 0))
            }
            states.append(.init(entry.key, moves: moves))
        }
        return .machine(states)
    }

    // MARK: Parts

    private func list(in mapping: YAMLMapping, for key: String) throws(Problem) -> [EventPattern] {
        try patterns.all(mapping.required(key, expected: "an event, like link.up"), for: key)
    }

    private func listIfGiven(
        in mapping: YAMLMapping, for key: String
    ) throws(Problem) -> [EventPattern] {
        try mapping[key].read(key, patterns.all) ?? []
    }

    /// Fluents, all of which must hold or, after `!`, must not: `linked & !suspended`.
    private func condition(_ node: YAMLNode, for name: String) throws(Problem) -> Property.Condition
    {
        let text = try node.text(name, expected: "fluents, like linked & !suspended")
        var literals: [Property.Condition.Literal] = []
        for part in text.split(separator: "&", omittingEmptySubsequences: false) {
            let place = node.part(part, of: text)
            let word = try place.text(name, expected: "the name of a fluent")
            let fluent = try fluent(
                word.hasPrefix("!") ? String(word.dropFirst()) : word, at: place)
            guard !literals.contains(where: { $0.fluent == fluent }) else {
                throw place.problem("`\(fluent)` stands twice")
            }
            literals.append(.init(fluent, isPositive: !word.hasPrefix("!")))
        }
        return Property.Condition(literals)
    }

    private func fluent(_ name: String, at node: YAMLNode) throws(Problem) -> String {
        let names = fluents.map(\.name)
        guard names.contains(name) else {
            throw node.problem(
                "there is no fluent `\(name)`", expected: names.joined(separator: ", "),
                suggestion: Suggestion.nearest(to: name, among: names))
        }
        return name
    }
}

/// `2s`, `2 connection intervals`, or a sum of such.
private func timeBound(_ node: YAMLNode, for name: String) throws(Problem) -> Property.TimeBound {
    let text = try node.text(name, expected: "a duration, like 200ms or 2 connection intervals")
    var bound = Property.TimeBound(0)
    for part in text.split(separator: "+", omittingEmptySubsequences: false) {
        let place = node.part(part, of: text)
        let words = try place.text(name, expected: "a duration").split(separator: " ")
        guard words.count > 1, let number = UInt64(words[0]), number <= 1_000_000 else {
            try add(place, for: name, to: &bound)
            continue
        }
        switch words[1...].joined(separator: " ") {
        case "connection interval", "connection intervals": bound.intervals += number
        case "supervision timeout", "supervision timeouts": bound.supervisionTimeouts += number
        default: try add(place, for: name, to: &bound)
        }
    }
    return bound
}

/// Adds a duration to those before it in a sum, which is held to the same limit as each of them.
private func add(
    _ node: YAMLNode, for name: String, to bound: inout Property.TimeBound
) throws(Problem) {
    // Two durations that are within the limit do not overflow.
    let sum = bound.fixed + (try node.duration(name))
    guard sum <= YAMLLimits.duration else {
        throw node.problem(
            "the durations of `\(name)` add up to more than a run can have",
            expected: "at most \(YAMLNode.written(YAMLLimits.duration)) in all")
    }
    bound.fixed = sum
}

extension PropertyReader {
    /// A promise that nothing could ever put to the test is a mistake of whoever wrote it.
    private func checkThatItCanTrigger(
        _ property: Property, in mapping: YAMLMapping
    ) throws(Problem) {
        let (key, events): (String, [EventPattern])
        switch property.body {
        case .never(let patterns): (key, events) = ("never", patterns)
        case .precedence(let patterns, _, _, _, _), .correlation(let patterns, _, _):
            (key, events) = ("event", patterns)
        case .count(let patterns, _, _): (key, events) = ("count", patterns)
        default: return
        }
        guard let node = mapping[key] else { return }
        for literal in property.scope?.literals ?? [] {
            guard let fluent = fluents.first(where: { $0.name == literal.fluent }) else { continue }
            // What ends the scope is outside of it.
            let ending = literal.isPositive ? fluent.clear : fluent.set
            let keys = fluent.keys
            let always = events.allSatisfy { event in
                ending.contains { event.implies($0) } && keys.allSatisfy(event.mayHave)
                    && keys.allSatisfy(property.keys.contains)
            }
            guard always else { continue }
            throw node.problem(
                "\(events.map { "`\($0)`" }.joined(separator: " and ")) ends "
                    + "`\(literal.isPositive ? "" : "!")\(literal.fluent)`, so it is never inside",
                expected: "another event, or no `while`")
        }
    }
}
