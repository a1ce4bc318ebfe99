import Basics
import DeviceLink
import PromiseLibrary
import Promises
import Traces
import YAML

extension YAMLNode {
    /// Whether it expects that a promise is broken, in a text or as a mapping.
    var isViolation: Bool { string?.hasPrefix("violated ") == true || self["violated"] != nil }

    /// Whether it says what a known defect may break.
    var isSideEffect: Bool { self[ExpectationWord.sideEffect[0]] != nil }
}

/// The key of an expectation, for example `eventually within 10s`.
enum ExpectationWord: Equatable {
    /// The keys of what breaks beside the promise that is meant.
    static let sideEffect = ["unavoidable", "because"]

    /// A promise has to be broken.
    case violated
    /// Events have to be seen, or not.
    case events(Form)

    /// What is expected of events.
    enum Form: Equatable {
        case eventually(within: Nanoseconds?)
        case never
        case count(ClosedRange<Int>)
        case inOrder(within: Nanoseconds?)

        /// Whether the value is a list of patterns.
        var isOrder: Bool {
            if case .inOrder = self { return true }
            return false
        }

        /// The expectation of these patterns, of which there is one unless ``isOrder``.
        func body(_ patterns: [EventPattern]) -> Property.Body {
            switch self {
            case .eventually(let within), .inOrder(let within):
                .existence(patterns.map { [$0] }, within: within.map { Property.TimeBound($0) })
            case .never: .never(patterns)
            case .count(let range): .count(patterns, range: range, over: nil)
            }
        }
    }

    /// All forms, for messages.
    static let forms =
        "eventually [within TIME], never, exactly N, at least N, at most N, in order [within TIME], violated"

    /// What such a key begins with.
    private enum Opening: String, CaseIterable {
        case eventually, never, exactly
        case atLeast = "at least"
        case atMost = "at most"
        case inOrder = "in order"
        case violated
    }

    /// The word that `node`, a key, says.
    init(_ node: YAMLNode, with cast: Cast) throws(Problem) {
        let text = try node.text("an expectation")
        let known = Opening.allCases.first {
            text == $0.rawValue || text.hasPrefix($0.rawValue + " ")
        }
        guard let opening = known else { throw Self.unknown(text, at: node) }
        let rest = text.dropFirst(opening.rawValue.count).drop { $0 == " " }
        let part = node.part(rest, of: text)
        switch opening {
        case .eventually: self = .events(.eventually(within: try Self.within(part, with: cast)))
        case .inOrder: self = .events(.inOrder(within: try Self.within(part, with: cast)))
        case .never, .violated:
            guard rest.isEmpty else {
                throw part.problem("nothing stands after `\(opening.rawValue)`")
            }
            self = opening == .never ? .events(.never) : .violated
        case .exactly:
            let count = try Self.number(part, after: opening, at: node)
            self = .events(.count(count...count))
        case .atLeast:
            let count = try Self.number(part, after: opening, at: node)
            self = .events(.count(count...Int.max))
        case .atMost:
            let count = try Self.number(part, after: opening, at: node)
            self = .events(.count(0...count))
        }
    }

    private static func unknown(_ text: String, at node: YAMLNode) -> Problem {
        let words = text.split(separator: " ").map(String.init)
        let candidates = [words.first ?? "", words.prefix(2).joined(separator: " ")]
        return node.problem(
            "`\(text)` is not an expectation", expected: forms,
            suggestion: candidates.compactMap {
                Suggestion.nearest(to: $0, among: Opening.allCases.map(\.rawValue))
            }.first)
    }

    private static func within(_ node: YAMLNode, with cast: Cast) throws(Problem) -> Nanoseconds? {
        guard case .text(let text, _) = node.content, !text.isEmpty else { return nil }
        guard text.hasPrefix("within ") else {
            throw node.problem(
                "`\(text)` cannot stand here", expected: "within and a time, like within 10s")
        }
        return try cast.moment(node.part(text.dropFirst(7), of: text), for: "within")
    }

    private static func number(
        _ node: YAMLNode, after opening: Opening, at key: YAMLNode
    ) throws(Problem) -> Int {
        guard case .text(let text, _) = node.content, !text.isEmpty else {
            throw key.problem(
                "`\(opening.rawValue)` needs a number", expected: "\(opening.rawValue) 2")
        }
        return Int(try node.integer(opening.rawValue, in: 0...1_000_000_000))
    }
}
