import DeviceLink
import Testing

/// Every value of an answer has its range, and one outside is reported with its place.
@Suite struct BreachTests {
    private static let fence = ObservationFence(families: ["msg", "run"])
    private static let address = Address(0xC0FF_EE00_0102)

    private static func timing(
        _ interval: UInt16 = 24, _ latency: UInt16 = 0, _ timeout: UInt16 = 72
    ) -> ConnectionParameters {
        ConnectionParameters(interval: interval, latency: latency, timeout: timeout)
    }

    private static func connect(_ timing: ConnectionParameters) -> Answer {
        .bluetooth(.connect(peer: address, timing))
    }

    private static func update(_ timing: ConnectionParameters) -> Answer {
        .bluetooth(.updateConnection(handle: 64, timing))
    }

    private static func advertise(_ interval: UInt16) -> Answer {
        .bluetooth(.advertise(interval: interval, data: [], scanResponse: []))
    }

    private static func acl(_ frame: [UInt8], handle: UInt16 = 64) -> Answer {
        .bluetooth(.acl(handle: handle, frame))
    }

    private static func range(_ change: (inout UWBParameters) -> Void = { _ in }) -> Answer {
        var parameters = UWBParameters(
            sessionID: 9, address: 1, peer: 2, channel: 9, preamble: 10,
            stsIV: [1, 2, 3, 4, 5, 6], slotsPerRound: 6, slotDuration: 2_400, interval: 200,
            isInitiator: true)
        change(&parameters)
        return .uwb(.start(session: 1, parameters))
    }

    private static func observe(_ kind: String, _ fields: [Field] = []) -> Answer {
        .observe(kind: kind, fields: fields)
    }

    /// A good answer, the same with one value that is not allowed, and what is said of it.
    static let breaches: [(good: Answer, bad: Answer, words: String)] = [
        (connect(timing()), connect(timing(5)), "expected 6 to 3200 (a connection interval"),
        (connect(timing()), connect(timing(0)), "1.25 ms)), found 0"),
        (update(timing()), update(timing(3_201)), "found 3201"),
        (update(timing()), update(timing(24, 500)), "expected 0 to 499 (a peripheral latency"),
        (connect(timing()), connect(timing(24, 0, 9)), "expected 10 to 3200 (a supervision"),
        (connect(timing()), connect(timing(24, 0, 3_201)), "found 3201"),
        (connect(timing(24, 11, 73)), connect(timing(24, 11, 72)), "of more than twice the time"),
        (advertise(1), advertise(0), "expected 1 to 16384 (an advertising interval"),
        (advertise(0x4000), advertise(0x4001), "found 16385"),
        (acl([0, 0, 4, 0]), acl([1, 0, 4, 0]), "the length of the L2CAP payload, 0, found 1"),
        (acl([0, 0, 4, 0]), acl([0, 0, 0, 0]), "an L2CAP channel id other than 0x0000"),
        (acl([0, 0, 4, 0]), acl([0, 0, 4]), "at least the 4 bytes of an L2CAP header, found 3"),
        (
            acl([0, 0, 4, 0], handle: 0x0E40), acl([0, 0, 4, 0], handle: 0x0F40),
            "expected 0 to 3839 (a handle), found 3904"
        ),
        (
            .bluetooth(.disconnect(handle: 1, reason: 0x3B)),
            .bluetooth(.disconnect(handle: 1, reason: 0x16)),
            "0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B, found 0x16"
        ),
        (range(), range { $0.channel = 7 }, "a UWB channel: 5, 6, 8, 9, 10, 12, 13 or 14, found 7"),
        (range(), range { $0.preamble = 13 }, "expected 9 to 12 (a preamble code index), found 13"),
        (range(), range { $0.slotsPerRound = 0 }, "expected 1 to 65535 (slots per round), found 0"),
        (range { $0.slotDuration = 1 }, range { $0.slotDuration = 0 }, "(a slot duration"),
        (range(), range { $0.interval = 0 }, "(a ranging interval (ms)), found 0"),
        (.post(queue: "q", item: 0), .post(queue: "", item: 0), "1 to 255 bytes (a queue's name)"),
        (
            .setTimer(name: "a\u{20}", after: 0, slack: 0),
            .setTimer(name: "a\u{1B}", after: 0, slack: 0),
            "no control character (a timer's name), found U+001B in \"a\u{FFFD}\""
        ),
        (
            .cancelTimer(name: "\u{A0}"), .cancelTimer(name: "\u{9F}"), "found U+009F"
        ),
        (
            .store(key: "k", value: nil),
            .store(key: String(repeating: "k", count: 256), value: nil),
            "at most 255 bytes (a key), found a length of 256"
        ),
        (observe("mine.it"), observe("msg.it"), "\"msg.it\", which only the orchestrator sees"),
        (observe("runs"), observe("run"), "a kind that a device may observe, found \"run\""),
        (
            observe("a", [Field("x", 1), Field("y", 2)]),
            observe("a", [Field("x", 1), Field("x", 2)]),
            "that the observation has once, found \"x\" again"
        ),
        (
            observe("a", [Field("peripheral", 1), Field("pear", 2)]),
            observe("a", [Field("peripheral", 1), Field("peer", 2)]), "found \"peer\" again"
        ),
        (
            observe("a", [Field("t", .text("x")), Field("u", .bytes([]))]),
            observe(
                "a",
                [Field("t", .text("x")), Field("u", .bytes(.init(repeating: 0, count: 4_097)))]),
            "at most 4096 bytes (a field's bytes), found a length of 4097"
        ),
        (
            observe("a", []), observe("a", (0..<65).map { Field("f\($0)", 0) }),
            "at most 64 fields, found 65"
        ),
    ]

