import DeviceLink
import PromiseLibrary
import Promises
import TestSupport
import Testing
import Traces

/// What a file of promises can say wrong, and the one message it gets: the table in `Mistakes`.
struct WrongPromiseTests {
    private static let tables = Result {
        try MistakeTable.all(in: "Tests/Language/PromiseLibrary/Mistakes")
    }
    private static let mistakes = ((try? tables.get()) ?? []).flatMap(\.mistakes)

    private func message(_ text: String) -> String? {
        do {
            _ = try PropertySet(parsing: Array(text.utf8), file: "p.yaml")
            return nil
        } catch { return "\(error)" }
    }

    private func promise(_ lines: String...) -> String {
        """
        fluents:
          linked: {per: [link], set: link.up, clear: link.down}
        promises:
          - promise: one

        """ + lines.map { "    \($0)\n" }.joined()
    }

    @Test func aSumOfDurationsIsHeldToTheLimitOfEach() {
        let sum = Array(repeating: "10080min", count: 31_000).joined(separator: " + ")
        let said = message(promise("when: link.up", "then: link.down", "within: \(sum)"))
        #expect(said?.contains("add up to more than a run can have") == true)
        #expect(
            said?.contains("expected: at most 10080min in all") == true, "\(said?.suffix(80) ?? "")"
        )
    }

    @Test(.disabled(if: MistakeTable.isRecorded), arguments: mistakes)
    func aWrongFileIsRefusedWithTheseWords(_ wrong: Mistake) {
        #expect(message(wrong.text) == wrong.words)
    }

    @Test(.enabled(if: MistakeTable.isRecorded)) func theTablesAreRecordedAnew() throws {
        for var table in try Self.tables.get() {
            try table.record { message($0) ?? "no mistake" }
        }
    }

    @Test(.disabled(if: MistakeTable.isRecorded)) func everyTableIsWrittenAsItIsRead() throws {
        for table in try Self.tables.get() { #expect(try table.text == text(of: table.path)) }
        #expect(!Self.mistakes.isEmpty)
    }

    @Test func aWholePromiseIsRead() throws {
        let set = try PropertySet(
            parsing: Array(
                promise(
                    "clause: R4 2.3", "level: should", "keeper: accessory", "says: It answers.",
                    "per: [link]", "while: linked", "when: msg.initialize.received",
                    "then: [msg.accessoryConfigurationData.sent, uwb.starting]", "within: 2s",
                    "unless: msg.stop.received"
                ).utf8), file: "p.yaml")
        #expect(
            set.properties == [
                Property(
                    "one", clause: "R4 2.3", level: .should, keeper: .accessory,
                    sentence: "It answers.", keys: [.field("link")],
                    scope: Property.Condition([.init("linked")]),
                    body: .response(
                        when: [EventPattern(kind: "msg.initialize.received")],
                        then: [
                            EventPattern(kind: "msg.accessoryConfigurationData.sent"),
                            EventPattern(kind: "uwb.starting"),
                        ], within: Property.TimeBound(.seconds(2)),
                        unless: [EventPattern(kind: "msg.stop.received")]))
            ])
    }
}
