import TestSupport
import Testing

@testable import HostDoor

@Suite struct GuestTests {
    /// The library by itself: every way to wait, threads, chance, copies, calls past libc.
    @Test func guestsOfTheLibrarySeeVirtualTime() throws {
        let outcome = try Place().run([
            "env", "-C", root + "/Tests/Guests", root + "/.build/venv/bin/python3", "-B", "-W",
            "ignore", "-m",
            "unittest", "-q",
        ])
        #expect(outcome.status == 0, "\(outcome.said)")
    }

    @Test(
        arguments: [
            ([], "hci-door is started by anechoic, for a device with `hci:` in its topology"),
            (
                ["listen", "unix", "./lock"],
                "anechoic and hci-door are of different builds; build or install them together"
            ),
        ] as [([String], String)])
    func wordsThatTheDoorDoesNotKnowAreOfAnotherBuild(words: [String], sentence: String) {
        do { _ = try hostProgram(words) } catch { return #expect(error.reason == sentence) }
        Issue.record("it was taken")
    }

    /// The first bytes of a file say so: its class, its machine, a segment that names a loader.
    @Test(
        arguments: [
            (7, [:], nil), (7, [4: 1], "it is a 32-bit program"),
            (7, [18: 8], "it is for another processor"),
            (6, [:], "it is statically linked"), (7, [0: 0x23], nil),
        ] as [(UInt8, [Int: UInt8], String?)])
    func aFileThatCannotBeAGuestIsKnownByItsHead(
        segment: UInt8, changes: [Int: UInt8], reason: String?
    ) throws {
        var head = [UInt8](repeating: 0, count: 64 + 2 * 56)
        head.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
        #if arch(x86_64)
            head[18] = 62
        #else
            head[18] = 183
        #endif
        // Two segments of 56 bytes behind the header of 64; the second is PT_INTERP (3) or another.
        (head[32], head[54], head[56]) = (64, 56, 2)
        head[64 + 56] = segment == 7 ? 3 : 1
        for (place, byte) in changes { head[place] = byte }
        #expect(ELF(head).flatMap(\.reasonAgainst) == reason)
    }
}
