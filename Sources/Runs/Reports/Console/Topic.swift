import Basics
import DeviceLink
import Traces
import Vocabulary

/// What a topology may name, as tables for people: `anechoic help TOPIC`.
///
/// They are made from the tables by which files are read.
package enum Topic: String, CaseIterable, Sendable {
    /// Events of a trace, with their fields.
    case events
    /// What a step can do.
    case verbs
    /// Models of Apple devices.
    case models
    /// Profiles of the reference accessory.
    case profiles
    /// Parameters of the reference devices.
    case parameters
    /// Defects of the reference devices.
    case defects

    /// The table, and what its words mean.
    package var text: String {
        "\(TextTable(header: header, rows: rows).text)\n\n\(note)\n"
    }

    /// The rows, each with its cells by the names of their columns.
    package var entries: [[String: String]] {
        rows.map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
    }

    private var header: [String] {
        switch self {
        case .events: ["event", "on", "fields"]
        case .verbs: ["verb", "of", "needs", "may have", "undone by", "what it does"]
        case .models: ["model", "identifier", "UWB"]
        case .profiles: ["profile", "what it is"]
        case .parameters: ["parameter", "of", "values", "default", "what it does"]
        case .defects: ["defect", "of", "what it does"]
        }
    }

    private var note: String {
        switch self {
        case .events:
            "A pattern is an event or the beginning of one: link.up on lock with interval > 24"
        case .verbs: "A step: {at: 5s, partition: [ben, lock], for: 2s}"
        case .models: "A device: ben: {model: iPhone 15}"
        case .profiles: "A device: lock: {profile: multi}"
        case .parameters: "A device: lock: {profile: qorvo, start-delay: 200ms}"
        case .defects: "A device: lock: {profile: qorvo, defects: [wrong-length]}"
        }
    }

    private var rows: [[String]] {
        switch self {
        case .events: EventKind.allCases.map(Self.event)
        case .verbs: VerbForm.all.map(Self.verb)
        case .models: Catalogue.models.map { [$0.name, $0.identifier, $0.hasUWB ? "yes" : "no"] }
        case .profiles: Catalogue.profiles.map { [$0.name, $0.explanation] }
        case .parameters:
            Catalogue.Kind.allCases.flatMap { kind in
                Catalogue.parameters(of: kind).map {
                    [$0.name, kind.rawValue, $0.values.described, $0.standard, $0.explanation]
                }
            }
        case .defects:
            Catalogue.Kind.allCases.flatMap { kind in
                Catalogue.defects(of: kind).map { [$0.name, kind.rawValue, $0.explanation] }
            }
        }
    }

    private static func event(_ kind: EventKind) -> [String] {
        let kind = kind.rawValue
        let role = Catalogue.role(of: kind)
        let fields = Catalogue.fields(below: kind).map { field in
            let words = field.words?.joined(separator: "|")
            let range = field.range.map { "\($0.lowerBound)…\($0.upperBound)" }
            return "\(field.name): \(words ?? range ?? field.values.rawValue)"
        }
        return [kind, role?.rawValue ?? "any device", fields.joined(separator: ", ")]
    }

    private static func verb(_ form: VerbForm) -> [String] {
        let target =
            switch form.target {
            case .pair: "two devices"
            case .device: "a device"
            case .command(let kinds): kinds.map(\.rawValue).joined(separator: " or ")
            }
        return [
            form.name.rawValue, target, form.required.joined(separator: ", "),
            form.modifiers.filter { !form.required.contains($0) }.joined(separator: ", "),
            form.following?.rawValue ?? "", form.explanation,
        ]
    }
}

extension Catalogue.Values {
    /// The values in a few words.
    fileprivate var described: String {
        switch self {
        case .duration(let range):
            Quantity.duration.text(of: Int64(clamping: range.lowerBound)) + "…"
                + Quantity.duration.text(of: Int64(clamping: range.upperBound))
        case .length(let range):
            Quantity.length.text(of: range.lowerBound) + "…"
                + Quantity.length.text(of: range.upperBound)
        case .number(let range): "\(range.lowerBound)…\(range.upperBound)"
        case .choice(let words): words.joined(separator: "|")
        case .flag: "true|false"
        case .text: "text"
        case .devices: "names of devices"
        }
    }
}
