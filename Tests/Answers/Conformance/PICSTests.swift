import Campaigns
import TestSupport
import Testing
import YAML

@testable import Conformance

/// What a maker claims, as it is read.
struct PICSTests {
    private func read(_ text: String) throws -> PICS {
        let place = try Place()
        return try withExtendedLifetime(place) { try PICS(file: place.write(text, to: "pics")) }
    }

    @Test func aSectionNamesItsClausesAndNoneOfAnother() {
        let names = PICS.clauses(named: "R4-4.3.3")
        #expect(names.count > 1)
        #expect(names.allSatisfy { $0.hasPrefix("R4-4.3.3-") })
        #expect(PICS.clauses(named: "R4-4.3.3-1") == ["R4-4.3.3-1"])
        #expect(PICS.clauses(named: "R4-4.3.") == [])
    }

    @Test func partsMessagesAndClausesAreClaimedOrNot() throws {
        let pics = try read(
            """
            device: our lock
            parts: {multiple: false, several-sessions: true}
            answers-within: 6s
            messages: [0x80, 129]
            not-claimed: [R4-4.3.4, fresh-configuration]
            """)
        let clauses = Set(PICS.clauses(named: "R4-4.3.4"))
        #expect(
            pics
                == PICS(
                    device: "our lock", parts: [.multiple: false, .severalSessions: true],
                    answersWithin: .seconds(6), messages: [0x80, 0x81],
                    notClaimed: clauses.union(["fresh-configuration"])))
    }

    @Test(arguments: ["\n", "\r\n"])
    func aLineEndsHoweverTheEditorEndsIt(end: String) throws {
        let lines = ["# ours", "parts: {multiple: false}", "not-claimed: [no-update-without-link]"]
        let pics = try read(lines.joined(separator: end))
        #expect(pics.parts == [.multiple: false])
        #expect(pics.notClaimed == ["no-update-without-link"])
    }

    @Test func aTemplateOfWhichNothingWasTakenClaimsNothing() throws {
        for text in ["", "\n", PICS.template(accessory: true, app: true)] {
            let pics = try read(text)
            #expect(pics.parts == [:] && pics.notClaimed == [])
        }
    }

    @Test(arguments: [
        ("parts: {multple: true}", "`parts` has no key `multple`"),
        ("parts: {multiple: maybe}", "`multiple` cannot be `maybe`"),
        ("messages: [256]", "`a message id` cannot be `256`"),
        (
            "services: [{service: 1234, receive: 12345, transmit: 1236}]", "`receive` is no UUID"
        ),
        (
            "services: [{service: 1234, receive: 1235, transmit: 1235}]",
            "`receive` and `transmit` are the same characteristic"
        ),
        ("not-claimed: [R4-9.9]", "`R4-9.9` is no clause, section or promise"),
        ("clauses: []", "a PICS has no key `clauses`"),
        ("R4-4.3.3\nfresh-configuration\n", "a PICS cannot be `R4-4.3.3 fresh-configuration`"),
    ])
    func whatNobodyCanClaimIsToldWithItsPlace(text: String, sentence: String) throws {
        let error = #expect(throws: DocumentError.self) { try read(text) }
        #expect(error?.problem.message == sentence)
    }

    /// What stands behind a `#` at the beginning of a line is a claim, too.
    @Test func theTemplateSaysNothingAndEachOfItsLinesIsAClaim() throws {
        let template = PICS.template(accessory: true, app: false)
        #expect(try read(template) == PICS())
        let keys = ["device", "parts", "  ", "messages", "not-claimed"]
        let claims = template.split(separator: "\n").filter { $0.hasPrefix("# ") }
            .map { $0.dropFirst(2) }.filter { line in keys.contains { line.hasPrefix($0) } }
        let pics = try read(claims.joined(separator: "\n"))
        #expect(pics.parts.count == PICS.Part.allCases.count && pics.messages == [0x80])
        #expect(pics.notClaimed.contains("R4-4.3.3-2"))
    }
}
