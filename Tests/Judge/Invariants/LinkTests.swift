import DeviceLink
import Invariants
import Testing

extension RequestAnswered {
    /// Of firmware that answers within 2 s, as the profiles of the reference accessory do.
    static let ofFirmware = RequestAnswered(answersWithin: ["lock": .seconds(2)])
}

/// A link from `ben` to `lock` on which `ben` has subscribed.
let linked = """
    1.0 ben link.up link=1 peer=lock role=central
    1.0 lock link.up link=1 peer=ben role=peripheral
    1.1 ben gatt.subscribed link=1 peer=lock characteristic=tx on=true

    """

/// `configureAndStart` with session id 42 has started lock's radio, with handle 7.
let ranging =
    linked + """
        1.5 ben msg.configureAndStart.sent link=1 peer=lock session=1 shareable=x'010001001945552A000000'
        1.6 lock msg.configureAndStart.received link=1 peer=ben session=1 shareable=x'010001001945552A000000'
        1.6 lock uwb.starting handle=7 session-id=42 address=1 peer-address=2
        1.7 lock uwb.started handle=7 session-id=42

        """

struct RequestAnsweredTests {
    private let end = "\n60.0 - run.ended reason=finished"
    /// A link over which lock has said DidStop.
    private let acknowledging =
        linked + "1.9 lock msg.accessoryUwbDidStop.sent link=1 peer=ben session=1\n"

    @Test func answeredRequestsHold() {
        let text =
            linked + """
                2.0 lock msg.initialize.received link=1 peer=ben session=1
                2.1 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=1
                2.2 lock msg.configureAndStart.received link=1 peer=ben session=1
                2.3 lock msg.accessoryUwbDidStart.sent link=1 peer=ben session=1
                3.0 lock msg.stop.received link=1 peer=ben session=1
                3.1 lock msg.accessoryUwbDidStop.sent link=1 peer=ben session=1
                """
        let result = result(of: RequestAnswered.ofFirmware, text + end)
        #expect(result.outcome == .held)
        #expect(result.record.exercised == 3)
    }

