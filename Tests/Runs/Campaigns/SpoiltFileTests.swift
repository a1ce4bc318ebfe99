import DeviceLink
import Foundation
import TestSupport
import Testing

@testable import Campaigns

/// Files that a command continues or gets by name, changed at random places: each is refused or taken,
/// and nothing in it stops the program.
struct SpoiltFileTests {
    @Test(arguments: ["random", "exhaustive:1"])
    func noSpoiltExplorationTraps(_ way: String) throws {
        let place = try Place()
        let path = place.path + "/explore.json"
        let search = try #require(Search(rawValue: way))
        let whole = try explore(sickPair(search, length: "3s"), lots: 2)
        try whole.keep(in: path)
        let original = place.read("explore.json")
        var (refused, taken) = (0, 0)
        let (tries, fewest) = isWhole ? (1_500, 300) : (150, 15)
        for seed in 0..<tries {
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
        #expect(refused > fewest && taken > fewest, "refused \(refused), taken \(taken)")
    }
}