    @Test(arguments: breaches.indices)
    func aValueOutsideIsToldWithItsPlace(_ index: Int) throws {
        let (good, bad, words) = Self.breaches[index]
        try good.check(Self.fence)
        let breach = #expect(throws: Breach.self) { try bad.check(Self.fence) }
        #expect("\(try #require(breach))".contains(words), "\(breach.map { "\($0)" } ?? "")")
        // The place is where the bytes of both begin to differ; a name's is where its length stands.
        let (one, other) = try (Sample.answer(good).encoded(), Sample.answer(bad).encoded())
        let place = 5 + (breach?.place ?? 0)
        let first = zip(one, other).enumerated().first {
            $0.offset > 4 && $0.element.0 != $0.element.1
        }
        let differs = try #require(first).offset
        let start =
            breach?.expected.contains("name") == true || breach?.expected.contains("kind") == true
        #expect(
            start
                ? place <= differs && differs <= place + 8
                : differs - place <= 1 && differs >= place)
    }

    @Test(arguments: breaches.indices)
    func bytesAreHeldToTheSameRanges(_ index: Int) throws {
        let bad = Self.breaches[index].bad
        let breach = #expect(throws: Breach.self) { try bad.check(Self.fence) }
        var reader = FrameReader(fence: Self.fence)
        var bytes: [UInt8] = []
        try DeviceFrame.answers(turn: 1, [bad]).encode(into: &bytes)
        reader.append(bytes)
        let error = #expect(throws: LinkError.self) { try reader.nextDeviceFrame() }
        // Behind the frame's length, type and turn, and the answer's type and length.
        #expect(error?.offset == UInt64(4 + 1 + 4 + 5 + (breach?.place ?? 0)))
        #expect(error?.expected == breach?.expected)
        #expect(error?.found == breach?.found)
    }

    @Test func whatBytesCannotSayIsCheckedInlineAsWell() {
        let long = [UInt8](repeating: 0, count: 32)
        for bad: Answer in [
            .bluetooth(.advertise(interval: 32, data: long, scanResponse: [])),
            .bluetooth(.advertise(interval: 32, data: [], scanResponse: long)),
            .bluetooth(.encrypt(handle: 1, key: [1, 2, 3])),
            .bluetooth(.longTermKey(handle: 1, long)),
            .store(key: "k", value: [UInt8](repeating: 0, count: 65_536)),
            Self.acl([UInt8](repeating: 0, count: 65_536)),
            Self.range { $0.stsIV = [] },
        ] {
            #expect(throws: Breach.self) { try bad.check(.open) }
        }
    }

    @Test func theEdgesOfEveryRangeAreInside() throws {
        for good in [
            Self.connect(Self.timing(6, 0, 10)), Self.connect(Self.timing(3_200, 0, 801)),
            Self.connect(Self.timing(6, 499, 3_200)), Self.advertise(1), Self.advertise(0x4000),
            Self.acl([0, 0, 4, 0], handle: 0x0EFF), .setTimer(name: "ü", after: .max, slack: .max),
            .store(key: String(repeating: "k", count: 255), value: []),
            Self.observe("messages.it"), Self.observe("runs.it"), Self.observe("mine.msg.it"),
        ] {
            try good.check(Self.fence)
        }
    }

    @Test func aTurnHasNoMoreAnswersThanItMay() throws {
        func read(_ count: Int) throws -> DeviceFrame? {
            var bytes: [UInt8] = []
            let answer = Answer.bluetooth(.stopScan)
            try DeviceFrame.answers(turn: 1, Array(repeating: answer, count: count))
                .encode(into: &bytes)
            return try readDevice(bytes)
        }
        #expect(try read(LinkLimits.answers) != nil)
        let error = #expect(throws: LinkError.self) { try read(LinkLimits.answers + 1) }
        #expect(error?.offset == UInt64(9 + 5 * LinkLimits.answers))
        #expect(error?.expected == "at most 4096 answers in a turn")
    }

    @Test func aRefusalAndAProgramsNameAreNotLongerThanTheyMayBe() throws {
        func isRead(_ frame: DeviceFrame) throws -> Bool {
            var bytes: [UInt8] = []
            try frame.encode(into: &bytes)
            return (try? readDevice(bytes)) != nil
        }
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        #expect(try isRead(.refused(text(LinkLimits.reason))))
        #expect(try !isRead(.refused(text(LinkLimits.reason + 1))))
        #expect(try isRead(.hello(Hello(program: text(LinkLimits.program)))))
        #expect(try !isRead(.hello(Hello(program: text(LinkLimits.program + 1)))))
    }
}
