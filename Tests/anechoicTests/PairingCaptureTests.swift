import Foundation
import Reports
import TestSupport
import Testing
import Traces

/// Pairings in captures, as tshark and PyPI's cryptography see them.
@Suite struct PairingCaptureTests {
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
        let outcome = try place.run([
            "tshark", "-n", "-r", "out/pairing/\(topology)/1/captures/ben.btsnoop", "-Y", "btsmp",
            "-T", "fields", "-E", "separator=;", "-e", "btsmp.opcode", "-e", "_ws.malformed",
        ])
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasSuffix(";") })
        #expect(lines.map { $0.dropFirst(2).prefix(2) }.joined(separator: " ") == codes)
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
        let folder = "out/pairing/\(topology)/1"
        let addresses = try Self.addresses(inTrace: place.read("\(folder)/trace.jsonl"))
        let outcome = try place.run(
            [Self.python, root + "/Tests/Support/Witness/pairing.py"],
            input: """
                {"capture": "\(folder)/captures/ben.btsnoop", "central": "\(addresses["ben"] ?? "")-random",
                "peripheral": "\(addresses["lock"] ?? "")-random"}
                """)
        #expect(outcome.output == said)
    }

    private static func addresses(inTrace text: String) throws -> [String: String] {
        var found: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard case .event(let event) = try TraceReader.line(line.utf8),
                event.name == "device.started", case .text(let address)? = event["address"]
            else { continue }
            found[event.device] = address
        }
        return found
    }
}
