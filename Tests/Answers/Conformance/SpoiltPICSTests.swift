import DeviceLink
import Foundation
import TestSupport
import Testing

@testable import Conformance

/// Declarations of a maker, changed at random places: each is refused or taken, and none stops the program.
struct SpoiltPICSTests {
    @Test func noSpoiltDeclarationOfAMakerTraps() throws {
        let place = try Place()
        let original =
            "device: lock\nparts: {multiple: true}\nmessages: [0x80]\nnot-claimed: [R4-4.3.4]\n"
        var (refused, taken) = (0, 0)
        for seed in 0..<1_000 {
            let path = place.path + "/pics"
            try Data(spoilt(original, Keyed(UInt64(seed)))).write(to: URL(filePath: path))
            do {
                _ = try PICS(file: path)
                taken += 1
            } catch {
                #expect(!"\(error)".isEmpty)
                refused += 1
            }
        }
        #expect(refused > 300 && taken > 10, "refused \(refused), taken \(taken)")
    }
}
