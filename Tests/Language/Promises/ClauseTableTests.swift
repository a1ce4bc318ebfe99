import Promises
import Testing

/// The table of all that the accessory protocol R4 demands, recommends and allows.
struct ClauseTableTests {
    static let header = "id,section,level,keeper,statement,promise,untestable"

    private func clauses(_ text: String) throws -> [Clause] {
        try ClauseTable.clauses(of: Array((Self.header + text).utf8))
    }

    @Test func everyStatementHasAPromiseOrAReason() {
        let clauses = ClauseTable.r4
        for clause in clauses {
            #expect(clause.promises.isEmpty == (clause.untestable != nil), "\(clause.id)")
            #expect(clause.id.hasPrefix("R4-\(clause.section)-"), "\(clause.id)")
            #expect(!clause.statement.isEmpty, "\(clause.id)")
            // No inference without a promise that judges it.
            #expect(
                !clause.statement.hasPrefix("inferred: ") || !clause.promises.isEmpty,
                "\(clause.id)")
        }
        #expect(Set(clauses.map(\.id)).count == clauses.count)
    }

    @Test func aRowIsAClause() throws {
        let clause = try #require(
            try clauses("\nR4-2.3-6,2.3,must,apple-device,It copes.,quiet fresh,\n").first)
        #expect(clause.id == "R4-2.3-6")
        #expect(clause.section == "2.3")
        #expect(clause.level == .must)
        #expect(clause.keeper == .appleDevice)
        #expect(clause.statement == "It copes.")
        #expect(clause.promises == ["quiet", "fresh"])
        #expect(clause.untestable == nil)
    }

    @Test(arguments: [
        (#""Off, then on.""#, "Off, then on."), (#""Say ""stop"".""#, #"Say "stop"."#),
        ("\"One\r\ntwo\"", "One\r\ntwo"), ("\"\"", ""), ("", ""), ("Größe", "Größe"),
    ])
    func aFieldInQuotesHoldsAnything(_ field: String, _ statement: String) throws {
        for end in ["\n", "\r\n"] {
            let row = "\(end)a,1,may,app,\(field),,why"
            let found = try clauses(row + row + end)
            #expect(found.map(\.statement) == [statement, statement])
            #expect(try clauses(row) == Array(found.prefix(1)))
        }
    }

    @Test(arguments: [
        ("\na,1,may,app,s,p", "line 2: expected 7 fields, found 6"),
        ("\n\na,1,may,app,s,p,", "line 2: expected 7 fields, found 1"),
        (
            "\na,1,may,app,\"s\ns\",p,\nb,1,can,app,s,p,",
            "line 4: expected a level (must, should, may), found \"can\""
        ),
        (
            "\na,1,may,phone,s,p,",
            "line 2: expected a keeper (accessory, app, apple-device, link), found \"phone\""
        ),
        ("\na,1,may,app,\"s\" s,p,", "line 2: expected a comma or the end of the line"),
        ("\na,1,may,app,s \"s\",p,", "line 2: expected a comma or the end of the line"),
        ("\na,1,may,app,\"s,p,\n", "line 3: expected a quote that closes the field"),
        ("\na,1,may,app,s,p,\rb", "line 2: expected a line feed behind the carriage return"),
        (",more", "line 1: expected \(header)"),
    ])
    func aWrongTableIsToldWithItsLine(_ text: String, _ sentence: String) throws {
        let failure = try #require(throws: ClauseTable.Failure.self) { try clauses(text) }
        #expect(failure.description == sentence)
    }
}
