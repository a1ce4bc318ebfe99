import Invariants
import Testing

struct OldHandleTests {
    @Test func aRequestThatMayHaveGoneToAnotherAttributeSaysSo() {
        let text =
            linked + """
                2.0 lock msg.initialize.received link=1 peer=ben session=1 length=1 old-handle=14
                90.0 - run.ended reason=finished
                """
        #expect(
            complaints(of: RequestAnswered(), text) == [
                "lock received initialize from ben at 2.000 s, in a write to handle 14, which ben "
                    + "knows from an earlier life of the accessory and where another attribute may "
                    + "stand now, and had not answered it by 22.000 s, although the link was up."
            ])
    }
}

struct MessageOrderTests {
    private let handshake = """
        1.0 ben msg.initialize.sent link=1 peer=lock session=1 length=1
        1.1 lock msg.initialize.received link=1 peer=ben session=1 length=1
        1.2 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=1 length=38
        1.3 ben msg.accessoryConfigurationData.received link=1 peer=lock session=1 length=38
        1.4 ben msg.configureAndStart.sent link=1 peer=lock session=1 length=31
        1.5 lock msg.configureAndStart.received link=1 peer=ben session=1 length=31
        1.6 lock msg.accessoryUwbDidStart.sent link=1 peer=ben session=1 length=1

        """
    private let stop = """
        2.0 ben msg.stop.sent link=1 peer=lock session=1 length=1
        2.1 lock msg.stop.received link=1 peer=ben session=1 length=1

        """

    @Test func aHandshakeAndAStopAreInOrder() {
        let text = handshake + stop + "2.2 lock msg.accessoryUwbDidStop.sent link=1 peer=ben"
        let result = result(of: MessageOrder(), text)
        #expect(result.outcome == .held)
        #expect(result.record.exercised == 4)
    }

