import DeviceLink
import Testing

@Suite struct OrchestratorEndTests {
    /// An end that has heard the device's hello.
    private func greeted() throws -> OrchestratorEnd {
        var end = OrchestratorEnd()
        var hello: [UInt8] = []
        try DeviceFrame.hello(Hello(program: "x")).encode(into: &hello)
        end.append(hello)
        _ = try end.next()
        return end
    }

    /// What the end says about the device's next bytes.
    private func complaint(_ end: OrchestratorEnd, about stream: String) -> String? {
        var end = end
        end.append(bytes(stream) ?? [])
        do throws(LinkError) {
            while try end.next() != nil {}
            return nil
        } catch {
            return "\(error.problem): \(error)"
        }
    }

    @Test func aRunIsHelloResetReadyGrantAnswersFarewell() throws {
        var end = OrchestratorEnd()
        var out: [UInt8] = []
        #expect(end.awaited == "hello")
        end.append(try #require(bytes("0D000000 81 414E4348 0100 0000 01 0100 78")))
        #expect(try end.next() == .hello(Hello(program: "x", keepsGlobalState: true)))
        #expect(end.awaited == nil)

        try end.send(.reset(Reset(name: "a", model: "b")), into: &out)
        #expect(end.awaited == "ready or refused")
        #expect(try end.next() == nil, "not there yet")
        end.append([1, 0, 0, 0, 0x82])
        #expect(try end.next() == .ready)

        out = []
        try end.grant(turn: 7, now: .zero, .boot, into: &out)
        #expect(hex(out) == "12 00 00 00 02 07 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00")
        #expect(end.awaited == "answers of turn 7")
        end.append(try #require(bytes("05000000 84 07000000")))
        #expect(try end.next() == .answers(turn: 7, []))

        out = []
        try end.send(.farewell, into: &out)
        #expect(hex(out) == "01 00 00 00 03")
        try end.finish()
    }

    @Test func aGrantMayAlsoBeSentAsAFrame() throws {
        var (one, other): ([UInt8], [UInt8]) = ([], [])
        var end = try greeted()
        try end.send(.grant(turn: 1, now: .zero, .timer(name: "t")), into: &one)
        #expect(end.awaited == "answers of turn 1")
        end = try greeted()
        try end.grant(turn: 1, now: .zero, .timer(name: "t"), into: &other)
        #expect(one == other)
    }

    @Test func nothingComesBeforeHello() {
        #expect(
            complaint(OrchestratorEnd(), about: "01000000 82")
                == "outOfOrder: byte 0: expected hello, found ready")
    }

    @Test func aDeviceSpeaksOnlyWhenItIsSpokenTo() throws {
        #expect(
            complaint(try greeted(), about: "05000000 84 07000000")
                == "outOfOrder: byte 17: expected nothing before the next reset or grant, found "
                + "answers of turn 7")
    }

    @Test func aSecondReplyIsLate() throws {
        var end = try greeted()
        var out: [UInt8] = []
        try end.send(.reset(Reset(name: "a", model: "b")), into: &out)
        #expect(
            complaint(end, about: "01000000 82  01000000 82")
                == "outOfOrder: byte 22: expected nothing before the next reset or grant, found "
                + "ready")
    }

    @Test func answersOfAnotherTurnNameBoth() throws {
        var end = try greeted()
        var out: [UInt8] = []
        try end.grant(turn: 8, now: .zero, .boot, into: &out)
        #expect(
            complaint(end, about: "05000000 84 07000000")
                == "wrongTurn: byte 22: expected answers of turn 8, found answers of turn 7")
    }

    @Test func aFrameThatCannotBeWrittenLeavesTheEndAsItWas() throws {
        var end = try greeted()
        var out: [UInt8] = []
        let name = String(repeating: "x", count: 0x1_0000)
        #expect(throws: LinkError.self) {
            try end.grant(turn: 8, now: .zero, .timer(name: name), into: &out)
        }
        #expect(end.awaited == nil && out.isEmpty)
    }
}
