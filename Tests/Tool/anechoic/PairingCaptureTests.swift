import Foundation
import TestSupport
import Testing

/// Pairings in captures, as tshark and PyPI's cryptography see them.
@Suite(.processes) struct PairingCaptureTests {
    private static let python = root + "/.build/venv/bin/python3"
    private static let areThere = FileManager.default.isExecutableFile(atPath: python)

    @Test(arguments: [
        ("first-pairing", "01 02 0c 0c 03 04 04 0d 0d 08 09 08 09"),
        ("legacy", "01 02 03 03 04 04 06 07 08 09 08 09"),
        ("refused", "01 02 05"),
        ("security-request", "0b 01 02 0c 0c 03 04 04 0d 0d 08 09 08 09 0b"),
    ])
    func wiresharkSeesEachPDU(topology: String, codes: String) throws {
        let place = try Place()
        _ = try Command.run("run", "\(topologies)/pairing/\(topology).yaml", in: place)
        let pairing = CapturedPairing(place: place, run: "out/pairing/\(topology)/1")
        #expect(try pairing.codes() == codes)
    }

    @Test(
        .enabled(if: areThere, "Scripts/test installs it"),
        arguments: [
            (
                "legacy",
                "two confirm values and the short-term key agree\n"
                    + "the key of the next link is the one that was given\n"
            ),
            (
                "first-pairing",
                "the commitment agrees\nthe key of the next link is the same\n"
            ),
        ])
    func cryptographyOfOthersComputesTheSame(topology: String, said: String) throws {
        let place = try Place()
        _ = try Command.run("run", "\(topologies)/pairing/\(topology).yaml", in: place)
        let pairing = CapturedPairing(place: place, run: "out/pairing/\(topology)/1")
        #expect(try pairing.recomputed() == said)
    }
}
