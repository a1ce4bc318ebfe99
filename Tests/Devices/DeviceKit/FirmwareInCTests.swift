import DeviceLink
import Foundation
import TestSupport
import Testing

/// The library for firmware in C, with what `anechoic new firmware` makes of it.
@Suite struct FirmwareInCTests {
    /// Builds a program from C, with every warning an error and every mistake found when it runs.
    private static func build(
        _ source: String, by compiler: String, in place: Place
    ) throws -> String {
        try place.write(source, to: "lock.c")
        let outcome = try place.run(
            [
                compiler, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
                "-Werror", "-g", "-O1", "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all", "-I\(library)/include", "lock.c", "-o", "lock",
            ] + ["device", "gatt", "niq"].map { "\(library)/\($0).c" })
        #expect(outcome.status == 0, "\(outcome.said)")
        return place.path + "/lock"
    }

    private static let library = "\(root)/Sources/Devices/Foreign/CFirmware"

    private static func lock() throws -> String {
        try text(of: "Sources/Tool/anechoic/Starters/Firmware/firmware.c.txt")
            .replacingOccurrences(of: "NAME", with: "lock")
    }

    @Test(arguments: ["gcc", "clang"])
    func anAccessoryInCIsFoundConnectedAndRanges(by compiler: String) throws {
        let place = try Place()
        let child = try Child(try Self.build(try Self.lock(), by: compiler, in: place))
        #expect(try child.next() == .hello(Hello(program: "lock", isAfreshByReset: true, minor: 1)))
        let key = [UInt8](1...16)
        let bond = StoredPair("bond/C0:FF:EE:00:01:02", key)
        // Each reset finds it as it was when it started.
        for _ in 1...2 {
            try child.send(
                .reset(Reset(name: "lock", model: "qorvo", key: 42, stored: [bond])))
            #expect(try child.next() == .ready)
            try Self.play(child, key)
        }
        try child.send(.farewell)
        #expect(child.status() == 0)
        let unsent = ["01", "03"].map { "[0.000000 s] message 0x\($0) could not be sent\n" }
            .joined()
        #expect(try child.logged() == unsent + unsent)
    }

    private static func play(_ child: Child, _ key: [UInt8]) throws {
        var phone = Phone(child)
        let advertise = try phone.looksAround()

        // Without a subscription nothing is notified; with one, each session has new data.
        #expect(try phone.says("52 0B00 0A") == [])
        #expect(try phone.says("12 0E00 0100") == ["13"])
        #expect(try phone.says("52 0B00 0A") == ["1B 0D00 01 \(configuration("CCA1"))"])
        #expect(try phone.says("12 0B00 0A") == ["13", "1B 0D00 01 \(configuration("0340"))"])

        // What is secure is read over an encrypted link.
        #expect(
            try phone.turn(.bluetooth(.longTermKeyRequest(handle: 0x40)))
                == [.bluetooth(.longTermKey(handle: 0x40, key))])
        _ = try phone.turn(
            .bluetooth(.encryptionChange(status: 0, handle: 0x40, isEncrypted: true)))
        #expect(try phone.says("0A 1100") == ["0B \(configuration("0340"))"])

