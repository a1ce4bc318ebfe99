import DeviceLink
import Foundation
import TestSupport
import Testing

@testable import Campaigns

/// Files that a command goes on with, or is told of, changed at random places: each is refused or taken,
/// and nothing in it stops the program.
struct SpoiltFileTests {
    private static let sick = ["--defect", "lock=reused-configuration"]

    @Test(arguments: ["random", "exhaustive"])
    func noSpoiltExplorationTraps(_ way: String) throws {
        let place = try Place()
        let search = way == "random" ? [] : ["--strategy", "exhaustive:1"]
        let explore = ["explore", topologies + "/dropout/mid-handshake.yaml", "--runs", "30"]
        _ = try Command(explore + search + Self.sick + ["--jobs", "1"], in: place).outcome()
        let (path, original) = (place.path + "/out/explore.json", place.read("out/explore.json"))
        let whole = try JSONDecoder().decode(Exploration.self, from: Data(original.utf8))
        var (refused, taken) = (0, 0)
        for seed in 0..<1_500 {
            try Data(spoilt(original, Keyed(UInt64(seed)))).write(to: URL(filePath: path))
            guard let again = try? Exploration(resuming: whole.plan, from: path) else {
                refused += 1
                continue
            }
            taken += 1
            #expect(!again.text([]).isEmpty)
            _ = again.emptiness
            var going = again
            for _ in 0..<3 { _ = going.next() }
        }
        #expect(refused > 300 && taken > 300, "refused \(refused), taken \(taken)")
    }
}
