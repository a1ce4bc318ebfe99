import TestSupport
import Testing

@Suite(.processes) struct DiffCommandTests {
    private static let pair = topologies + "/dropout/mid-handshake.yaml"

    @Test func twoRunsOfOnePlanAreTheSame() throws {
        let place = try Place()
        for folder in ["one", "two"] {
            _ = try Command.run("run", Self.pair, "--out", folder, in: place)
        }
        let (one, two) = ("one/dropout/mid-handshake/1", "two/dropout/mid-handshake/1")
        let outcome = try Command.run("diff", one, "\(two)/trace.jsonl", in: place)
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("the same "))
    }

    @Test func theFirstEventThatDiffersIsToldWithTheOneBefore() throws {
        let place = try Place()
        try place.write(
            """
            {"number":0,"time":5000000,"step":1,"kind":"link.up","device":"ben"}
            {"number":1,"time":7000000,"step":2,"kind":"link.down","device":"ben","fields":{"reason":8}}
            """, to: "one")
        try place.write(
            """
            {"number":0,"time":5000000,"step":1,"kind":"link.up","device":"ben"}
            {"number":1,"time":7000000,"step":2,"kind":"link.down","device":"ben","fields":{"reason":19}}
            """, to: "other")
        let outcome = try Command.run("diff", "one", "other", in: place)
        #expect(outcome.status == 1)
        #expect(
            outcome.output == """
                the runs differ from event 1, step 2 on
                  one    0.007 s  link.down on ben with reason = 8
                  other  0.007 s  link.down on ben with reason = 19
                  the event before, in both: 0.005 s  link.up on ben

                """)
    }

    @Test func aTraceThatEndsEarlierDiffersThere() throws {
        let place = try Place()
        let line = #"{"number":0,"time":0,"step":0,"kind":"run.started"}"#
        try place.write(line, to: "one")
        try place.write("", to: "none")
        let outcome = try Command.run("diff", "one", "none", in: place)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("none  the end of the trace"))
        #expect(try Command.run("diff", "one", "nowhere", in: place).status == 65)
    }
}
