import Foundation
import TestSupport
import Testing

/// Files and numbers from outside that once stopped the program, or never let it end.
@Suite(.processes) struct BorderTests {
    private static let pair = topologies + "/dropout/mid-handshake.yaml"

    @Test func theLastSeedsAreExplored() throws {
        let outcome = try Command.run(
            "explore", Self.pair, "--runs", "32", "--seed", "18446744073709551615",
            in: try Place())
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("32 runs of 1 topology in "))
    }

    @Test(arguments: [
        (#""runs" : 16"#, #""runs" : 18446744073709551615"#),
        (#""frontier" : 1"#, #""frontier" : 9223372036854775807"#),
        (#""frontier" : 1"#, #""frontier" : -5"#),
    ])
    func countsThatNobodyCanHaveAreNotResumed(_ old: String, _ new: String) throws {
        let place = try Place()
        _ = try Command.run("explore", Self.pair, "--runs", "16", in: place)
        let kept = place.read("out/explore.json")
        #expect(kept.contains(old), "\(kept.prefix(400))")
        try place.write(kept.replacing(old, with: new), to: "out/explore.json")
        let outcome = try Command.run(
            "explore", Self.pair, "--runs", "48", "--resume", in: place)
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains("out/explore.json is broken: no exploration has such counts"))
    }

    @Test func checkpointsThatLieAnyDistanceApartAreCompared() throws {
        let place = try Place()
        let file = try place.write(
            "devices: {ben: {model: iPhone 15, permission: allowed}, lock: {profile: qorvo}}",
            to: "pair.yaml")
        _ = try Command.run("run", file, in: place)
        let name = "out/pair/1/replay.json"
        let replay = place.read(name)
        let every = try #require(replay.firstMatch(of: /"every" : \d+/)).output
        let seed = replay.replacing(/"seed" : 1\b/, with: #""seed" : 2"#)
        try place.write(
            seed.replacing(String(every), with: #""every" : 9223372036854775808"#), to: "far.json")
        let outcome = try Command.run("replay", "far.json", in: place)
        #expect(outcome.status >= 0 && outcome.status < 128, "\(outcome.status)")
    }

    @Test func aSuiteWithABombOfAliasesEnds() throws {
        let place = try Place()
        let bomb = (1...40).map { "k\($0): &k\($0) [*k\($0 - 1), *k\($0 - 1)]" }
        try place.write(
            (["k0: &k0 [x, x]"] + bomb).joined(separator: "\n"), to: "suite/bomb.yaml")
        for command in [
            ["conform", "--suite", "suite", "--no-sweep", "--no-search", "--profile", "qorvo"],
            ["defects", "--suite", "suite"],
        ] {
            let outcome = try Command(command, in: place).outcome()
            #expect(outcome.status < 128, "\(command) \(outcome.errors)")
        }
    }
}
