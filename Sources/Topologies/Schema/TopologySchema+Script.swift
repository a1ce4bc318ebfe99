internal import PromiseLibrary
internal import Vocabulary

/// Steps, random faults and expectations.
extension TopologySchema {
    static var script: [(String, JSON)] {
        [
            ("step", step), ("faults", faults), ("expectations", expectations),
            ("expectation", expectation),
            (
                "promise",
                .anyOf(.words(Catalogue.promises.map(\.name)), .string)
                    .described("A promise of the library, or one of the topology's own.")
            ),
            (
                "violated",
                .pattern("^violated [^ ]+$")
            ),
        ]
    }

    private static var step: JSON {
        let verbs = VerbForm.all.map { ($0.name, schema(of: $0)) }
        let settings = VerbForm.allModifiers.map { ($0, schema(ofSetting: $0)) }
        let oneVerb = VerbForm.all.map { form in
            JSON.object([("required", .texts([form.name] + form.required))])
        }
        return JSON.closed(moment + verbs + settings).with([
            ("oneOf", .list(oneVerb)),
            ("anyOf", .list(["at", "when"].map { .object([("required", .texts([$0]))]) })),
        ])
    }

    private static var moment: [(String, JSON)] {
        [
            ("at", .reference("duration", "When it is done.")),
            ("when", .reference("event", "The event after which it is done.")),
            ("after", .reference("duration", "How long after the event.")),
            ("skip", .integer(0...1_000_000).described("How many events do not count.")),
            (
                "times",
                .anyOf(.integer(1...1_000_000), .words(["always"])).described(
                    "How often it is done; once by default.")
            ),
        ]
    }

    private static func schema(of form: VerbForm) -> JSON {
        switch form.target {
        case .pair: .reference("pair", form.explanation)
        case .device: .reference("names", form.explanation)
        case .command(let kinds):
            .reference(
                "names",
                "\(form.explanation) For \(kinds.map(\.rawValue).joined(separator: " or ")).")
        }
    }

    private static func schema(ofSetting name: String) -> JSON {
        switch name {
        case "reason": .integer(1...0x45).described("A reason of HCI; 0x13 by default.")
        case "ratio": .reference("ratio")
        case "for": .reference("duration", "How long it lasts; to the end by default.")
        case "over": .reference("duration", "How long the walk takes.")
        case "by":
            .anyOf(.reference("duration"), .integer(1...512)).described(
                "How much longer (`delay`, `busy`), or how many bytes (`extend`).")
        case "to":
            .anyOf(.reference("place"), .integer(0...1_000)).described(
                "Where (`move`), how many bytes (`truncate`) or frames (`throttle`).")
        case "one-way": .boolean.described("Whether only what the first sends is lost.")
        case "count": .integer(1...1_000_000).described("How many; 1 by default.")
        case "after-answers": .integer(0...1_000).described("After so many answers of a turn.")
        case "message": .words(Catalogue.messages).described("Which message; the next by default.")
        case "peer": .reference("name", "Which session; all by default.")
        case "error":
            .words(Catalogue.sessionErrors).described("The error; sessionFailed by default.")
        case "name": .string.described("The name of the command.")
        case "arguments":
            .object([("type", .text("object"))]).described("The arguments of the command.")
        default: preconditionFailure("the setting `\(name)` has no schema")
        }
    }

    private static var faults: JSON {
        let kinds = RandomFaultForm.all.map { form in
            (form.name, fault(form))
        }
        let plan: [(String, JSON)] = [
            ("between", .reference("range", "When they happen.")),
            (
                "swarm",
                .boolean.described(
                    "Each run has some of the kinds only, each at an intensity of its own.")
            ),
            ("heal", .boolean.described("Every disturbance ends when that time is over.")),
        ]
        return .closed(plan + kinds)
    }

    private static func fault(_ form: RandomFaultForm) -> JSON {
        let all: [(String, JSON)] = [
            ("ratio", .reference("ratio", "How likely in each second for each target.")),
            ("for", .reference("range", "How long it lasts.")),
            ("devices", .reference("list", "Whom it hits; all it can by default.")),
        ]
        let keys = TopologyKeys.fault(lasts: form.lasts)
        return JSON.closed(all.filter { keys.contains($0.0) }, required: ["ratio"])
            .described(form.explanation)
    }

    private static var expectations: JSON {
        .anyOf(
            .reference("violated"),
            .array(
                of: .anyOf(
                    .reference("violated"), .reference("expectation"), .reference("asked"))))
    }

    private static var expectation: JSON {
        let time = "( within [0-9]+(\\.[0-9]+)? *(ns|us|ms|s|min))?"
        let event = JSON.reference("event")
        return .object([
            ("type", .text("object")), ("minProperties", .number(1)),
            ("maxProperties", .number(1)), ("additionalProperties", .flag(false)),
            (
                "properties",
                .object([
                    ("eventually", event.described("It is seen by the end of the run.")),
                    ("never", event.described("It is never seen.")),
                    ("violated", .reference("promise", "The run breaks this promise.")),
                ])
            ),
            (
                "patternProperties",
                .object([
                    ("^eventually\(time)$", event),
                    ("^(exactly|at least|at most) [0-9]+$", event),
                    ("^in order\(time)$", .array(of: event, atLeast: 2)),
                ])
            ),
        ])
    }
}
