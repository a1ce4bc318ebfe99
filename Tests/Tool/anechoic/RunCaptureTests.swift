import Foundation
import TestSupport
import Testing

/// `run.pcapng`, the capture of all devices of a run, as Wireshark sees it.
@Suite(.processes) struct RunCaptureTests {
    /// A run in which the lock sends its configuration data again.
    private static func place() throws -> (Place, run: String) {
        let place = try Place()
        _ = try Command.run(
            "run", topologies + "/dropout/mid-handshake.yaml", "--seed", "42", "--defect",
            "lock=reused-configuration", in: place)
        return (place, "out/dropout/mid-handshake/42")
    }

    /// What tshark says of each packet.
    private static func packets(
        _ file: String, _ fields: [String], _ options: [String] = [], in place: Place
    ) throws -> [[String]] {
        let outcome = try place.run(
            ["tshark", "-n"] + options + ["-r", file, "-T", "fields", "-E", "separator=;"]
                + fields.flatMap { ["-e", $0] })
        try #require(outcome.status == 0, "\(outcome.said)")
        return outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { $0.split(separator: ";", omittingEmptySubsequences: false).map(String.init) }
    }

    @Test func aRunIsOneCaptureWithAnInterfaceForEachDevice() throws {
        let (place, run) = try Self.place()
        let all = try Self.packets(
            "\(run)/run.pcapng", ["frame.interface_name", "_ws.malformed", "frame.protocols"],
            in: place)
        #expect(all.count { !$0[1].isEmpty } == 0)
        #expect(Set(all.map { $0[0] }) == ["ben", "lock"])
        for device in ["ben", "lock"] {
            let own = try Self.packets(
                "\(run)/captures/\(device).btsnoop", ["_ws.malformed", "frame.protocols"],
                in: place)
            // The same packets in the same sequence, as far as their protocols tell.
            func innermost(_ protocols: String) -> Substring? {
                protocols.split(separator: ":").last
            }
            let its = all.filter { $0[0] == device }.map { innermost($0[2]) }
            #expect(its == own.map { innermost($0[1]) })
        }
    }

    /// Wireshark's columns of source and destination have a host's address and, in brackets, its name.
    @Test func eachHostIsNamed() throws {
        let (place, run) = try Self.place()
        let packets = try Self.packets(
            "\(run)/run.pcapng", ["frame.interface_name", "_ws.col.Source", "_ws.col.Destination"],
            ["-Y", "btatt"], in: place)
        for name in ["ben", "lock"] {
            let own = packets.filter { $0[0] == name }
            #expect(!own.isEmpty)
            #expect(
                own.allSatisfy { "\($0[1]) \($0[2])".contains("(\(name))") }, "\(own.prefix(2))")
        }
    }

    /// Debian's tshark 4.0 does not take UCI apart (LINKTYPE_FIRA_UCI, which it calls by its number).
    @Test func whatGoesBetweenAHostAndItsUWBChipIsInItInItsPlace() throws {
        let guests = try Guests()
        try guests.topology(Guests.bumble(), length: "3s")
        let outcome = try guests.anechoic("run", "t.yaml", "--out", "out")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let run = "out/t/1"
        let all = try Self.packets(
            "\(run)/run.pcapng",
            ["frame.interface_name", "frame.encap_type", "frame.time_epoch", "frame.len"],
            in: guests.place)
        let uci = all.filter { $0[0] == "lock UCI" }
        #expect(Set(all.map { $0[0] }) == ["ben", "lock", "lock UCI"])
        #expect(all.map { $0[2] } == all.map { $0[2] }.sorted())
        // CORE_DEVICE_STATUS_NTF: the chip is ready.
        #expect(uci.first?[3] == "5")
        let told = guests.place.read("\(run)/trace.jsonl").split(separator: "\n").count {
            $0.contains("\"kind\":\"uci.")
        }
        #expect(uci.count == told)
        // An interface of link type 299.
        let file = try Data(contentsOf: URL(filePath: "\(guests.place.path)/\(run)/run.pcapng"))
        #expect(file.range(of: Data([0x2B, 0x01, 0, 0, 0, 0, 0, 0])) != nil)
    }

    @Test func theClockIsThatOfTheRunToTheNanosecond() throws {
        let (place, run) = try Self.place()
        let times = try Self.packets("\(run)/run.pcapng", ["frame.time_epoch"], in: place)
        #expect(times.first == ["946684800.000000000"])
        let sent = try #require(
            place.read("\(run)/trace.jsonl").split(separator: "\n").first {
                $0.contains("msg.accessoryConfigurationData.sent")
            })
        let nanoseconds = try #require(sent.firstMatch(of: /"time":(\d+)/)).1
        let text = String(nanoseconds)
        let fraction = String(repeating: "0", count: max(0, 9 - text.count)) + text
        #expect(times.contains(["946684800.\(fraction)"]), "\(text)")
    }

    @Test func aPacketThatBreaksAPromiseSaysWhich() throws {
        let (place, run) = try Self.place()
        let commented = try Self.packets(
            "\(run)/run.pcapng",
            ["frame.interface_name", "btatt.opcode", "btatt.value", "frame.comment"],
            ["-Y", "frame.comment"], in: place)
        #expect(commented.count == 1)
        let packet = try #require(commented.first)
        // A notification of the lock's, with configuration data.
        #expect(packet[0] == "lock" && packet[1] == "0x1b" && packet[2].hasPrefix("01"))
        #expect(
            packet[3].hasPrefix(
                "promise fresh-configuration, kept by the accessory, broken at 1.562 s: "))
    }

    @Test func aRunThatHoldsHasNoComments() throws {
        let place = try Place()
        _ = try Command.run("run", topologies + "/basics/one-to-one.yaml", in: place)
        let commented = try Self.packets(
            "out/basics/one-to-one/1/run.pcapng", ["frame.comment"], ["-Y", "frame.comment"],
            in: place)
        #expect(commented.isEmpty)
    }

    @Test func wiresharkNamesTheMessages() throws {
        let (place, run) = try Self.place()
        let script = "lua_script:" + root + "/Scripts/wireshark/nearby-interaction.lua"
        let messages = try Self.packets(
            "\(run)/captures/lock.btsnoop",
            ["ni.message", "ni.major", "ni.rate", "ni.uwb_length", "ni.malformed"],
            ["-X", script, "-Y", "ni"], in: place)
        #expect(
            messages == [
                ["0x0a", "", "", "", ""], ["0x01", "1", "20", "21", ""],
                ["0x0a", "", "", "", ""], ["0x01", "1", "20", "21", ""],
                ["0x0b", "", "", "", ""], ["0x02", "", "", "", ""],
            ])
    }
}