    @Test(arguments: ["initialize", "configureAndStart", "stop"])
    func anUnansweredRequestBreaksIt(request: String) {
        let text =
            acknowledging + "2.0 lock msg.\(request).received link=1 peer=ben session=1"
        #expect(
            complaints(of: RequestAnswered.ofFirmware, text + end) == [
                "lock received \(request) from ben at 2.000 s and had not answered it by 4.000 s, "
                    + "although the link was up."
            ])
    }

    @Test func aLostRequestOfTwoBreaksIt() {
        let text =
            linked + """
                2.0 lock msg.stop.received link=1 peer=ben session=1
                2.001 lock msg.initialize.received link=1 peer=ben session=2
                2.1 lock msg.accessoryUwbDidStop.sent link=1 peer=ben session=1
                """
        #expect(complaints(of: RequestAnswered.ofFirmware, text + end).count == 1)
    }

    /// An app that asks again has given up the request before; an accessory that prepares may begin anew.
    @Test func oneAnswerIsEnoughForRequestsThatWereAskedAnew() {
        let text =
            linked + """
                2.0 lock msg.initialize.received link=1 peer=ben session=1
                2.05 lock msg.initialize.received link=1 peer=ben session=2
                2.2 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=2
                3.0 lock msg.initialize.received link=1 peer=ben session=3
                3.1 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=3
                """
        #expect(result(of: RequestAnswered.ofFirmware, text + end).outcome == .held)
        let lost = linked + "2.0 lock msg.initialize.received link=1 peer=ben session=1\n"
        let again = lost + "4.5 lock msg.initialize.received link=1 peer=ben session=2\n"
        let answer = "4.6 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=2"
        #expect(complaints(of: RequestAnswered.ofFirmware, again + answer + end).count == 1)
        // R4 gives no time: nobody said how long it takes.
        #expect(result(of: RequestAnswered(), again + answer + end).outcome == .held)
    }

    /// R4 knows neither DidStart nor DidStop (3.2): the radio says it.
    @Test func whoNeverSaysWhatTheRadioDoesAnswersByIt() {
        let stop = ranging + "4.0 lock msg.stop.received link=1 peer=ben session=1\n"
        let off = "4.1 lock uwb.stopped handle=7 session-id=42"
        #expect(result(of: RequestAnswered.ofFirmware, stop + off + end).outcome == .held)
        #expect(complaints(of: RequestAnswered.ofFirmware, stop + end).count == 1)
    }

    /// Nor does it know `initialize`.
    @Test func whoSendsConfigurationDataByItselfOwesNoneForARequest() {
        let unasked =
            linked + """
                1.2 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=1 unasked=true
                2.0 lock msg.initialize.received link=1 peer=ben session=2
                3.0 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=2
                4.0 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=2
                """
        #expect(complaints(of: RequestAnswered.ofFirmware, unasked + end) == [])
        #expect(complaints(of: MessageOrder(), unasked + end) == [])
    }

    @Test func whoseFirstWordsAFaultMadeUnreadableMayHaveSentThatByItself() {
        let garbled =
            linked + """
                1.2 lock msg.malformed.sent link=1 peer=ben problem=x unasked=true spoilt=true
                2.0 lock msg.initialize.received link=1 peer=ben session=1
                """
        #expect(complaints(of: RequestAnswered.ofFirmware, garbled + end) == [])
    }

    @Test func aWrongAnswerIsAnswerEnough() {
        let text =
            ranging + """
                1.9 lock msg.accessoryUwbDidStart.sent link=1 peer=ben session=1
                2.0 lock msg.stop.received link=1 peer=ben session=1
                2.1 lock msg.accessoryUwbDidStart.sent link=1 peer=ben session=1
                """
        #expect(result(of: RequestAnswered.ofFirmware, text + end).outcome == .held)
    }

    @Test func didStopAnswersAStartThatWasStoppedBeforeItBegan() {
        let text =
            linked + """
                2.0 lock msg.configureAndStart.received link=1 peer=ben session=1
                2.001 lock msg.stop.received link=1 peer=ben session=1
                2.1 lock msg.accessoryUwbDidStop.sent link=1 peer=ben session=1
                """
        #expect(result(of: RequestAnswered.ofFirmware, text + end).outcome == .held)
    }

    @Test func aNewSessionTakesThePlaceOfAStartThatIsUnderWay() {
        let text =
            ranging + """
                2.0 lock msg.initialize.received link=1 peer=ben session=2
                2.1 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=2
                """
        #expect(result(of: RequestAnswered.ofFirmware, text + end).outcome == .held)
    }

    @Test(arguments: [
        "2.5 lock link.down link=1 peer=ben reason=8", "2.5 lock device.died cause=killed",
        "2.5 ben air.disconnected link=1 peer=lock reason=8",
        """
        2.5 lock device.frozen
        30.0 lock device.thawed
        31.5 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=1
        """,
        "2.5 lock msg.malformed.sent link=1 peer=ben problem=empty spoilt=true",
        "2.5 lock msg.iOSNotify.sent link=1 peer=ben spoilt=true",
    ])
    func whatTheAccessoryIsNotToBlameForIsExcused(lines: String) {
        let text = linked + "2.0 lock msg.initialize.received link=1 peer=ben session=1\n"
        #expect(result(of: RequestAnswered.ofFirmware, text + lines + end).outcome == .held)
    }

    @Test func aStartThatASpoiltRequestMayHaveEndedIsExcused() {
        let text =
            linked + """
                2.0 lock msg.configureAndStart.received link=1 peer=ben session=1
                2.1 lock msg.malformed.received link=1 peer=ben problem=empty spoilt=true
                """
        #expect(result(of: RequestAnswered.ofFirmware, text + end).outcome == .held)
    }

    @Test func aSpoiltRequestAndOneWithoutASubscriptionNeedNoAnswer() {
        let text = """
            1.0 ben link.up link=1 peer=lock role=central
            2.0 lock msg.initialize.received link=1 peer=ben session=1
            2.1 ben gatt.subscribed link=1 peer=lock characteristic=tx on=true
            2.2 lock msg.initialize.received link=1 peer=ben session=2 spoilt=true
            """
        let result = result(of: RequestAnswered.ofFirmware, text + end)
        #expect(result.outcome == .vacuous)
        #expect(result.record.excused == 2)
    }

    @Test func anAppThatWaitsForEverBreaksIt() {
        let text = linked + "2.0 ben msg.initialize.sent link=1 peer=lock session=1"
        #expect(
            complaints(of: RequestAnswered.ofFirmware, text + end) == [
                "ben sent initialize to lock at 2.000 s and was still waiting for configuration "
                    + "data at 37.000 s."
            ])
    }

    @Test(arguments: [
        "ben msg.accessoryConfigurationData.received link=1 peer=lock session=1",
        "ben msg.initialize.sent link=2 peer=door session=2", "ben app.gaveUp peer=lock reason=x",
        "ben link.down link=1 peer=lock reason=8", "ben app.terminated",
    ])
    func anAppThatStopsWaitingHolds(line: String) {
        let text =
            linked + """
                2.0 ben msg.initialize.sent link=1 peer=lock session=1
                30.0 \(line)
                """
        let waitsForDoor = line.contains("door")
        let result = result(of: RequestAnswered.ofFirmware, text + end)
        #expect(result.record.violationCount == (waitsForDoor ? 1 : 0))
    }
}

