import Artifacts
import Bluetooth
import Foundation
import TestSupport
import Testing
import Traces

/// The captures, as Wireshark sees them: a dissector that nobody here wrote.
@Suite(.processes) struct CaptureTests {
    /// What Wireshark says of one packet.
    private struct Packet {
        let capture: Int
        let isMalformed: Bool
        let wasSent: Bool
        let opcodes: [Int]
    }

    @Test func everyCaptureIsWellFormedAndHasThePDUsOfTheTrace() throws {
        let place = try Place()
        _ = try Command(["run"] + playedTopologies, in: place).outcome()
        var captures: [String] = []
        var expected: [[String: Int]] = []
        for file in try playedTopologies.flatMap({ try TopologyFile.find(in: $0) }) {
            let folder = "out/\(file.name)/1"
            let counts = try Self.counts(ofTrace: place.read("\(folder)/trace.jsonl"))
            let devices = try FileManager.default.contentsOfDirectory(
                atPath: "\(place.path)/\(folder)/captures"
            ).map { String($0.dropLast(".btsnoop".count)) }
            // What goes by the network has no HCI.
            let text = try String(contentsOfFile: file.path, encoding: .utf8)
            let isOnNetwork = text.contains("transport: network") || text.contains("ranges-with: ")
            #expect(!devices.isEmpty || isOnNetwork, "\(file.name)")
            #expect(counts.keys.filter { !devices.contains($0) } == [], "\(file.name)")
            for device in devices {
                captures.append("\(folder)/captures/\(device).btsnoop")
                expected.append(counts[device] ?? [:])
            }
        }
        let packets = Dictionary(grouping: try Self.packets(of: captures, in: place)) { $0.capture }
        for (index, capture) in captures.enumerated() {
            let own = packets[index] ?? []
            #expect(!own.isEmpty, "\(capture)")
            #expect(own.count { $0.isMalformed } == 0, "\(capture)")
            var seen: [String: Int] = [:]
            for packet in own {
                for opcode in packet.opcodes {
                    seen["\(packet.wasSent ? "sent" : "received") \(opcode)", default: 0] += 1
                }
            }
            #expect(seen == expected[index], "\(capture)")
        }
    }

    /// Merges the captures, because tshark takes much longer to start than to read them all.
    private static func packets(of captures: [String], in place: Place) throws -> [Packet] {
        _ = try run(["mergecap", "-I", "none", "-w", "all.pcapng"] + captures, in: place)
        let lines = try run(
            [
                "tshark", "-n", "-r", "all.pcapng", "-T", "fields", "-E", "separator=;", "-e",
                "frame.interface_id", "-e", "_ws.malformed", "-e", "hci_h4.direction", "-e",
                "btatt.opcode",
            ], in: place)
        return lines.split(separator: "\n").map { line in
            let fields = line.split(separator: ";", omittingEmptySubsequences: false)
            let opcodes = fields[3].split(separator: ",").compactMap {
                Int($0.dropFirst(2), radix: 16)
            }
            return Packet(
                capture: Int(fields[0]) ?? -1, isMalformed: !fields[1].isEmpty,
                wasSent: Int(fields[2].suffix(1)) == 0, opcodes: opcodes)
        }
    }

    /// What a program of Wireshark's prints.
    private static func run(_ command: [String], in place: Place) throws -> String {
        let outcome = try place.run(command)
        guard outcome.status != 127 else {
            throw Failure("\(command[0]) is not installed; Scripts/test installs it with tshark")
        }
        #expect(outcome.status == 0, "\(command[0])")
        return outcome.output
    }

    /// How many PDUs of each opcode each device sent and received.
    private static func counts(ofTrace text: String) throws -> [String: [String: Int]] {
        var counts: [String: [String: Int]] = [:]
        for line in text.split(separator: "\n") {
            guard case .event(let event) = try TraceReader.line(line.utf8),
                event.name.hasPrefix("att."), case .text(let name)? = event["pdu"]
            else { continue }
            let opcode = try #require(ATTOpcode.allCases.first { $0.name == name }, "\(name)")
                .rawValue
            counts[event.device, default: [:]][
                "\(event.name.dropFirst(4)) \(opcode)", default: 0] += 1
        }
        return counts
    }
}
