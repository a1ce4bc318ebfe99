import Foundation
import Testing

/// The table of all that the accessory protocol R4 demands, recommends and allows.
struct ClauseTableTests {
    private struct Row {
        let id, section, level, keeper, statement, promise, untestable: String

        init(_ fields: [String]) throws {
            try #require(fields.count == 7, "\(fields)")
            (id, section, level, keeper) = (fields[0], fields[1], fields[2], fields[3])
            (statement, promise, untestable) = (fields[4], fields[5], fields[6])
        }
    }

    private static func rows() throws -> [Row] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appending(path: "Sources/Promises/clauses.csv"), encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline)
        #expect(lines.first == "id,section,level,keeper,statement,promise,untestable")
        return try lines.dropFirst().map { try Row(fields(of: $0)) }
    }

    /// RFC 4180: a field in quotes may hold commas, and two quotes for one.
    private static func fields(of line: Substring) -> [String] {
        var fields = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        return fields
    }

    @Test func everyStatementHasAPromiseOrAReason() throws {
        let rows = try Self.rows()
        for row in rows {
            #expect(row.promise.isEmpty != row.untestable.isEmpty, "\(row.id)")
            #expect(row.id.hasPrefix("R4-\(row.section)-"), "\(row.id)")
            #expect(["must", "should", "may"].contains(row.level), "\(row.id)")
            #expect(
                ["accessory", "app", "apple-device", "link"].contains(row.keeper), "\(row.id)")
        }
        #expect(Set(rows.map(\.id)).count == rows.count)
        #expect(rows.count == 121)
        #expect(rows.count { !$0.promise.isEmpty } == 90)
        #expect(rows.count { !$0.untestable.isEmpty } == 31)
    }
}
