internal import DeviceLink
package import Promises
internal import Traces

/// The keys of a file of promises, and of what is in it.
enum PromiseKeys {
    static let file = ["about", "fluents", "promises"]
    static let fluent = ["per", "set", "clear"]
    static let heading = [
        "promise", "clause", "level", "keeper", "says", "per", "while", "ends",
    ]
    /// The keys of each form of a body; the first one tells the form.
    static let bodies = [
        ["never"], ["when", "then", "within", "unless"], ["event", "needs", "since", "within"],
        ["event", "same", "as"], ["always"], ["eventually", "within"], ["at-most", "of"],
        ["count", "min", "max", "over"],
    ]
    static let forms =
        "never, when/then, event/needs, event/same/as, always, eventually, at-most/of or count"

    static var promise: [String] {
        bodies.joined().reduce(into: heading) { keys, key in
            if !keys.contains(key) { keys.append(key) }
        }
    }
}

extension PropertySet {
    /// The promises that the bytes of a file say; `file` is what messages call it.
    package init(parsing bytes: [UInt8], file: String) throws(TopologyError) {
        do {
            let text = try SourceText.checked(bytes)
            try self.init(document: try YAMLReader.document(text))
        } catch {
            let source = String(decoding: bytes.prefix(TopologyLimits.bytes), as: UTF8.self)
            throw TopologyError(file: file, problem: error, source: source)
        }
    }

    private init(document: YAMLNode) throws(Problem) {
        let mapping = try YAMLMapping(document, of: "a file of promises", keys: PromiseKeys.file)
        self.init()
        if let node = mapping["fluents"] {
            for entry in try node.entries("fluents", expected: "a name for each fluent") {
                fluents.append(try Fluent(entry))
            }
        }
        let node = try mapping.required("promises", expected: "a list of promises")
        for item in try node.list("promises", expected: "a list, each item with `promise: NAME`") {
            let property = try PropertyReader(fluents: fluents).property(item)
            guard !properties.contains(where: { $0.id == property.id }) else {
                throw item.problem("the promise `\(property.id)` stands twice")
            }
            properties.append(property)
        }
    }
}

extension Fluent {
    fileprivate init(_ entry: YAMLNode.Entry) throws(Problem) {
        let name = entry.key
        guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
            throw entry.keyNode.problem(
                "`\(name)` cannot name a fluent", expected: "letters, digits and -")
        }
        let mapping = try YAMLMapping(
            entry.value, of: "the fluent `\(name)`", keys: PromiseKeys.fluent)
        let set = try mapping.required("set", expected: "the events that make it hold")
        let clear = try mapping.required("clear", expected: "the events that end it")
        self.init(
            name, keys: try mapping["per"].read("per", keyNames) ?? [],
            set: try patterns(set, "set"), clear: try patterns(clear, "clear"))
        if let both = self.set.first(where: self.clear.contains) {
            throw clear.problem("`\(both)` both sets and clears `\(name)`")
        }
    }
}

/// Reads one promise.
private struct PropertyReader {
    let fluents: [Fluent]

    func property(_ node: YAMLNode) throws(Problem) -> Property {
        let mapping = try YAMLMapping(node, of: "a promise", keys: PromiseKeys.promise)
        let id = try mapping.required("promise", expected: "its name").text("promise")
        let level = try mapping["level"].read("level") { node, name throws(Problem) in
            try node.choice(name, of: Property.Level.allCases.map(\.rawValue))
        }
        let keeper = try mapping["keeper"].read("keeper") { node, name throws(Problem) in
            try node.choice(name, of: Property.Keeper.allCases.map(\.rawValue))
        }
        return Property(
            id, clause: try mapping["clause"]?.text("clause") ?? "",
            level: level.flatMap(Property.Level.init) ?? .must,
            keeper: keeper.flatMap(Property.Keeper.init),
            sentence: try mapping["says"]?.text("says") ?? "",
            keys: try mapping["per"].read("per", keyNames) ?? [],
            scope: try mapping["while"].read("while", condition),
            ends: try mapping["ends"].read("ends", patterns) ?? [],
            body: try body(mapping))
    }

    // MARK: Bodies