struct QuietTests {
    private let end = "\n60.0 - run.ended reason=finished"

    @Test(arguments: [
        "5.0 lock msg.stop.received link=1 peer=ben session=1",
        "5.0 lock link.down link=1 peer=ben reason=8",
    ])
    func aRadioThatGoesOffHolds(cause: String) {
        let text = ranging + cause + "\n6.0 lock uwb.stopped handle=7 session-id=42"
        let result = result(of: Quiet(), text + end)
        #expect(result.outcome == .held)
        #expect(result.record.exercised == 1)
    }

    @Test(arguments: [
        ("msg.stop.received link=1 peer=ben session=1", "it received stop"),
        ("link.down link=1 peer=ben reason=8", "its link was gone"),
    ])
    func aRadioThatStaysOnBreaksIt(cause: String, reason: String) {
        #expect(
            complaints(of: Quiet(), ranging + "5.0 lock \(cause)" + end) == [
                "lock's radio, asked to range at 1.600 s, was still on at 7.000 s, although "
                    + "\(reason) at 5.000 s."
            ])
    }

    @Test func aRadioThatStartsForALinkThatIsGoneBreaksIt() {
        let text =
            ranging + """
                5.0 lock link.down link=1 peer=ben reason=8
                5.1 lock uwb.stopped handle=7 session-id=42
                5.2 lock uwb.starting handle=8 session-id=42 address=1 peer-address=2
                """
        #expect(complaints(of: Quiet(), text + end).count == 1)
    }

    @Test func aRadioOfAnotherLinkRangesOn() {
        let text =
            ranging + """
                2.0 lock link.up link=2 peer=ann role=peripheral
                2.1 lock msg.configureAndStart.received link=2 peer=ann shareable=x'0100010019455563000000'
                2.2 lock uwb.starting handle=8 session-id=99 address=3 peer-address=4
                5.0 lock msg.stop.received link=1 peer=ben session=1
                5.1 lock uwb.stopped handle=7 session-id=42
                """
        #expect(result(of: Quiet(), text + end).outcome == .held)
    }

    @Test func aRadioOfUnknownOriginIsOffWhenThereIsNoLink() {
        let text =
            linked + """
                2.0 lock uwb.starting handle=9 session-id=5 address=1 peer-address=2
                5.0 lock link.down link=1 peer=ben reason=8
                """
        #expect(complaints(of: Quiet(), text + end).count == 1)
    }

    @Test func aFrozenAccessoryHasAllItsTimeAfterwards() {
        let text =
            ranging + """
                5.0 lock msg.stop.received link=1 peer=ben session=1
                5.5 lock device.frozen
                20.0 lock device.thawed
                21.5 lock uwb.stopped handle=7 session-id=42
                """
        #expect(result(of: Quiet(), text + end).outcome == .held)
    }

    private let suspended =
        ranging + """
            1.3 ben ni.run ni-session=1 peer=lock configuration=x'01'
            5.0 ben ni.sessionWasSuspended ni-session=1 peer=lock

            """

    @Test(arguments: [
        "5.1 ben msg.stop.sent link=1 peer=lock session=1",
        "5.1 ben msg.malformed.sent link=1 peer=lock problem=empty spoilt=true",
        "5.1 lock uwb.stopped handle=7 session-id=42",
        "5.1 ben link.down link=1 peer=lock reason=8",
        "5.1 ben ni.sessionSuspensionEnded ni-session=1 peer=lock",
        "5.1 ben device.died cause=killed",
        """
        5.0 ben att.sent link=1 peer=lock pdu=write-request length=4
        50.0 ben att.received link=1 peer=lock pdu=write-response length=1
        """,
    ])
    func aSuspensionThatEndsTheRangingHolds(line: String) {
        #expect(result(of: Quiet(), suspended + line + end).outcome == .held)
    }

    @Test func rangingThroughASuspensionBreaksIt() {
        #expect(
            complaints(of: Quiet(), suspended + end) == [
                "NISession 1 of ben was suspended at 5.000 s, and by 7.000 s ben had not told lock "
                    + "to stop."
            ])
    }

    @Test func aSessionHeldForALinkThatIsGoneBreaksIt() {
        let text =
            linked + """
                2.0 ben ni.run ni-session=3 peer=lock configuration=x'01'
                5.0 ben link.down link=1 peer=lock reason=8

                """
        #expect(
            complaints(of: Quiet(), text + end) == [
                "ben still held NISession 3 at 35.000 s, although its link to lock had been gone "
                    + "since 5.000 s."
            ])
        let back = text + "10.0 ben link.up link=2 peer=lock role=central"
        #expect(result(of: Quiet(), back + end).outcome == .held)
        let removed = text + "10.0 ben ni.didRemove ni-session=3 peer=lock reason=timeout"
        #expect(result(of: Quiet(), removed + end).outcome == .held)
    }
}

