internal import DeviceLink
internal import Notation
internal import PromiseLibrary
internal import Scenarios
internal import Traces
internal import YAML

/// The key of an expectation, for example `eventually within 10s`.
enum ExpectationWord: Equatable {
    case eventually(within: Nanoseconds?)
    case never
    case count(ClosedRange<Int>)
    case inOrder(within: Nanoseconds?)
    case violated

    /// All forms, for messages.
    static let forms =
        "eventually [within TIME], never, exactly N, at least N, at most N, in order [within TIME], violated"

    private static let openings = [
        "eventually", "never", "exactly", "at least", "at most", "in order", "violated",
    ]

    /// Whether the value is a list of patterns.
    var isOrder: Bool {
        if case .inOrder = self { return true }
        return false
    }

    /// The expectation of these patterns.
    func body(_ patterns: [EventPattern]) -> Expectation.Body {
        switch self {
        case .eventually(let within): .eventually(patterns[0], within: within)
        case .never: .never(patterns[0])
        case .count(let range): .count(patterns[0], range)
        case .inOrder(let within): .inOrder(patterns, within: within)
        case .violated: preconditionFailure("`violated` has a promise, not a pattern")
        }
    }

    /// The word that `node`, a key, says.
    init(_ node: YAMLNode, with cast: Cast) throws(Problem) {
        let text = try node.text("an expectation")
        guard let opening = Self.openings.first(where: { text == $0 || text.hasPrefix($0 + " ") })
        else { throw Self.unknown(text, at: node) }
        let rest = text.dropFirst(opening.count).drop { $0 == " " }
        let part = node.part(rest, of: text)
        switch opening {
        case "eventually": self = .eventually(within: try Self.within(part, with: cast))
        case "in order": self = .inOrder(within: try Self.within(part, with: cast))
        case "never", "violated":
            guard rest.isEmpty else { throw part.problem("nothing stands after `\(opening)`") }
            self = opening == "never" ? .never : .violated
        default:
            let count = Int(try Self.number(part, after: opening, at: node))
            switch opening {
            case "exactly": self = .count(count...count)
            case "at least": self = .count(count...Int.max)
            default: self = .count(0...count)
            }
        }
    }

    private static func unknown(_ text: String, at node: YAMLNode) -> Problem {
        let words = text.split(separator: " ").map(String.init)
        let candidates = [words.first ?? "", words.prefix(2).joined(separator: " ")]
        return node.problem(
            "`\(text)` is not an expectation", expected: forms,
            suggestion: candidates.compactMap { Suggestion.nearest(to: $0, among: openings) }.first)
    }

    private static func within(_ node: YAMLNode, with cast: Cast) throws(Problem) -> Nanoseconds? {
        guard case .text(let text, _) = node.content, !text.isEmpty else { return nil }
        guard text.hasPrefix("within ") else {
            throw node.problem(
                "`\(text)` cannot stand here", expected: "within and a time, like within 10s")
        }
        return try cast.moment(node.part(text.dropFirst(7), of: text), "within")
    }

    private static func number(
        _ node: YAMLNode, after opening: String, at key: YAMLNode
    ) throws(Problem) -> Int64 {
        guard case .text(let text, _) = node.content, !text.isEmpty else {
            throw key.problem("`\(opening)` needs a number", expected: "\(opening) 2")
        }
        return try node.integer(opening, in: 0...1_000_000_000)
    }
}
