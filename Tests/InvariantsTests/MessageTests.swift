import Invariants
import Testing

struct FreshConfigurationTests {
    private func sent(_ session: Int, _ bytes: String, _ extra: String = "") -> String {
        "\(session).0 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=\(session) "
            + "length=3 configuration=x'\(bytes)' \(extra)\n"
    }

    @Test func newDataForEverySessionHolds() {
        let text = sent(1, "0A0B") + sent(2, "0A0C") + sent(3, "0A0D")
        let result = result(of: FreshConfiguration(), text)
        #expect(result.outcome == .held)
        #expect(result.record.exercised == 3)
    }

    @Test func reusedDataBreaksIt() {
        let text = sent(1, "0A0B") + sent(2, "0A0C") + sent(3, "0A0B")
        #expect(
            complaints(of: FreshConfiguration(), text) == [
                "At 3.000 s lock answered session 3 of ben with the configuration data it had sent "
                    + "for session 1 at 1.000 s."
            ])
    }

    @Test func theSameDataTwiceInOneSessionIsNoReuse() {
        let again = "1.5 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=1 "
        let text = sent(1, "0A0B") + again + "length=3 configuration=x'0A0B'"
        #expect(result(of: FreshConfiguration(), text).outcome == .held)
    }

    @Test func spoiltDataAndAnotherAccessoryDoNotCount() {
        let door = sent(3, "0A0B").replacingLock(by: "door")
        let text = sent(1, "0A0B") + sent(2, "0A0B", "spoilt=true") + door
        #expect(result(of: FreshConfiguration(), text).outcome == .held)
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

    @Test func theAccessoryMayStopByItself() {
        let text = handshake + "2.2 lock msg.accessoryUwbDidStop.sent link=1 peer=ben"
        #expect(result(of: MessageOrder(), text).outcome == .held)
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

struct SubscribedFirstTests {
    private let up = """
        1.0 ben link.up link=1 peer=lock role=central
        1.0 lock link.up link=1 peer=ben role=peripheral

        """
    private let initialize = "2.0 ben msg.initialize.sent link=1 peer=lock session=1 length=1\n"

    @Test func afterTheAcknowledgementAllIsWell() {
        let text = up + "1.5 ben gatt.subscribed link=1 peer=lock characteristic=tx on=true\n"
        let result = result(of: SubscribedFirst(), text + initialize)
        #expect(result.outcome == .held)
        #expect(result.record.exercised == 1)
    }

    @Test func anInitializeBeforeItBreaksIt() {
        let late = "2.5 ben gatt.subscribed link=1 peer=lock characteristic=tx on=true"
        #expect(
            complaints(of: SubscribedFirst(), up + initialize + late) == [
                "At 2.000 s ben sent initialize to lock, which had not yet acknowledged a "
                    + "subscription to its answers."
            ])
    }

    @Test func aSubscriptionToSomethingElseOrAnEndedOneDoesNotHelp() {
        let text =
            up + """
                1.5 ben gatt.subscribed link=1 peer=lock characteristic=2A05 on=true
                1.6 ben gatt.subscribed link=1 peer=lock characteristic=tx on=true
                1.7 ben gatt.subscribed link=1 peer=lock characteristic=tx on=false

                """
        #expect(complaints(of: SubscribedFirst(), text + initialize).count == 1)
    }

    @Test func aBondedSubscriptionHoldsOnTheNextEncryptedLink() {
        let first =
            up + """
                1.1 ben link.encrypted link=1 peer=lock status=0
                1.5 ben gatt.subscribed link=1 peer=lock characteristic=tx on=true
                1.6 ben link.down link=1 peer=lock reason=19
                1.6 lock link.down link=1 peer=ben reason=19
                1.7 ben link.up link=2 peer=lock role=central

                """
        let send = "2.0 ben msg.initialize.sent link=2 peer=lock session=1 length=1"
        #expect(result(of: SubscribedFirst(), first + send).outcome == .violated)
        let encrypted = first + "1.8 ben link.encrypted link=2 peer=lock status=0\n"
        #expect(result(of: SubscribedFirst(), encrypted + send).outcome == .held)
    }

    @Test func theAccessorysOwnMessagesNeedNoSubscriptionOfItsOwn() {
        let text = up + "2.0 lock msg.getReserved.sent link=1 peer=ben session=null length=3"
        #expect(result(of: SubscribedFirst(), text).outcome == .vacuous)
    }
}

extension String {
    fileprivate func replacingLock(by name: String) -> String {
        split(separator: "lock", omittingEmptySubsequences: false).joined(separator: name)
    }
}
