import DeviceLink
import Foundation
import TestSupport
import Testing
import Traces

struct TraceSchemaTests {
    /// The rows of the tables of kinds in TRACE.md: the kind and its fields.
    private static let rows: [(kind: String, fields: String)] = {
        let text = (try? TestSupport.text(of: "Sources/Language/Traces/TRACE.md")) ?? ""
        return text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| `") else { return nil }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            let kind = cells[1].trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            return (kind, cells[2].trimmingCharacters(in: .whitespaces))
        }
    }()

    @Test func everyKindIsDocumentedOnce() {
        let documented = Self.rows.map(\.kind)
        #expect(documented.sorted() == EventKind.allCases.map(\.rawValue).sorted())
        #expect(Set(documented).count == documented.count)
    }

    /// The fence is made of the kinds; two documents name it.
    @Test func theFenceIsAroundTheOrchestratorsFamilies() throws {
        #expect(
            EventKind.allCases.allSatisfy { EventKind.fence.admits($0.rawValue) == $0.isObserved })
        for kind in ["run", "msg.", "msg.mine", "link.up.more"] {
            #expect(!EventKind.fence.admits(kind))
        }
        for kind in ["runs", "mine", "mine.link.up", "ni", "app.mine", "m", ""] {
            #expect(EventKind.fence.admits(kind))
        }
        let named = EventKind.fencedFamilies.map { "`\($0)`" }.joined(separator: ", ")
        for document in ["Language/Traces/TRACE.md", "Wire/DeviceLink/DEVICE-LINK.md"] {
            let text = try TestSupport.text(of: "Sources/\(document)")
            #expect(text.replacing("\n", with: " ").contains(named), "\(document)")
        }
    }

    @Test func noKindIsTheBeginningOfAnotherUpToADot() {
        let names = EventKind.allCases.map(\.rawValue)
        for name in names { #expect(!names.contains { $0.hasPrefix(name + ".") }) }
        for kind in EventKind.allCases {
            #expect(EventKind(named: kind.rawValue) == kind)
        }
    }

    @Test func aMessageHasTheSameFieldsAtBothEnds() {
        for row in Self.rows where row.kind.hasSuffix(".sent") {
            let received = row.kind.dropLast("sent".count) + "received"
            #expect(Self.rows.first { $0.kind == received }?.fields == row.fields)
        }
    }
}
