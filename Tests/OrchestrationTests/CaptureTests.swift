import Bluetooth
import Foundation
import Reports
import Testing
import Topologies
import Traces

/// The captures, as Wireshark sees them: a dissector that nobody here wrote.
struct CaptureTests {
    private static let tshark = ["/usr/bin/tshark", "/usr/local/bin/tshark"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// What Wireshark says of one packet.
    private struct Packet {
        let isMalformed: Bool
        let wasSent: Bool
        let opcodes: [Int]
    }

    @Test(.enabled(if: tshark != nil, "tshark is not installed"))
    func everyCaptureIsWellFormedAndHasThePDUsOfTheTrace() throws {
        let place = try Place()
        _ = try Command.run("run", topologies, in: place)
        for file in try TopologyFile.find(in: topologies) {
            let folder = "out/\(file.name)/1"
            let captures = try FileManager.default.contentsOfDirectory(
                atPath: "\(place.path)/\(folder)/captures")
            #expect(!captures.isEmpty)
            let counts = try Self.counts(ofTrace: place.read("\(folder)/trace.jsonl"))
            // Of the hall's 64 devices, which are all alike, some are enough.
            for capture in captures.sorted().prefix(8) {
                let device = String(capture.dropLast(".btsnoop".count))
                let packets = try Self.packets(
                    of: "\(place.path)/\(folder)/captures/\(capture)", in: place)
                #expect(!packets.isEmpty, "\(file.name) \(device)")
                #expect(packets.count { $0.isMalformed } == 0, "\(file.name) \(device)")
                var seen: [String: Int] = [:]
                for packet in packets {
                    for opcode in packet.opcodes {
                        seen["\(packet.wasSent ? "sent" : "received") \(opcode)", default: 0] += 1
                    }
                }
                #expect(seen == counts[device] ?? [:], "\(file.name) \(device)")
            }
        }
    }

    private static func packets(of capture: String, in place: Place) throws -> [Packet] {
        let list = place.path + "/packets.txt"
        try place.write("", to: "packets.txt")
        let process = Process()
        process.executableURL = URL(filePath: tshark ?? "")
        process.arguments = [
            "-n", "-r", capture, "-T", "fields", "-E", "separator=;", "-e", "_ws.malformed", "-e",
            "hci_h4.direction", "-e", "btatt.opcode",
        ]
        process.standardOutput = FileHandle(forWritingAtPath: list)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return place.read("packets.txt").split(separator: "\n").map { line in
            let fields = line.split(separator: ";", omittingEmptySubsequences: false)
            let opcodes = fields[2].split(separator: ",").compactMap {
                Int($0.dropFirst(2), radix: 16)
            }
            return Packet(
                isMalformed: !fields[0].isEmpty, wasSent: Int(fields[1].suffix(1)) == 0,
                opcodes: opcodes)
        }
    }

    /// How many PDUs of each opcode each device sent and received.
    private static func counts(ofTrace text: String) throws -> [String: [String: Int]] {
        var counts: [String: [String: Int]] = [:]
        for line in text.split(separator: "\n") {
            guard case .event(let event) = try TraceReader.line(line.utf8),
                event.kind.hasPrefix("att."), case .text(let name)? = event["pdu"]
            else { continue }
            let opcode = try #require(ATTOpcode.allCases.first { $0.name == name }, "\(name)")
                .rawValue
            counts[event.device, default: [:]][
                "\(event.kind.dropFirst(4)) \(opcode)", default: 0] += 1
        }
        return counts
    }
}