struct RoutedRightTests {
    /// ben has configuration data 0A of lock and 0B of door, and a link to each.
    private let data = """
        1.0 ben link.up link=1 peer=lock role=central
        1.0 ben link.up link=2 peer=door role=central
        1.1 ben msg.accessoryConfigurationData.received link=1 peer=lock configuration=x'0A'
        1.1 ben msg.accessoryConfigurationData.received link=2 peer=door configuration=x'0B'

        """
    private let runs = """
        1.2 ben ni.run ni-session=1 peer=lock configuration=x'0A'
        1.2 ben ni.run ni-session=2 peer=door configuration=x'0B'
        1.3 ben ni.didGenerateShareableConfigurationData ni-session=1 peer=lock shareable=x'1A'
        1.3 ben ni.didGenerateShareableConfigurationData ni-session=2 peer=door shareable=x'1B'

        """

    @Test func everySessionWithItsOwnDataHolds() {
        let text =
            data + runs + """
                1.4 ben msg.configureAndStart.sent link=1 peer=lock shareable=x'1A'
                1.4 ben msg.configureAndStart.sent link=2 peer=door shareable=x'1B'
                """
        let result = result(of: RoutedRight(), text)
        #expect(result.outcome == .held)
        #expect(result.record.exercised == 6)
    }