    @Test func aStopAnsweredByDidStartBreaksIt() {
        let text = handshake + stop + "2.2 lock msg.accessoryUwbDidStart.sent link=1 peer=ben"
        #expect(
            complaints(of: MessageOrder(), text) == [
                "At 2.200 s lock sent accessoryUwbDidStart although there was no "
                    + "configureAndStart to answer; the last request was stop at 2.100 s."
            ])
    }

    @Test(arguments: [
        "2.2 lock msg.accessoryUwbDidStart.sent link=1 peer=ben",
        "2.2 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=1",
        "2.2 ben msg.configureAndStart.sent link=2 peer=door session=9",
        """
        2.2 ben msg.initialize.sent link=1 peer=lock session=2
        2.3 ben msg.configureAndStart.sent link=1 peer=lock session=1
        """,
        """
        2.2 ben msg.stop.sent link=1 peer=lock session=1
        2.3 ben msg.configureAndStart.sent link=1 peer=lock session=1
        """,
        """
        2.2 lock msg.accessoryUwbDidStop.sent link=1 peer=ben
        2.3 lock msg.accessoryUwbDidStop.sent link=1 peer=ben
        """,
    ])
    func whatAnswersNothingBreaksIt(lines: String) {
        #expect(complaints(of: MessageOrder(), handshake + lines).count == 1)
    }

    @Test func aRequestThatOvertookAnAnswerIsStillOneToAnswer() {
        let text = """
            1.0 lock msg.initialize.received link=1 peer=ben session=1 length=1
            1.1 lock msg.initialize.received link=1 peer=ben session=2 length=1
            1.2 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=1 length=38
            1.3 lock msg.configureAndStart.received link=1 peer=ben session=2 length=31
            1.4 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=2 length=38
            1.5 lock msg.accessoryUwbDidStart.sent link=1 peer=ben session=2 length=1
            """
        #expect(complaints(of: MessageOrder(), text) == [])
    }

    @Test func theAccessoryMayStopByItself() {
        let text = handshake + "2.2 lock msg.accessoryUwbDidStop.sent link=1 peer=ben"
        #expect(result(of: MessageOrder(), text).outcome == .held)
    }

    /// The button, or what its radio heard of the phone's.
    @Test(arguments: ["user.stop", "uwb.ended handle=1"])
    func aStopThatWaitedWhileTheAccessoryEndedByItselfHasAnAnswerOfItsOwn(cause: String) {
        let lines = """
            2.0 lock msg.stop.received link=1 peer=ben session=1 length=1
            2.1 lock \(cause)
            2.1 lock msg.accessoryUwbDidStop.sent link=1 peer=ben session=1 length=1
            2.2 lock msg.accessoryUwbDidStop.sent link=1 peer=ben session=1 length=1
            """
        #expect(complaints(of: MessageOrder(), handshake + lines) == [])
        let pressed = lines.replacing("2.1 lock \(cause)\n", with: "")
        #expect(complaints(of: MessageOrder(), handshake + pressed).count == 1)
    }

    @Test func whatAFaultMadeOfAnInitializeMayHaveBeenTakenForOne() {
        let text = """
            1.0 ben msg.malformed.sent link=1 peer=lock problem=long spoilt=true
            1.2 ben msg.configureAndStart.sent link=1 peer=lock length=31
            """
        #expect(complaints(of: MessageOrder(), text) == [])
        #expect(complaints(of: MessageOrder(), text.replacing("spoilt=true", with: "")).count == 1)
    }

    @Test func whichOfTwoRequestsAnAnswerBelongsToNobodyCanTell() {
        let text =
            handshake + """
                2.0 ben msg.initialize.sent link=1 peer=lock session=2 length=1
                2.1 ben msg.initialize.sent link=1 peer=lock session=3 length=1
                2.2 ben msg.accessoryConfigurationData.received link=1 peer=lock session=2 length=38
                2.3 ben msg.configureAndStart.sent link=1 peer=lock session=2 length=31
                """
        #expect(result(of: MessageOrder(), text).outcome == .held)
    }

    @Test func anAnswerThatTheAppHadNotHeardOfIsStillOneToUse() {
        let text = """
            1.0 ben msg.initialize.sent link=1 peer=lock session=1 length=1
            4.0 ben msg.accessoryConfigurationData.received link=1 peer=lock session=1 length=38
            4.001 ben msg.initialize.sent link=1 peer=lock session=2 length=1
            4.1 ben msg.configureAndStart.sent link=1 peer=lock session=1 length=31
            """
        #expect(result(of: MessageOrder(), text).outcome == .held)
    }

    @Test func whenAnAppWroteWhatWaitedInItsHostNobodyKnows() {
        let text = """
            1.0 ben link.up link=1 peer=lock role=central
            2.0 ben att.sent link=1 peer=lock pdu=write-request length=4
            9.0 ben att.received link=1 peer=lock pdu=write-response length=1
            & 9.0 ben att.sent link=1 peer=lock pdu=write-request length=4
            & 9.0 ben msg.initialize.sent link=1 peer=lock session=2 length=1
            9.2 ben att.received link=1 peer=lock pdu=write-response length=1
            & 9.2 ben att.sent link=1 peer=lock pdu=write-request length=34
            & 9.2 ben msg.configureAndStart.sent link=1 peer=lock session=1 length=31
            """
        #expect(result(of: MessageOrder(), text).record.violationCount == 0)
    }

    @Test func requestsThatWaitInALineAreAllAnswered() {
        let text =
            handshake + stop + """
                2.11 lock msg.initialize.received link=1 peer=ben session=2 length=1
                2.2 lock msg.accessoryUwbDidStop.sent link=1 peer=ben session=1 length=1
                2.3 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=2 length=38
                """
        #expect(result(of: MessageOrder(), text).outcome == .held)
    }

    @Test func whoReceivedASpoiltMessageMayAnswerAsHeLikes() {
        let text =
            handshake + """
                2.0 lock msg.malformed.received link=1 peer=ben problem=empty spoilt=true
                2.1 lock msg.accessoryUwbDidStart.sent link=1 peer=ben
                """
        let result = result(of: MessageOrder(), text)
        #expect(result.outcome == .held)
        #expect(result.record.excused == 1)
    }

    @Test func aSpoiltMessageIsNotHeldAgainstItsSender() {
        let text = handshake + "2.2 lock msg.accessoryUwbDidStart.sent link=1 peer=ben spoilt=true"
        #expect(result(of: MessageOrder(), text).outcome == .held)
    }
}
