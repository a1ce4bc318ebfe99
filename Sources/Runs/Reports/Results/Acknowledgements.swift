import Artifacts
import Foundation
package import YAML

/// Failures that a team knows of, each with a reason and a last day, in a file that lives with their sources.
///
///     known:
///       - failure: "quiet: uwb.starting → link.down"
///         reason: Ticket 1234; the next firmware stops its radio.
///         until: 2026-12-31
package struct Acknowledgements: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package let failure: String
        package let reason: String
        /// The last day on which it holds, as `2026-12-31`.
        package let until: String
    }

    package let entries: [Entry]

    package static let none = Acknowledgements(entries: [])

    private init(entries: [Entry]) { self.entries = entries }

    /// - Throws: `InputError` or `DocumentError` where the file cannot be read or says something else.
    package init(file: String) throws {
        let bytes = [UInt8](try InputFile.contents(file, expected: "a list of known failures"))
        try self.init(parsing: bytes, file: file)
    }

    package init(parsing bytes: [UInt8], file: String) throws(DocumentError) {
        entries = try YAMLReader.read(bytes, of: file) { document throws(Problem) in
            var mistakes = Mistakes()
            let root = try YAMLMapping(
                document, of: "known failures", keys: ["known"], noting: &mistakes)
            let expected = "a list of failures, each with a reason and a last day"
            var entries: [Entry] = []
            for node in try root["known"]?.list("known", expected: expected) ?? [] {
                if let entry = try Self.entry(node, noting: &mistakes) { entries.append(entry) }
            }
            try mistakes.check()
            return entries
        }
    }

    private static func entry(
        _ node: YAMLNode, noting mistakes: inout Mistakes
    ) throws(Problem) -> Entry? {
        let keys = ["failure", "reason", "until"]
        let mapping = try YAMLMapping(node, of: "a known failure", keys: keys, noting: &mistakes)
        var texts: [String] = []
        for key in keys {
            guard let value = mapping[key] else {
                throw node.problem(
                    "a known failure without `\(key)`",
                    expected: "one with \(keys.joined(separator: ", "))")
            }
            texts.append(try value.text(key))
            guard key != "until" || isDay(texts[2]) else {
                throw value.problem(
                    "`until` cannot be `\(texts[2])`", expected: "a day, for example 2026-12-31")
            }
        }
        return Entry(failure: texts[0], reason: texts[1], until: texts[2])
    }

    /// Whether a text is a day as ISO 8601 writes it; such texts compare as the days do.
    private static func isDay(_ text: String) -> Bool {
        guard text.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil else { return false }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        return (1...12).contains(parts[1]) && (1...31).contains(parts[2])
    }

    /// The entry of a failure that holds on a day, which is written as `2026-12-31`; nil where there is none.
    package func entry(for failure: String, on day: String) -> Entry? {
        entries.first { $0.failure == failure && $0.until >= day }
    }
}
