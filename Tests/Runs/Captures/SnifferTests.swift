import Captures
import Foundation
import TestSupport
import Testing

/// What a sniffer on air has heard, as a trace.
@Suite struct SnifferTests {
    /// The story of ``Story`` on air: a link, a request in two fragments, of which the first is sent twice, an empty
    /// packet, and the end of the link; it begins with the first answer.
    private static let story: [Heard] = [
        Heard(
            .advertising,
            "c5 22 01 00 00 00 00 c0 02 00 00 00 00 c0 44 33 22 51 01 02 03 03 01 00 18 00 00 00 48 00"
                + " ff ff ff ff 1f 05"),
        Heard(.central, "02 05 03 00 04 00 02"),
        Heard(.central, "02 05 03 00 04 00 02"),
        Heard(.peripheral, "05 00"),
        Heard(.central, "0d 02 b9 00"),
        Heard(.peripheral, "0b 02 02 13"),
    ]

    private static let told = [
        "0 run.started  ",
        "0 device.started phone ",
        "0 device.started accessory ",
        "0 air.connected phone ",
        "0 link.up accessory ",
        "0 link.up phone ",
        "1 att.sent phone exchange-mtu-request",
        "1 att.received accessory exchange-mtu-request",
        "2 air.disconnected phone 19",
        "2 link.down phone 19",
        "2 link.down accessory 22",
        "2 run.ended  cut",
    ]

    /// The same, and the sniffer has missed the packet of the peripheral.
    static var storyWithGap: [Heard] { story.enumerated().filter { $0.offset != 3 }.map(\.element) }

    private static func gaps(_ story: [Heard], by sniffer: Heard.Sniffer) throws -> [String] {
        var trace = try CaptureTrace(Heard.pcapng(story, by: sniffer), named: "story")
        while try trace.next() != nil {}
        return trace.gaps.sentences
    }

    @Test(arguments: Heard.Sniffer.allCases)
    func everySniffersCaptureTellsTheSameStory(_ sniffer: Heard.Sniffer) throws {
        let capture = Heard.pcapng(Self.story, by: sniffer)
        #expect(try Story.trace(capture) == Self.told)
        var trace = try CaptureTrace(capture, named: "story")
        while try trace.next() != nil {}
        #expect(trace.devices.map(\.isHost) == [false, false])
        #expect(trace.gaps.sentences == [])
    }

    @Test(arguments: Heard.Sniffer.allCases)
    func wiresharkHearsTheSame(_ sniffer: Heard.Sniffer) throws {
        let place = try Place()
        try Data(Heard.pcapng(Self.story, by: sniffer)).write(
            to: URL(filePath: "\(place.path)/air.pcapng"))
        let fields = [
            "btle.advertising_header.pdu_type", "btle.data_header.llid", "btle.control_opcode",
            "_ws.malformed", "_ws.expert.message",
        ]
        let outcome = try place.run(
            ["tshark", "-n", "-r", "air.pcapng", "-T", "fields", "-E", "separator=,"]
                + fields.flatMap { ["-e", $0] })
        #expect(outcome.output == Self.heardByWireshark, "\(outcome.errors)")
    }

    private static let heardByWireshark = """
        0x05,,,,
        ,0x02,,,
        ,0x02,,,Retransmission
        ,0x01,,,
        ,0x01,,,
        ,0x03,0x02,,

        """

    @Test func whatWasNotReceivedAsItWasSentIsLeftOut() throws {
        var story = Self.story
        story[1].isDamaged = true
        #expect(try Story.trace(Heard.pcapng(story, by: .nordic)) == Self.told)
        story[2].isDamaged = true
        let lines = try Story.trace(Heard.pcapng(story, by: .withHeader))
        #expect(!lines.contains { $0.contains("att.") })
    }

    /// The central has sent another packet under the same number.
    @Test func anotherPacketWithTheSameNumberHasOneBetween() throws {
        var story = Self.story
        story[2].bytes[6] = 0x05
        let gaps = try Self.gaps(story, by: .nordic)
        #expect(gaps.map { $0.prefix(9) } == ["1 packets"])
    }

