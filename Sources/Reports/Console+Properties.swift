package import Invariants
package import Promises
internal import Traces

extension Console {
    /// What broke a property; nil where nothing did.
    package static func story(_ property: Property, _ findings: Findings) -> String? {
        guard let first = findings.breaches.first else { return nil }
        let keeper = property.keeper.map { ", kept by the \($0.rawValue)" } ?? ""
        var lines = ["promise \(property.id)\(keeper): \(property.sentence)"]
        let keys = zip(property.keys, first.binding).map {
            EventPattern.Condition(field: $0, comparison: .equal, value: $1).description
        }
        let place = keys.isEmpty ? "" : " (\(keys.joined(separator: ", ")))"
        let moment =
            first.time == .never ? "for ever" : "at \(seconds(first.time.nanoseconds))"
        lines.append("  broken \(moment)\(place)")
        if !property.clause.isEmpty { lines.append("  clause: \(property.clause)") }
        for event in first.events {
            lines.append(
                "    \(seconds(event.time.nanoseconds))  event \(event.number)  \(event.kind)"
                    + (event.device.isEmpty ? "" : " on \(event.device)"))
        }
        let more = findings.breachCount - 1
        if more > 0 { lines.append("  and \(more) more") }
        return lines.joined(separator: "\n")
    }
}