        // More than sixteen frames never wait: a notification is then refused.
        #expect(try phone.says("12 0B00 0C") == ["13"])
        #expect(
            try phone.turn(.bluetooth(.completedPackets(handle: 0x40, count: 16))) == [])
        #expect(try phone.says("12 0B00 0A") == ["13", "1B 0D00 01 \(configuration("3ADE"))"])

        // The shareable data of a real phone starts the radio with its parameters.
        let shareable =
            "01000100 19 4555 A85F0000 0B 09 0600 100E C600 03 397B28D4B8D7 87B4 6400"
        let start = Answer.uwb(
            .start(
                session: 1,
                UWBParameters(
                    sessionID: 0x5FA8, address: 0xDE3A, peer: 0xB487, channel: 9, preamble: 11,
                    stsIV: bytes("397B28D4B8D7"), slotsPerRound: 6, slotDuration: 3_600,
                    interval: 198, isInitiator: true)))
        #expect(try phone.writes("52 0B00 0B" + shareable) == [start])
        #expect(try phone.hears(.uwb(.started(session: 1, status: 0))) == ["1B 0D00 02"])
        #expect(try phone.turn(.uwb(.round(session: 1, nil))) == [])
        #expect(
            try phone.writes("52 0B00 0C")
                == [.uwb(.stop(session: 1)), phone.frame("1B 0D00 03")])
        #expect(
            try phone.turn(.bluetooth(.disconnectionComplete(handle: 0x40, reason: 0x08)))
                == [advertise])
    }

    /// Whatever a phone sends, the device goes on.
    @Test func noPDUBringsItDown() throws {
        let place = try Place()
        let child = try Child(try Self.build(try Self.lock(), by: "gcc", in: place))
        _ = try child.next()
        try child.send(.reset(Reset(name: "lock", model: "", key: 1)))
        _ = try child.next()
        var phone = Phone(child)
        _ = try phone.turn(.boot)
        _ = try phone.connect()
        _ = try phone.says("12 0E00 0100")
        var chance = Keyed(7)
        func draw(_ bound: UInt64) -> UInt64 {
            chance = chance.with(0)
            return chance.below(bound)
        }
        let opcodes: [UInt8] = [
            0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x52, 0xD2,
        ]
        for _ in 1...5_000 {
            let length = Int(draw(48))
            var pdu = (0..<length).map { _ in UInt8(draw(draw(2) == 0 ? 256 : 24)) }
            if length > 0, draw(8) > 0 { pdu[0] = opcodes[Int(draw(UInt64(opcodes.count)))] }
            let frame = [UInt8(pdu.count), 0, draw(16) == 0 ? 6 : 4, 0] + pdu
            #expect(try phone.turn(.bluetooth(.acl(handle: 0x40, frame))) != nil)
        }
        #expect(try phone.says("0A 0300") == ["0B 6C6F636B"])
        try child.send(.farewell)
        #expect(child.status() == 0)
    }

    private static let careful = """
        #include <anechoic.h>
        #include <assert.h>
        #include <stdlib.h>
        #include <string.h>

        static const char *mode;
        static anechoic_work work;

        static void run(anechoic_work *item) { (void)item; }

        static void submit(void) {
            work = (anechoic_work){.run = run};
            anechoic_submit("queue", &work);
        }

        static const char *reset(const anechoic_reset *as) {
            (void)as;
            mode = anechoic_parameter("mode");
            assert(anechoic_number("interval", 5) == 77 && anechoic_number("other", 5) == 5);
            return NULL;
        }

        static void boot(void) {
            size_t count;
            assert(strcmp(mode, "fast") == 0);
            assert(anechoic_stored("old", &count) && count == 1);
            anechoic_store("new", "xy", 2);
            anechoic_store("new", "xyz", 3);
            assert(memcmp(anechoic_stored("new", &count), "xyz", 3) == 0 && count == 3);
            anechoic_forget("old");
            assert(!anechoic_stored("old", &count) && anechoic_stored("new", &count));
            submit();
        }

        static void command(const char *name) {
            if (strcmp(name, "exit") == 0) exit(0);
            assert(strcmp(anechoic_argument("a"), "1") == 0 && strcmp(anechoic_argument("b"), "2") == 0);
            submit();
        }

        int main(void) {
            static const char *const known[] = {"mode", "interval", "other", NULL};
            static const anechoic_firmware firmware = {
                .program = "careful", .parameters = known, .reset = reset, .boot = boot, .command = command};
            return anechoic_run(&firmware);
        }
        """

    @Test(arguments: [
        ("exit", "the firmware has called exit, and the run goes on"),
        ("again", "work for queue was set up anew after it was submitted"),
    ])
    func aLifeReadsWhatItWasToldAndHasStoredAndEndsWithASentence(
        _ command: String, _ sentence: String
    ) throws {
        let place = try Place()
        let child = try Child(try Self.build(Self.careful, by: "gcc", in: place))
        _ = try child.next()
        try child.send(
            .reset(
                Reset(
                    name: "lock", model: "",
                    parameters: [Pair("mode", "fast"), Pair("interval", "77")],
                    stored: [StoredPair("old", [1])])))
        #expect(try child.next() == .ready)
        #expect(
            try child.turn(1, .boot) == [
                .store(key: "new", value: bytes("78 79")),
                .store(key: "new", value: bytes("78 79 7A")),
                .store(key: "old", value: nil), .post(queue: "queue", item: 1),
            ])
        #expect(
            try child.turn(
                2, .command(name: command, arguments: [Pair("a", "1"), Pair("b", "2")])) == nil)
        #expect(child.status() == 70)
        #expect(try child.logged().contains(sentence))
    }

    @Test func whatTheFirmwareDoesNotKnowIsRefused() throws {
        let place = try Place()
        let child = try Child(try Self.build(try Self.lock(), by: "clang", in: place))
        _ = try child.next()
        for (reset, reason) in [
            (Reset(name: "x", model: "multi"), #"there is no model "multi"; known are: qorvo"#),
            (
                Reset(name: "x", model: "", parameters: [Pair("mtu", "23")]),
                #"there is no parameter "mtu"; known are: none"#
            ),
            (
                Reset(name: "x", model: "", defects: ["mute"]),
                #"there is no defect "mute"; known are: none"#
            ),
        ] {
            try child.send(.reset(reset))
            #expect(try child.next() == .refused(reason))
        }
    }

    /// A reset that lies about its lengths is an error with a sentence, not a crash.
    @Test func aBrokenFrameEndsIt() throws {
        let place = try Place()
        defer { withExtendedLifetime(place) {} }
        let program = try Self.build(try Self.lock(), by: "gcc", in: place)
        for frame in ["01 FF FF", "01 00 00 FF FF 00", "01 00 00 00 00 00 00 00 00", "77"] {
            let child = try Child(program)
            _ = try child.next()
            let payload = bytes(frame)
            child.write([UInt8(payload.count), 0, 0, 0] + payload)
            #expect(child.status() == 65, "\(frame)")
            #expect(try child.logged().contains("breaks the contract: "), "\(frame)")
        }
    }
}
