import Basics
import DeviceLink
import PromiseLibrary
import Scenarios
import YAML

/// Reads `steps:`, the script of a topology.
struct StepsReader {
    let cast: Cast

    /// The steps, in the file's order; what `for:` ends is a step of its own.
    func steps(_ node: YAMLNode) throws(Problem) -> [Step] {
        var steps: [Step] = []
        var mistakes = Mistakes()
        for item in try node.list("steps", expected: "a list of steps, like - {at: 3s, kill: lock}")
        {
            let more = mistakes.attempt { () throws(Problem) in
                try self.steps(ofItem: item, from: steps.count)
            }
            steps += more ?? []
            guard steps.count <= TopologyLimits.steps else {
                throw item.problem(
                    "there are too many steps", expected: "at most \(TopologyLimits.steps)")
            }
        }
        try mistakes.check()
        return steps
    }

    /// The steps of one item, of which the first is to have this place.
    private func steps(ofItem node: YAMLNode, from first: Int) throws(Problem) -> [Step] {
        let mapping = try YAMLMapping(node, of: "a step", keys: TopologyKeys.step)
        let moment = try moment(mapping)
        let reader = try VerbReader(mapping, with: cast)
        let deeds = try reader.deeds()
        let end = reader.form.following == nil ? nil : try ending(of: moment, in: mapping)
        return Step.all(deeds, at: moment, endingAt: end, from: first, source: node.position)
    }
}

extension Step {
    /// The steps of deeds, of which the first is to have a place; what `for:` ends is a step of its own.
    static func all(
        _ deeds: [VerbReader.Spoken], at moment: Moment, endingAt end: Moment?, from first: Int,
        source: SourcePosition = SourcePosition(line: 0, column: 0)
    ) -> [Step] {
        let steps = deeds.map {
            Step(moment: moment, verb: Verb($0.deed), text: $0.text, source: source)
        }
        guard let end else { return steps }
        return steps
            + deeds.enumerated().compactMap { place, spoken in
                guard let undo = spoken.deed.name.form.following else { return nil }
                let deed = Deed(undo, at: spoken.deed.target)
                return Step(
                    moment: end, verb: Verb(deed), text: deed.words, source: source,
                    ends: first + place)
            }
    }
}

extension StepsReader {
    private func moment(_ mapping: YAMLMapping) throws(Problem) -> Step.Moment {
        guard let when = mapping["when"] else { return .at(try fixed(mapping)) }
        if let node = mapping.keyNode("at") {
            throw node.problem("a step has `at` or `when`, not both")
        }
        let text = try when.text("when", expected: "an event, like link.up on lock")
        let pattern = try PatternReader(cast: cast, node: when).pattern(text)
        return .when(
            pattern, after: try mapping["after"].read("after", cast.moment) ?? 0,
            skip: Int(try mapping["skip"]?.integer("skip", in: 0...1_000_000) ?? 0),
            times: try mapping["times"].read("times", times) ?? 1)
    }

    private func fixed(_ mapping: YAMLMapping) throws(Problem) -> Nanoseconds {
        for key in ["after", "skip", "times"] {
            guard let node = mapping.keyNode(key) else { continue }
            throw node.problem("`\(key)` belongs to `when`", expected: "`when:` instead of `at:`")
        }
        guard let node = mapping["at"] else {
            throw Problem(
                "nothing says when this step is done", at: mapping.node.position,
                expected: "at: 3s, or when: link.up on lock")
        }
        return try cast.moment(node, for: "at")
    }

    private func times(_ node: YAMLNode, for name: String) throws(Problem) -> Int {
        if case .text("always", _) = node.content { return .max }
        return Int(try node.integer(name, in: 1...1_000_000))
    }

    /// When `for:` ends what began at `moment`; nil where nothing is said.
    private func ending(
        of moment: Step.Moment, in mapping: YAMLMapping
    ) throws(Problem) -> Step.Moment? {
        guard let node = mapping["for"] else { return nil }
        let lasting = try node.duration("for", in: 1...TopologyLimits.length)
        switch moment {
        case .at(let start):
            guard start + lasting <= cast.length else { throw cast.afterEnd(node, for: "for") }
            return .at(start + lasting)
        case .when(let pattern, let after, let skip, let times):
            return .when(pattern, after: after + lasting, skip: skip, times: times)
        }
    }
}