    /// The central acknowledges it, and it is told of once.
    @Test func aPacketThatOnlyItsReceiverHasHeardIsTold() throws {
        let gaps = try Self.gaps(Self.storyWithGap, by: .withHeader)
        #expect(gaps.map { $0.prefix(28) } == ["1 packets or more were not h"])
        #expect(try Story.trace(Heard.pcapng(Self.storyWithGap, by: .nordic)).count == 12)
    }

    /// Both ends go on, with empty packets that look alike.
    @Test func emptyPacketsAreCountedByWhatTheyAcknowledge() throws {
        let call = Self.story[0]
        let both = [Heard(.central, "01 00"), Heard(.peripheral, "05 00")]
        let more = [Heard(.central, "0d 00"), Heard(.peripheral, "09 00")]
        #expect(try Self.gaps([call] + both + more + both + more, by: .nordic) == [])
        let missed = [call] + both + more + both + [more[1]] + both
        #expect(try Self.gaps(missed, by: .nordic).map { $0.prefix(9) } == ["1 packets"])
    }

    @Test func aLinkThatNobodyAnswersIsNone() throws {
        #expect(
            try Story.trace(Heard.pcapng(Array(Self.story.prefix(3)), by: .nordic)) == [
                "0 run.started  ", "0 run.ended  cut",
            ])
    }

    /// The timeout is 720 ms; the peripheral's next link has another access address.
    @Test func aLinkThatIsSilentForItsTimeoutIsOver() throws {
        var later = Array(Self.story.prefix(4))
        later[0].bytes[14] = 0x45
        for place in later.indices {
            later[place].time = 1_000 + place
            later[place].link = 0x5122_3345
        }
        let capture = Heard.pcapng(Array(Self.story.prefix(4)) + later, by: .withHeader)
        #expect(
            try Story.trace(capture).suffix(7) == [
                "720 air.disconnected phone 8", "720 link.down phone 8",
                "720 link.down accessory 8",
                "1000 air.connected phone ", "1000 link.up accessory ", "1000 link.up phone ",
                "1000 run.ended  cut",
            ])
        let gaps = try Self.gaps(Array(Self.story.prefix(4)) + later, by: .withHeader)
        #expect(gaps.map { $0.prefix(13) } == ["1 connections"])
    }

    /// A coding indicator behind the access address, and CTEInfo behind the header.
    @Test(arguments: Heard.Sniffer.allCases)
    func packetsOfTheCodedPHYAndWithATone(_ sniffer: Heard.Sniffer) throws {
        var story = Self.story
        for place in 1..<story.count { story[place].isCoded = true }
        story[1].bytes = bytes("22 05 00 03 00 04 00 02")
        story[2].bytes = story[1].bytes
        #expect(try Story.trace(Heard.pcapng(story, by: sniffer)) == Self.told)
    }

    @Test func aPacketThatIsShorterThanItSaysIsCut() throws {
        var story = Self.story
        story[3].bytes[1] = 0xFF
        let gaps = try Self.gaps(story, by: .nordic)
        #expect(gaps.map { $0.prefix(13) } == ["1 packets are", "1 packets or "])
    }

    /// LL_ENC_RSP, LL_START_ENC_REQ, and then nothing that can be read; the story goes on behind them.
    private static let encrypted: [Heard] = {
        var story = SnifferTests.story
        story.insert(
            contentsOf: [
                Heard(.peripheral, "03 0d 04 00 00 00 00 00 00 00 00 00 00 00 00"),
                Heard(.peripheral, "0f 01 05"),
            ], at: 1)
        story[3...4] = [Heard(.central, "0a 05 03 00 04 00 02")]
        return story
    }()

    @Test func anEncryptedLinkEndsTheTraceUnlessTheSnifferHasTheKey() throws {
        var story = Self.encrypted
        let gaps = try Self.gaps(story, by: .withHeader)
        #expect(gaps.contains { $0.hasPrefix("1 connections are encrypted") })
        #expect(
            try !Story.trace(Heard.pcapng(story, by: .withHeader)).contains { $0.contains("att.") })

        for place in 3..<story.count { story[place].isDecrypted = true }
        let lines = try Story.trace(Heard.pcapng(story, by: .withHeader))
        #expect(lines.contains { $0.hasSuffix("att.sent phone exchange-mtu-request") })
    }

    /// The request to start is not heard: what is too short to be encrypted may still be plain, all else is not.
    @Test func theAnswerToARequestForEncryptionBeginsIt() throws {
        var story = Self.encrypted
        story.remove(at: 2)
        let gaps = try Self.gaps(story, by: .nordic)
        #expect(gaps.contains { $0.hasPrefix("1 connections are encrypted") })
    }

    @Test(arguments: Heard.Sniffer.allCases)
    func whateverAByteIsChangedToIsReadOrRefused(_ sniffer: Heard.Sniffer) {
        let whole = Heard.pcapng(Self.story, by: sniffer)
        for index in whole.indices {
            for value: UInt8 in [0x00, 0x01, 0x7F, 0x80, 0xFF] {
                var bytes = whole
                bytes[index] = value
                do throws(CaptureError) { _ = try Story.trace(bytes) } catch {
                    #expect(!error.expected.isEmpty)
                }
            }
        }
    }
}