    @Test func runningASessionWithTheDataOfAnotherAccessoryBreaksIt() {
        let text = data + "1.2 ben ni.run ni-session=2 peer=door configuration=x'0A'"
        #expect(
            complaints(of: RoutedRight(), text) == [
                "At 1.200 s ben ran NISession 2 for door with the configuration data of lock."
            ])
    }

    @Test func sendingShareableDataToAnotherAccessoryBreaksIt() {
        let text =
            data + runs + "1.4 ben msg.configureAndStart.sent link=2 peer=door shareable=x'1A'"
        #expect(
            complaints(of: RoutedRight(), text) == [
                "At 1.400 s ben sent to door the shareable data of NISession 1, which was run with "
                    + "the configuration data of lock."
            ])
    }

    @Test func shareableDataThatIsNeverSentBreaksIt() {
        let text =
            data + runs + """
                1.4 ben msg.configureAndStart.sent link=1 peer=lock shareable=x'1A'
                60.0 - run.ended reason=finished
                """
        #expect(
            complaints(of: RoutedRight(), text) == [
                "NISession 2 of ben generated shareable data at 1.300 s, and by 3.300 s it had not "
                    + "been sent to door."
            ])
    }

    @Test(arguments: [
        "1.4 ben msg.initialize.sent link=2 peer=door session=3",
        "1.25 ben msg.stop.sent link=2 peer=door session=2", "1.4 ben app.stop peer=door",
        "1.4 ben ni.sessionWasSuspended ni-session=2 peer=door",
        "1.4 ben link.down link=2 peer=door reason=8", "1.4 ben device.died cause=killed",
        "1.4 ben msg.malformed.sent link=2 peer=door problem=empty spoilt=true",
        "1.4 ben att.sent link=2 peer=door pdu=write-request length=3",
    ])
    func shareableDataOfASessionThatIsOverNeedsNotBeSent(line: String) {
        let lines = runs.split(separator: "\n", omittingEmptySubsequences: false)
        let before = lines[..<2].joined(separator: "\n") + "\n"
        let after = lines[3...].joined(separator: "\n")
        let text =
            data + (line.hasPrefix("1.25") ? before + line + "\n" + after : before + after + line)
        #expect(result(of: RoutedRight(), text + "\n60.0 - run.ended").record.violationCount == 0)
    }

    @Test func twoAccessoriesWithEqualDataAreNoMistake() {
        let text =
            data + """
                1.15 ben msg.accessoryConfigurationData.received link=2 peer=door configuration=x'0A'
                1.2 ben ni.run ni-session=2 peer=door configuration=x'0A'
                """
        #expect(result(of: RoutedRight(), text).outcome == .held)
    }

    @Test func rangingWithTheSessionIdOfAnotherAccessoryBreaksIt() {
        let text =
            ranging + """
                2.0 door msg.accessoryConfigurationData.sent link=2 peer=ben configuration=x'0B'
                2.1 door uwb.starting handle=1 session-id=42 address=9 peer-address=2
                """
        #expect(
            complaints(of: RoutedRight(), text) == [
                "At 2.100 s door started its radio with session id 42, which had been sent to lock."
            ])
    }

    @Test func aPhonesOwnSessionIdIsItsOwn() {
        let text = ranging + "2.1 ben uwb.starting handle=1 session-id=42 address=2 peer-address=1"
        #expect(result(of: RoutedRight(), text).outcome == .held)
    }

    /// Two phones range with lock; ann's radio has handle 8.
    private let shared =
        ranging + """
            2.0 lock link.up link=2 peer=ann role=peripheral
            2.0 ann link.up link=2 peer=lock role=central
            2.1 lock msg.configureAndStart.received link=2 peer=ann shareable=x'0100010019455563000000'
            2.2 lock uwb.starting handle=8 session-id=99 address=3 peer-address=4
            5.0 lock msg.stop.received link=1 peer=ben session=1
            5.1 lock uwb.stopped handle=7 session-id=42

            """

    @Test func aStopThatEndsTheRangingOfAnotherBreaksIt() {
        let text =
            shared + """
                & 5.1 lock uwb.stopped handle=8 session-id=99
                & 5.1 lock msg.accessoryUwbDidStop.sent link=1 peer=ben session=1
                """
        #expect(
            complaints(of: RoutedRight(), text) == [
                "At 5.100 s lock answered the stop of ben by ending the ranging of ann."
            ])
    }

    @Test func aStopThatEndsItsOwnRangingHolds() {
        let text =
            shared + """
                & 5.1 lock msg.accessoryUwbDidStop.sent link=1 peer=ben session=1
                6.0 lock uwb.stopped handle=8 session-id=99
                & 6.0 lock msg.accessoryUwbDidStop.sent link=2 peer=ann session=2
                """
        #expect(result(of: RoutedRight(), text).outcome == .held)
    }

    @Test func rangingWithAnAddressAnnouncedOnAnotherLinkBreaksIt() {
        func data(_ link: Int, _ address: String) -> String {
            let fixed = "010000001400000000000000000000" + "13"
            let inner = String(repeating: "00", count: 17) + address
            return "1.55 lock msg.accessoryConfigurationData.sent link=\(link) peer=ben session=1 "
                + "configuration=x'\(fixed)\(inner)'\n"
        }
        let start = ranging.split(separator: "\n", omittingEmptySubsequences: false)
        let before = start[..<5].joined(separator: "\n") + "\n"
        let after = start[5...].joined(separator: "\n")
        let wrong = before + data(1, "0900") + data(2, "0100") + after
        #expect(complaints(of: RoutedRight(), wrong).count == 1)
        let right = before + data(1, "0100") + data(2, "0900") + after
        #expect(result(of: RoutedRight(), right).outcome == .held)
    }
}
