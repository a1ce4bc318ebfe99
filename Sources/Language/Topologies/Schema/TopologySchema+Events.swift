import Basics
import DeviceLink
import Traces
import Vocabulary

/// Patterns of events: what an editor completes, and what it refuses.
extension TopologySchema {
    static var event: JSON {
        let plain = JSON.words(Catalogue.kindsAndPrefixes)
        let conditioned = groups.map { JSON.pattern(pattern(of: $0.names, fields: $0.fields)) }
        return JSON.anyOf([plain] + conditioned + [ownKind]).described(
            "An event: KIND [on DEVICE] [with FIELD OP VALUE [and …]]. A program of your own may have kinds "
                + "of its own, of another family than these, on its device.")
    }

    /// Kinds and beginnings of kinds, together where they have the same fields.
    private static var groups: [(names: [String], fields: [Catalogue.TraceField])] {
        Catalogue.kindsAndPrefixes.reduce(into: []) { groups, name in
            let fields = Catalogue.fields(below: name)
            if let place = groups.firstIndex(where: { $0.fields == fields }) {
                groups[place].names.append(name)
            } else {
                groups.append(([name], fields))
            }
        }
    }

    private static func pattern(of names: [String], fields: [Catalogue.TraceField]) -> String {
        let kinds = names.map { $0.replacing(".", with: "\\.") }.joined(separator: "|")
        guard !fields.isEmpty else { return "^(\(kinds))\(place)$" }
        let conditions = fields.map(condition).joined(separator: "|")
        // Each condition stands there once only, because there are many of them.
        return "^(\(kinds))\(place)(?!\\s+and\\s)(\\s+(with|and)\\s+(\(conditions)))*$"
    }

    /// What a foreign program says of itself: no kind of our families is meant.
    private static var ownKind: JSON {
        let families = EventKind.allCases.map(\.family).uniqued
        return .pattern(
            "^(?!(\(families.joined(separator: "|")))(\\.|\\s|$))[^\\s\"]+\\s+on\\s+\(device)(\\s+with\\s.*)?$"
        )
    }

    private static let device = "(every\\s+)?[A-Za-z][A-Za-z0-9_-]*"

    private static let place = "(\\s+on\\s+\(device))?"

    private static func condition(_ field: Catalogue.TraceField) -> String {
        let comparison =
            [.number, .any].contains(field.values) ? "(=|!=|<|<=|>|>=)" : "(=|!=)"
        return "\(field.name)\\s*\(comparison)\\s*(\(values(of: field))|none)"
    }

    private static func values(of field: Catalogue.TraceField) -> String {
        let quoted = "\"([^\"\\\\]|\\\\.)*\""
        switch field.values {
        case .number where field.range == 0...255:
            return "0x[0-9A-Fa-f]{1,2}|1?[0-9]{1,2}|2[0-4][0-9]|25[0-5]"
        case .number:
            guard let quantity = EventPattern.quantity(ofField: field.name) else {
                return number(of: Quantity.allCases, unit: "?")
            }
            return "0|" + number(of: [quantity], unit: "")
        case .text:
            guard let words = field.words else { return "\(quoted)|[^\\s\"=!<>]+" }
            // A word with a blank in it needs quotes.
            return words.map { $0.contains(" ") ? "\"\($0)\"" : "\"?\($0)\"?" }.joined(
                separator: "|")
        case .device: return "\(quoted)|\(device)"
        case .flag: return "true|false"
        case .bytes: return "hex:([0-9A-Fa-f]{2})*"
        case .any: return "\(quoted)|[^\\s\"=!<>]+"
        }
    }

    /// A whole number, or one with a unit; `unit` says whether that may be missing.
    private static func number(of quantities: [Quantity], unit: String) -> String {
        let units = quantities.flatMap(\.units).map(\.name).joined(separator: "|")
        return (unit.isEmpty ? "" : "0x[0-9A-Fa-f]+|") + "-?[0-9]+(\\.[0-9]+)?(\(units))\(unit)"
    }
}
