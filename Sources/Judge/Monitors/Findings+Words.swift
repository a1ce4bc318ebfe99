import Basics
import DeviceLink
package import Promises
import Traces

extension Findings {
    /// What was counted and found, as every promise reports it.
    package func record(of property: Property) -> Record {
        Record(
            exercised: exercised, excused: excused, violationCount: breachCount,
            violations: breaches.map { violation($0, of: property) })
    }

    private func violation(_ breach: Breach, of property: Property) -> Violation {
        let key = zip(property.keys, breach.binding).map { "\($0.name) \($1.plain)" }
        return Violation(
            promise: property.id, device: Self.culprit(breach, of: property), time: breach.time,
            key: key.joined(separator: ", "), sentence: property.sentence(breach),
            events: breach.events)
    }

    /// Who broke it: the keeper's device among the keys, else the device of the last event.
    private static func culprit(_ breach: Breach, of property: Property) -> String {
        let role: EventKey? =
            switch property.about.keeper {
            case .accessory: .role(.accessory)
            case .app, .appleDevice: .role(.appleDevice)
            case .link, nil: nil
            }
        if let role, let place = property.keys.firstIndex(of: role),
            case .text(let name) = breach.binding[place]
        {
            return name
        }
        return breach.events.last?.device ?? ""
    }
}

extension Property {
    /// What happened, in its author's words; else in those of its body.
    fileprivate func sentence(_ breach: Findings.Breach) -> String {
        guard let breaks else { return body.sentence(breach) }
        return breaks.said { name in
            let key = keys.firstIndex { $0.name == name }.map { breach.binding[$0] }
            return (key ?? breach.fields.first { $0.name == name }?.value)?.plain
        }
    }
}

extension Property.Body {
    /// What happened, in plain words.
    package func sentence(_ breach: Findings.Breach) -> String {
        let moment = breach.time.moment
        let last = breach.events.last?.words ?? "nothing"
        switch self {
        case .never: return "There was \(last)."
        case .response(_, let then, _, let bound, _):
            return Self.unanswered(breach, wanting: then, within: bound)
        case .existence(let steps, let bound):
            return Self.unanswered(breach, wanting: steps[breach.seen], within: bound)
        case .precedence(_, let needs, let same, _, let bound):
            let others = same.isEmpty ? "" : " with the same \(same.map(\.name).listed)"
            let time = bound.map { " in the \(Self.written($0)) before" } ?? " before it"
            return "There was \(last) without \(needs.words)\(others)\(time)."
        case .correlation(_, let field, _):
            let first = breach.events.first?.words ?? "nothing"
            return "The \(field) of \(last) is not that of \(first)."
        case .always(let condition):
            return
                "At the end of a step it has to be so: \(condition.words). At \(moment) it was not."
        case .atMost(let limit, let fluent):
            return "With \(last) there were more than \(limit) at once: \(fluent.spaced)."
        case .count(let events, let range, _):
            return breach.seen > range.upperBound
                ? "There was \(last), and at most \(range.upperBound) of \(events.words) may be."
                : "There were fewer than \(range.lowerBound) of \(events.words) by \(moment): "
                    + "it was seen \(breach.seen.times)."
        case .machine:
            return "There was \(last), which may not come in the state `\(breach.state)`."
        }
    }

    /// How much was seen, without times: once too often is too often, however often it is after that.
    package func progress(_ breach: Findings.Breach) -> String {
        switch self {
        case .existence(let steps, _):
            steps.count == 1 ? "not seen" : "seen \(breach.seen) of \(steps.count)"
        case .count(_, let range, _) where breach.seen <= range.upperBound:
            "seen \(breach.seen.times)"
        case .count(_, let range, _): "seen more than \(range.upperBound.times)"
        default: "seen"
        }
    }

    private static func unanswered(
        _ breach: Findings.Breach, wanting wanted: [EventPattern], within bound: Property.TimeBound?
    ) -> String {
        let begin = breach.events.first.map { "After \($0.words)" } ?? "From the beginning"
        let end = breach.events.count > 1 ? breach.events.last.map { " until \($0.words)" } : nil
        let limit = bound == nil || end != nil ? end ?? "" : " by \(breach.time.moment)"
        return "\(begin) there was no \(wanted.words)\(limit)."
    }

    private static func written(_ duration: Nanoseconds) -> String {
        Quantity.duration.text(of: Int64(clamping: duration))
    }
}

extension Property.Condition {
    fileprivate var words: String {
        literals.map { ($0.isPositive ? "" : "not ") + $0.fluent.spaced }.joined(separator: ", ")
    }
}

extension String {
    /// A name with dashes, as words.
    fileprivate var spaced: String { replacing("-", with: " ") }
}

extension [EventPattern] {
    /// The events that are meant: `a, b or c`.
    var words: String { map(\.description).listed }
}

extension [String] {
    fileprivate var listed: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + (last ?? "")
    }
}

extension Citation {
    /// The event in a sentence.
    fileprivate var words: String {
        kind + (device.isEmpty ? "" : " on \(device)") + " at \(time.seconds)"
    }
}

extension VirtualTime {
    fileprivate var moment: String { self == .never ? "the end" : seconds }
}

extension Field.Value {
    /// The value in a sentence; long bytes are cut.
    var plain: String {
        switch self {
        case .text(let text): return text
        case .number(let number): return String(number)
        case .flag(let flag): return String(flag)
        case .none: return "none"
        case .bytes(let bytes):
            return String(hexadecimalPairs: bytes.prefix(8)) + (bytes.count > 8 ? "…" : "")
        }
    }
}
