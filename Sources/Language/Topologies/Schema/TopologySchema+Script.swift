import PromiseLibrary
import Vocabulary

/// Steps, random faults and expectations.
extension TopologySchema {
    static var script: JSON.Members {
        [
            "step": step, "faults": faults, "expectations": expectations,
            "expectation": expectation,
            "promise": .anyOf(.words(PropertyLibrary.promiseNames), .string)
                .described("A promise of the library, or one of the topology's own."),
            "violated": .pattern("^violated [^ ]+$"),
        ]
    }

    private static var step: JSON {
        let verbs = JSON.Members(VerbForm.all) { ($0.name.rawValue, schema(of: $0)) }
        let settings = JSON.Members(VerbSetting.Name.allCases) {
            ($0.rawValue, schema(ofSetting: $0))
        }
        let oneVerb = VerbForm.all.map { form in
            JSON.object(["required": .texts([form.name.rawValue] + form.required)])
        }
        return JSON.closed(moment + verbs + settings).with([
            "oneOf": .list(oneVerb),
            "anyOf": .list(["at", "when"].map { .object(["required": .texts([$0])]) }),
        ])
    }

    private static var moment: JSON.Members {
        [
            "at": .reference("duration").described("When it is done."),
            "when": .reference("event").described("The event after which it is done."),
            "after": .reference("duration").described("How long after the event."),
            "skip": .integer(0...1_000_000).described("How many events do not count."),
            "times": .anyOf(.integer(1...1_000_000), .words(["always"])).described(
                "How often it is done; once by default."),
        ]
    }

    private static func schema(of form: VerbForm) -> JSON {
        switch form.target {
        case .pair: .reference("pair").described(form.explanation)
        case .device: .reference("names").described(form.explanation)
        case .command(let kinds):
            .reference("names").described(
                "\(form.explanation) For \(kinds.map(\.rawValue).joined(separator: " or ")).")
        }
    }

    /// What can stand behind a key of a step, whichever verb it stands beside.
    private static func schema(ofSetting name: VerbSetting.Name) -> JSON {
        let takers = VerbForm.all.compactMap { form in form[name].map { (form.name, $0) } }
        var values: [VerbSetting.Values] = []
        var sentences: [(text: String, verbs: [String])] = []
        for (verb, setting) in takers {
            if !values.contains(setting.values) { values.append(setting.values) }
            if let place = sentences.firstIndex(where: { $0.text == setting.explanation }) {
                sentences[place].verbs.append("`\(verb.rawValue)`")
            } else {
                sentences.append((setting.explanation, ["`\(verb.rawValue)`"]))
            }
        }
        let schemas = values.map(schema(of:))
        let all = schemas.count == 1 ? schemas[0] : .anyOf(schemas)
        guard sentences.count > 1 else { return all.described(sentences[0].text) }
        return all.described(
            sentences.map { "\($0.verbs.joined(separator: ", ")): \($0.text)" }
                .joined(separator: " "))
    }

    private static func schema(of values: VerbSetting.Values) -> JSON {
        switch values {
        case .ratio: .reference("ratio")
        case .duration: .reference("duration")
        case .integer(let range): .integer(range)
        case .flag: .boolean
        case .choice(let words): .words(words)
        case .angle: .reference("angle")
        case .place: .reference("place")
        case .device: .reference("name")
        case .command: .string
        case .pairs: .object(["type": .text("object")])
        }
    }

    private static var faults: JSON {
        let kinds = JSON.Members(RandomFaultForm.all) { ($0.name, fault($0)) }
        let plan: JSON.Members = [
            "between": .reference("range").described("When they happen."),
            "swarm": .boolean.described(
                "Each run has some of the kinds only, each at an intensity of its own."),
            "heal": .boolean.described("Every disturbance ends when that time is over."),
        ]
        return .closed(plan + kinds)
    }

    private static func fault(_ form: RandomFaultForm) -> JSON {
        let all: JSON.Members = [
            "ratio": .reference("ratio").described(
                "How likely it is in each second, for each target."),
            "for": .reference("range").described("How long it lasts."),
            "devices": .reference("list").described("The devices that it can hit; all by default."),
        ]
        let keys = TopologyKeys.fault(lasts: form.verb.lasts)
        return JSON.closed(
            JSON.Members(all.list.filter { keys.contains($0.0) }), required: ["ratio"]
        )
        .described(form.explanation)
    }

    private static var expectations: JSON {
        .anyOf(
            .reference("violated"),
            .array(
                of: .anyOf(
                    .reference("violated"), .reference("expectation"), .reference("asked"),
                    sideEffect)))
    }

    private static var sideEffect: JSON {
        .closed(
            [
                "unavoidable": .reference("promise").described("The defect breaks this, too."),
                "because": .reference("text").described("Why it cannot but do so."),
            ], required: ["unavoidable", "because"])
    }

    private static var expectation: JSON {
        let time = "( within [0-9]+(\\.[0-9]+)? *(ns|us|ms|s|min))?"
        let event = JSON.reference("event")
        return .object([
            "type": .text("object"), "minProperties": .number(1),
            "maxProperties": .number(1), "additionalProperties": .flag(false),
            "properties": .object([
                "eventually": event.described("It is seen by the end of the run."),
                "never": event.described("It is never seen."),
                "violated": .reference("promise").described("The run breaks this promise."),
            ]),
            "patternProperties": .object([
                "^eventually\(time)$": event,
                "^(exactly|at least|at most) [0-9]+$": event,
                "^in order\(time)$": .array(of: event, atLeast: 2),
            ]),
        ])
    }
}