    private func body(_ mapping: YAMLMapping) throws(Problem) -> Property.Body {
        let given = mapping.keys.filter { !PromiseKeys.heading.contains($0) }
        let form = PromiseKeys.bodies.first { form in
            given.contains(form[0]) && (form[0] != "event" || given.contains(form[1]))
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
        switch form[0] {
        case "never": return .never(try list(mapping, "never"))
        case "when":
            return .response(
                when: try list(mapping, "when"), then: try list(mapping, "then"),
                within: try bound(mapping, "within"), unless: try listIfGiven(mapping, "unless"))
        case "event" where form[1] == "needs":
            return .precedence(
                event: try list(mapping, "event"), needs: try list(mapping, "needs"),
                since: try listIfGiven(mapping, "since"), within: try bound(mapping, "within"))
        case "event":
            let field = try mapping.required("same", expected: "a field").text("same")
            return .correlation(
                event: try list(mapping, "event"), field: field, source: try list(mapping, "as"))
        case "always":
            return .always(
                try condition(mapping.required("always", expected: "a condition"), "always"))
        case "eventually":
            return .existence(try list(mapping, "eventually"), within: try bound(mapping, "within"))
        case "at-most": return try atMost(mapping)
        default: return try count(mapping)
        }
    }

    private func atMost(_ mapping: YAMLMapping) throws(Problem) -> Property.Body {
        let limit = try mapping.required("at-most", expected: "a number")
            .integer("at-most", in: 0...1_000_000)
        let node = try mapping.required("of", expected: "a fluent")
        return .atMost(Int(limit), fluent: try fluent(try node.text("of"), node))
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
        let window = try bound(mapping, "over")
        if window != nil, least != nil, let node = mapping.keyNode("min") {
            throw node.problem("`min` does not go with `over`", expected: "max")
        }
        let bounds = Int(least ?? 0)...(most.map(Int.init) ?? Int.max)
        return .count(try list(mapping, "count"), range: bounds, over: window)
    }

    // MARK: Parts

    private func list(_ mapping: YAMLMapping, _ key: String) throws(Problem) -> [EventPattern] {
        try patterns(mapping.required(key, expected: "an event, like link.up"), key)
    }

    private func listIfGiven(
        _ mapping: YAMLMapping, _ key: String
    ) throws(Problem) -> [EventPattern] {
        try mapping[key].read(key, patterns) ?? []
    }

    private func bound(_ mapping: YAMLMapping, _ key: String) throws(Problem) -> Nanoseconds? {
        try mapping[key]?.duration(key)
    }

    /// `linked & !suspended`.
    private func condition(_ node: YAMLNode, _ name: String) throws(Problem) -> Property.Condition {
        let text = try node.text(name, expected: "fluents, like linked & !suspended")
        var literals: [Property.Condition.Literal] = []
        for part in text.split(separator: "&", omittingEmptySubsequences: false) {
            let place = node.part(part, of: text)
            let word = try place.text(name, expected: "the name of a fluent")
            let fluent = try fluent(word.hasPrefix("!") ? String(word.dropFirst()) : word, place)
            guard !literals.contains(where: { $0.fluent == fluent }) else {
                throw place.problem("`\(fluent)` stands twice")
            }
            literals.append(.init(fluent, isPositive: !word.hasPrefix("!")))
        }
        return Property.Condition(literals)
    }

    private func fluent(_ name: String, _ node: YAMLNode) throws(Problem) -> String {
        let names = fluents.map(\.name)
        guard names.contains(name) else {
            throw node.problem(
                "there is no fluent `\(name)`", expected: names.joined(separator: ", "),
                suggestion: Suggestion.nearest(to: name, among: names))
        }
        return name
    }
}

/// A pattern, or a list of patterns of which one is meant.
private func patterns(_ node: YAMLNode, _ name: String) throws(Problem) -> [EventPattern] {
    guard case .list(let items) = node.content else { return [try pattern(node, name)] }
    guard !items.isEmpty else {
        throw node.problem("`\(name)` names no event", expected: "at least one event")
    }
    var patterns: [EventPattern] = []
    for item in items { patterns.append(try pattern(item, name)) }
    return patterns
}

private func pattern(_ node: YAMLNode, _ name: String) throws(Problem) -> EventPattern {
    let text = try node.text(name, expected: "an event, like link.up")
    return try PatternReader(cast: Cast(length: 0), node: node).pattern(text)
}

/// Keys of instances: `device`, or fields that some event has.
private func keyNames(_ node: YAMLNode, _ name: String) throws(Problem) -> [String] {
    let known = ["device"] + Catalogue.fieldNames
    var keys: [String] = []
    for item in try node.list(name, expected: "a list of fields, like [device, link]") {
        let key = try item.choice(name, of: known)
        guard !keys.contains(key) else { throw item.problem("`\(key)` stands twice") }
        keys.append(key)
    }
    return keys
}
