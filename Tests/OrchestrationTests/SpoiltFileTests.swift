import DeviceLink
import Foundation
import Testing

@testable import Campaigns
@testable import Conformance
@testable import anechoic

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

    @Test func noSpoiltDeclarationOfAMakerTraps() throws {
        let place = try Place()
        let original = "# ours\nR4-4.3.3-1\nR4-4.3.4 # none of it\nbounded-retries\n"
        var (refused, taken) = (0, 0)
        for seed in 0..<1_000 {
            let path = place.path + "/pics"
            try Data(spoilt(original, Keyed(UInt64(seed)))).write(to: URL(filePath: path))
            do {
                _ = try Profile(file: path)
                taken += 1
            } catch {
                #expect(!"\(error)".isEmpty)
                refused += 1
            }
        }
        #expect(refused > 300 && taken > 10, "refused \(refused), taken \(taken)")
    }

    /// One to three changes: another byte, a number of another size, a part left out, or twice.
    private func spoilt(_ text: String, _ key: Keyed) -> [UInt8] {
        var bytes = Array(text.utf8)
        for change in 0...key.below(3) {
            let key = key.with(change)
            func below(_ bound: Int, _ what: String) -> Int {
                Int(key.with(what).below(UInt64(bound)))
            }
            let place = below(bytes.count, "place")
            let end = min(bytes.count, place + 1 + below(12, "length"))
            switch below(5, "what") {
            case 0: bytes[place] = UInt8(below(256, "byte"))
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default:
                let numbers = ["-1", "0", "9223372036854775807", "18446744073709551615", "1e300"]
                let digits = bytes.indices.filter { isDigit(bytes[$0]) }
                guard !digits.isEmpty else { continue }
                let digit = digits[below(digits.count, "digit")]
                var (first, last) = (digit, digit)
                while first > 0, isDigit(bytes[first - 1]) { first -= 1 }
                while last + 1 < bytes.count, isDigit(bytes[last + 1]) { last += 1 }
                bytes.replaceSubrange(
                    first...last, with: numbers[below(numbers.count, "number")].utf8)
            }
        }
        return bytes
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }
}
