import Foundation
import TestSupport
import Testing

/// A stack that nobody here wrote, unchanged: Bumble 0.0.236.
@Suite struct BumbleTests {
    private static let ranges = """
        expect:
          - eventually within 10s: msg.accessoryUwbDidStart.received on ben
          - eventually within 10s: ni.didUpdate on ben
        """

    @Test func aLockOnBumbleRangesAndIsTheSameInTwentyOfTwentyRuns() throws {
        let guests = try Guests()
        try guests.topology(Guests.bumble(), length: "10s", more: Self.ranges)
        let outcome = try guests.anechoic(
            "run", "t.yaml", "--seeds", "1..\(isWhole ? 20 : 2)", "--twice", "--quiet")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test func itsFaultsAreThoseOfAProcess() throws {
        let guests = try Guests()
        try guests.topology(
            Guests.bumble(), length: "20s",
            more: """
                steps:
                  - {at: 5s, kill: lock}
                  - {at: 7s, restart: lock}
                  - {at: 12s, freeze: lock}
                  - {at: 14s, thaw: lock}
                """ + "\n" + Self.ranges)
        let outcome = try guests.anechoic("run", "t.yaml", "--twice")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    /// It is told of a start that has ended 57 ms later, whatever has happened meanwhile.
    @Test(.long) func aRaceInAScriptOfBumbleIsFoundShrunkAndNamed() throws {
        let guests = try Guests()
        try guests.topology(
            Guests.bumble("0.056"), length: "10s",
            more: """
                steps:
                  - {when: msg.configureAndStart.sent on ben, after: 5ms, stop: ben}
                """)
        let search = try guests.anechoic("explore", "t.yaml", "--runs", "100", "--out", "out")
        #expect(search.status == 1, "\(search.output)\(search.errors)")
        let seed = try #require(
            FileManager.default.contentsOfDirectory(atPath: guests.place.path + "/out/t").first {
                Int($0) != nil
            })
        let replay = "out/t/\(seed)/replay.json"
        for _ in 1...5 {
            let again = try guests.anechoic("replay", replay, "--trust")
            #expect(again.status == 1, "\(again.output)\(again.errors)")
        }
        let smaller = try guests.anechoic("shrink", replay, "--trust", "--out", "small")
        #expect(smaller.status == 1, "\(smaller.output)\(smaller.errors)")
        let why = try guests.anechoic("explain", replay, "--trust", "--runs", "20")
        #expect(
            why.output.contains(
                "race: msg.stop.received (ben → lock) against msg.accessoryUwbDidStart.sent (lock → ben)"
            ),
            "\(why.output)\(why.errors)")
    }
}
