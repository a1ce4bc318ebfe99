import Foundation
import Testing
import Traces

struct SchemaTests {
    /// The rows of the tables of kinds in TRACE.md: the kind and its fields.
    private static let rows: [(kind: String, fields: String)] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Traces/TRACE.md")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| `") else { return nil }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            let kind = cells[1].trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            return (kind, cells[2].trimmingCharacters(in: .whitespaces))
        }
    }()

    @Test func everyKindIsDocumentedOnce() {
        let documented = Self.rows.map(\.kind)
        #expect(documented.sorted() == TraceKind.all.sorted())
        #expect(Set(documented).count == documented.count)
    }

    @Test func noKindIsTheBeginningOfAnotherUpToADot() {
        for kind in TraceKind.all {
            #expect(!TraceKind.all.contains { $0.hasPrefix(kind + ".") })
        }
    }

    @Test func aMessageHasTheSameFieldsAtBothEnds() {
        for row in Self.rows where row.kind.hasSuffix(".sent") {
            let received = row.kind.dropLast("sent".count) + "received"
            #expect(Self.rows.first { $0.kind == received }?.fields == row.fields)
        }
    }
}
