import Basics
package import Promises
import Traces
package import YAML

/// The keys of a file of promises, and of what is in it.
package enum PromiseKeys {
    package static let file = ["about", "fluents", "promises", "goals"]
    package static let fluent = ["per", "set", "clear"]
    package static let goal = ["goal", "says", "per", "steps", "within"]
    package static let heading = [
        "promise", "clause", "level", "keeper", "says", "breaks", "per", "while", "ends",
        "exercised-by",
    ]
    /// The keys of each form of a body; the first one tells the form.
    package static let bodies = [
        ["never"], ["when", "then", "same", "within", "unless"],
        ["event", "needs", "same", "since", "within"], ["event", "same", "as"], ["always"],
        ["eventually", "within"], ["at-most", "of"], ["count", "min", "max", "over"], ["machine"],
    ]
    /// Keys that tell a promise from an expectation in one line.
    package static let telling = [
        "when", "event", "always", "at-most", "count", "machine", "per", "while", "promise",
    ]
    package static let forms =
        "never, when/then, event/needs, event/same/as, always, eventually, at-most/of, count or "
        + "machine"

    package static let promise = (heading + bodies.joined()).uniqued
}

extension PropertySet {
    /// The promises that the bytes of a file say; `file` is what messages call it.
    ///
    /// They may also speak of the fluents that are given.
    package init(
        parsing bytes: [UInt8], file: String, fluents given: [Fluent] = []
    ) throws(DocumentError) {
        self = try YAMLReader.read(bytes, of: file) { document throws(Problem) in
            try PropertySet(document: document, fluents: given)
        }
    }

    private init(document: YAMLNode, fluents given: [Fluent]) throws(Problem) {
        let mapping = try YAMLMapping(document, of: "a file of promises", keys: PromiseKeys.file)
        self.init(fluents: given)
        if mapping["fluents"] == nil {
            _ = try mapping.required("promises", expected: "a list of promises")
        }
        var mistakes = Mistakes()
        read(mapping, cast: Cast(length: 0), noting: &mistakes)
        try mistakes.check()
    }

    /// The promises of a topology, which may speak of the library's fluents, too.
    package init(ofTopology mapping: YAMLMapping, _ cast: Cast, noting mistakes: inout Mistakes) {
        self.init(fluents: PropertyLibrary.standard.fluents)
        read(
            mapping, cast: cast, taken: PropertyLibrary.promiseNames, noting: &mistakes)
    }

    /// Forgets the fluents that no property speaks of.
    package mutating func keepNeededFluents() {
        fluents.removeAll { fluent in !properties.contains { $0.speaks(of: fluent) } }
    }

    /// Reads the sections `fluents`, `promises` and `goals`; those that are not there add nothing.
    ///
    /// The names in `taken` are those of other promises.
    package mutating func read(
        _ mapping: YAMLMapping, cast: Cast, taken: [String] = [], noting mistakes: inout Mistakes
    ) {
        let patterns = PatternsReader(cast: cast)
        let before = mistakes.count
        readFluents(mapping, by: patterns, noting: &mistakes)
        // A promise may speak of the fluent that could not be read.
        guard mistakes.count == before else { return }
        let reader = PropertyReader(fluents: fluents, patterns: patterns)
        for item in items(of: mapping, "promises", each: "promise", noting: &mistakes) {
            mistakes.attempt { () throws(Problem) in
                let property = try reader.property(item)
                guard !properties.contains(where: { $0.id == property.id }) else {
                    throw item.problem("the promise `\(property.id)` stands twice")
                }
                properties.append(property)
                guard !taken.contains(property.id) else {
                    throw item.problem(
                        "`\(property.id)` is a promise of the library", expected: "another name")
                }
            }
        }
        for item in items(of: mapping, "goals", each: "goal", noting: &mistakes) {
            mistakes.attempt { () throws(Problem) in
                let goal = try Goal(item, patterns)
                guard !self.goals.contains(where: { $0.id == goal.id }) else {
                    throw item.problem("the goal `\(goal.id)` stands twice")
                }
                self.goals.append(goal)
            }
        }
    }

    private func items(
        of mapping: YAMLMapping, _ section: String, each word: String,
        noting mistakes: inout Mistakes
    ) -> [YAMLNode] {
        guard let node = mapping[section] else { return [] }
        return mistakes.attempt { () throws(Problem) in
            try node.list(section, expected: "a list, each item with `\(word): NAME`")
        } ?? []
    }

    private mutating func readFluents(
        _ mapping: YAMLMapping, by patterns: PatternsReader, noting mistakes: inout Mistakes
    ) {
        guard let node = mapping["fluents"] else { return }
        let entries = mistakes.attempt { () throws(Problem) in
            try node.entries("fluents", expected: "a name for each fluent")
        }
        // A fluent of the file's own takes the place of one that is given.
        var own: [Fluent] = []
        for entry in entries ?? [] {
            mistakes.attempt { () throws(Problem) in own.append(try Fluent(entry, patterns)) }
        }
        fluents = fluents.filter { given in !own.contains { $0.name == given.name } } + own
    }
}

extension Fluent {
    fileprivate init(_ entry: YAMLNode.Entry, _ patterns: PatternsReader) throws(Problem) {
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
            name, keys: try mapping["per"].read("per", eventKeys) ?? [],
            set: try patterns.all(set, for: "set"), clear: try patterns.all(clear, for: "clear"))
        if let both = self.set.first(where: self.clear.contains) {
            throw clear.problem("`\(both)` both sets and clears `\(name)`")
        }
        if let lacking = keys.first(where: { key in !self.set.contains { $0.mayHave(key) } }) {
            throw set.problem(
                "nothing that sets `\(name)` has `\(lacking.name)`, so it never holds",
                expected: "an event with it, or another key in `per`")
        }
    }
}

extension Goal {
    fileprivate init(_ node: YAMLNode, _ patterns: PatternsReader) throws(Problem) {
        let mapping = try YAMLMapping(node, of: "a goal", keys: PromiseKeys.goal)
        let id = try mapping.required("goal", expected: "its name").text("goal")
        let list = try mapping.required("steps", expected: "a list of events")
        var steps: [[EventPattern]] = []
        for item in try list.list("steps", expected: "a list of events") {
            steps.append(try patterns.all(item, for: "steps"))
        }
        guard !steps.isEmpty else {
            throw list.problem("`steps` names no event", expected: "at least one event")
        }
        self.init(
            id, sentence: try mapping["says"]?.text("says") ?? "",
            keys: try mapping["per"].read("per", eventKeys) ?? [], steps: steps,
            within: try mapping["within"]?.duration("within"))
    }
}