/// A packet on air, and how sniffers write it down.
struct Heard {
    enum Sender { case advertising, central, peripheral }

    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR and LINKTYPE_NORDIC_BLE.
    enum Sniffer: UInt8, CaseIterable { case withHeader = 0, nordic = 16 }

    let sender: Sender
    /// Without access address and checksum.
    var bytes: [UInt8]
    var isDamaged = false
    var isDecrypted = false
    var isCoded = false
    /// In milliseconds; nil for one a millisecond.
    var time: Int?
    var link: UInt32 = 0x5122_3344

    init(_ sender: Sender, _ hex: String) {
        self.sender = sender
        bytes = TestSupport.bytes(hex)
    }

    static func pcapng(_ packets: [Heard], by sniffer: Sniffer) -> [UInt8] {
        let section = TestSupport.bytes("4d 3c 2b 1a 01 00 00 00 ff ff ff ff ff ff ff ff")
        return packets.enumerated().reduce(
            block(0x0A0D_0D0A, section)
                + block(1, [sniffer.rawValue, 1, 0, 0, 0, 0, 0, 0])
        ) { file, next in
            let data = next.element.written(by: sniffer)
            let filling = [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
            let head =
                word(0) + word(0) + word(UInt32(next.element.time ?? next.offset) * 1_000)
                + word(UInt32(data.count))
                + word(UInt32(data.count))
            return file + block(6, head + data + filling)
        }
    }

    private func written(by sniffer: Sniffer) -> [UInt8] {
        let address = Self.word(sender == .advertising ? 0x8E89_BED6 : link)
        let channel: UInt8 = sender == .advertising ? 37 : 5
        let air = address + (isCoded ? [0] : []) + bytes
        switch sniffer {
        case .withHeader:
            let way: UInt16 =
                switch sender {
                case .advertising: 0
                case .central: 2 << 7
                case .peripheral: 3 << 7
                }
            let flags =
                0x0413 | way | (isDamaged ? 0 : 0x0800) | (isDecrypted ? 0x0008 : 0)
                | (isCoded ? 0x8000 : 0)
            return [sender == .advertising ? 0 : 6, 0xC0, 0, 0] + address
                + [UInt8(flags & 0xFF), UInt8(flags >> 8)] + air + [0, 0, 0]
        case .nordic:
            let flags: UInt8 =
                (isDamaged ? 0 : 1) | (sender == .central ? 2 : 0) | (isDecrypted ? 0b1100 : 0)
                | (isCoded ? 0x20 : 0)
            let length = UInt8(10 + air.count + 3)
            return [0, length, 0, 3, 0, 0, sender == .advertising ? 2 : 6]
                + [10, flags, channel, 60, 0, 0, 0, 0, 0, 0] + air + [0, 0, 0]
        }
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        stride(from: 0, to: 32, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        let length = word(UInt32(body.count + 12))
        return word(type) + length + body + length
    }
}
