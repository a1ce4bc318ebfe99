import DeviceKit
import Glibc
import Testing
import echo_device

/// `DeviceKit.run` in a process of its own, the test being the orchestrator.
@Suite struct DeviceProcessTests {
    private let echo = Reset(name: "parrot", model: "echo", key: 42)

    /// A device that has said hello and is ready.
    private func parrot(over transport: Child.Transport = .pipes) throws -> Child {
        let child = try Child("echo-device", over: transport)
        #expect(try child.next() == .hello(Hello(program: "echo-device")))
        try child.send(.reset(echo))
        #expect(try child.next() == .ready)
        return child
    }

    @Test(arguments: Child.Transport.allCases)
    func aDeviceServesRunAfterRunAndLeavesAtFarewell(over transport: Child.Transport) throws {
        let child = try parrot(over: transport)
        #expect(
            try child.turn(1, .boot) == [.observe(kind: "echo", fields: [Field("event", "boot")])])
        let frame = [0x5C, 0xEA, 4, 0] + [UInt8](repeating: 7, count: 0xEA5C)
        #expect(
            try child.turn(2, .bluetooth(.acl(handle: 64, frame)))
                == [.bluetooth(.acl(handle: 64, frame))])
        try child.send(.reset(Reset(name: "other", model: "echo")))
        #expect(try child.next() == .ready)
        try child.send(.farewell)
        #expect(try child.next() == nil)
        #expect(child.status() == 0)
    }

    @Test func aProcessAnswersAsTheInlineDeviceDoes() throws {
        let events: [DeviceEvent] = [
            .boot, .timer(name: "tick"), .command(name: "post", arguments: []),
            .queue(name: "main", item: 1), .command(name: "random", arguments: []),
            .command(name: "random", arguments: []), .queue(name: "main", item: 0),
            .bluetooth(.acl(handle: 64, [3, 0, 4, 0, 1, 2, 3])),
            .uwb(.started(session: 1, status: 0)),
        ]
        let child = try parrot()
        let inline = InlineDevice(EchoDevice.self) { _ in }
        _ = inline.reset(echo)
        for (turn, event) in events.enumerated() {
            let answers = try child.turn(UInt32(turn), event)
            #expect(answers == inline.turn(at: .zero, event), "\(event)")
        }
    }

    @Test func framesThatComeAheadAreAnsweredInOrder() throws {
        let child = try Child("echo-device")
        var ahead: [UInt8] = []
        try OrchestratorFrame.reset(Reset(name: "x", model: "ecco")).encode(into: &ahead)
        try OrchestratorFrame.grant(turn: 1, now: .zero, .boot).encode(into: &ahead)
        try OrchestratorFrame.reset(echo).encode(into: &ahead)
        try OrchestratorFrame.grant(turn: 2, now: .zero, .timer(name: "t")).encode(into: &ahead)
        child.write(ahead)
        #expect(try child.next() == .hello(Hello(program: "echo-device")))
        #expect(
            try child.next() == .refused("there is no model \"ecco\"; did you mean echo?"))
        #expect(try child.next() == .answers(turn: 1, []), "a refused device does nothing")
        #expect(try child.next() == .ready)
        guard case .answers(turn: 2, let answers)? = try child.next() else {
            Issue.record("no answers of turn 2")
            return
        }
        #expect(answers.count == 1)
    }

    @Test func everythingLoggedBeforeAResetIsOutWhenItIsReady() throws {
        let child = try parrot()
        _ = try child.turn(1, .command(name: "log", arguments: []), at: 812_400_000)
        _ = try child.turn(2, .command(name: "print", arguments: []))
        try child.send(.reset(Reset(name: "other", model: "echo")))
        #expect(try child.next() == .ready)
        _ = try child.turn(3, .command(name: "leave", arguments: []))
        #expect(child.status() == 9)
        #expect(
            try child.logged() == "[0.812400 s] here is parrot\nprinted by parrot\n")
    }

    @Test func whatWasPrintedIsInTheLogOfADeviceThatIsKilled() throws {
        let child = try parrot()
        _ = try child.turn(1, .command(name: "print", arguments: []))
        child.kill()
        #expect(child.status() == 128 + SIGKILL)
        #expect(try child.logged() == "printed by parrot\n")
    }

    // MARK: As a fresh process

    /// A device that has said that every reset finds it as it was when it started.
    private func afresh() throws -> Child {
        let child = try Child("echo-device", environment: ["ANECHOIC_AFRESH": "1"])
        #expect(
            try child.next() == .hello(Hello(program: "echo-device", isAfreshByReset: true)))
        return child
    }

    /// What a device of its own has counted in a turn.
    private func count(_ child: Child, _ turn: UInt32) throws -> Field? {
        guard
            case .observe(_, let fields)? = try child.turn(
                turn, .command(name: "count", arguments: []))?.first
        else { return nil }
        return fields.first
    }

    @Test(arguments: [(true, [1, 2, 1, 1]), (false, [1, 2, 3, 4])])
    func aResetClearsGlobalsWhereEachHasAProcessOfItsOwn(
        _ isAfresh: Bool, _ counts: [Int64]
    ) throws {
        let child = try isAfresh ? afresh() : parrot()
        var found: [Field?] = []
        if isAfresh { found += [try run(child, 1)] } else { found += [try count(child, 1)] }
        found += [try count(child, 2), try run(child, 3), try run(child, 4)]
        #expect(found == counts.map { Field("count", .number($0)) })
        try child.send(.farewell)
        #expect(try child.next() == nil)
        #expect(child.status() == 0)
    }

    /// The first turn after a reset.
    private func run(_ child: Child, _ turn: UInt32) throws -> Field? {
        try child.send(.reset(echo))
        #expect(try child.next() == .ready)
        return try count(child, turn)
    }

    @Test func aCopyAnswersWhatCameAheadOfItsTime() throws {
        let child = try afresh()
        var ahead: [UInt8] = []
        for turn in 1...UInt32(3) {
            try OrchestratorFrame.reset(echo).encode(into: &ahead)
            try OrchestratorFrame.grant(turn: turn, now: .zero, .boot).encode(into: &ahead)
        }
        child.write(ahead)
        for turn in 1...UInt32(3) {
            #expect(try child.next() == .ready)
            #expect(
                try child.next()
                    == .answers(
                        turn: turn, [.observe(kind: "echo", fields: [Field("event", "boot")])]))
        }
    }

    @Test(arguments: [("leave", 9), ("crash", 128 + SIGILL)])
    func theProgramEndsAsItsCopyDoes(_ command: String, _ status: Int32) throws {
        let child = try afresh()
        _ = try run(child, 1)
        _ = try child.turn(2, .command(name: command, arguments: []))
        #expect(child.status() == status)
    }

    @Test func aCopyDiesWithItsProgram() throws {
        let child = try afresh()
        _ = try run(child, 1)
        child.kill()
        #expect(child.status() == 128 + SIGKILL)
        #expect(try child.logged() == "")
    }

    // MARK: The end

    @Test func theEndOfTheLinkEndsTheDevice() throws {
        let child = try parrot()
        child.hangUp()
        #expect(child.status() == 0)
        #expect(try child.logged() == "")
    }

    @Test func aWrongFrameEndsTheDeviceWithASentence() throws {
        let child = try parrot()
        child.write([5, 0, 0, 0, 2, 1, 0, 0, 0])
        #expect(child.status() == 65)
        #expect(
            try child.logged()
                == "echo-device: the orchestrator broke the contract at byte 53: expected 8 bytes "
                + "(the time), found the end.\n")
    }

    @Test func aGrantBeforeAnyResetIsAWrongFrame() throws {
        let child = try Child("echo-device")
        _ = try child.next()
        try child.send(.grant(turn: 1, now: .zero, .boot))
        #expect(child.status() == 65)
        #expect(
            try child.logged()
                == "echo-device: the orchestrator broke the contract at byte 22: expected a reset "
                + "before it, found a grant.\n")
    }

    @Test func anAnswerThatFitsIntoNoFrameEndsTheDeviceWithASentence() throws {
        let child = try parrot()
        #expect(try child.turn(1, .command(name: "overflow", arguments: [])) == nil)
        #expect(child.status() == 70)
        #expect(
            try child.logged()
                == "echo-device: the answers of this turn fit into no frame: at byte 29: expected "
                + "at most 65535 bytes of text, found 70000.\n")
    }

    @Test func aProgramThatNobodyJoinedToALinkSaysSo() throws {
        let child = try Child("echo-device", link: "")
        #expect(child.status() == 64)
        #expect(
            try child.logged()
                == "echo-device: this program is a simulated device; anechoic starts it, with "
                + "ANECHOIC_LINK in its environment.\n")
    }

    @Test(arguments: ["pipes:3", "pipes:3,x", "socket:-1", "unix:", "carrier-pigeon:7", "3,4"])
    func aLinkThatIsNoneIsQuoted(_ link: String) throws {
        let child = try Child("echo-device", link: link)
        #expect(child.status() == 64)
        #expect(
            try child.logged()
                == "echo-device: ANECHOIC_LINK is \"\(link)\"; expected pipes:IN,OUT or "
                + "socket:DESCRIPTOR or unix:/PATH.\n")
    }

    @Test func aSocketThatNobodyListensOnIsNamed() throws {
        let child = try Child("echo-device", link: "unix:/nowhere/at/all.sock")
        #expect(child.status() == 74)
        #expect(
            try child.logged()
                == "echo-device: cannot connect to /nowhere/at/all.sock: No such file or "
                + "directory.\n")
    }
}
