import Invariants
import Testing

struct BoundedRetriesTests {
    private func initialize(_ times: Double...) -> String {
        times.map { "\($0) ben msg.initialize.sent link=1 peer=lock session=1\n" }.joined()
    }

    @Test func doublingPausesHold() {
        let text = linked + initialize(2, 2.5, 3.5, 5.5, 9.5, 17.5)
        let result = result(of: BoundedRetries(), text)
        #expect(result.outcome == .held)
        #expect(result.record.exercised == 5)
    }

    @Test func tooShortAPauseBreaksIt() {
        #expect(
            complaints(of: BoundedRetries(), linked + initialize(2, 2.25)) == [
                "At 2.250 s ben tried lock again 0.250 s after the try before; the shortest pause "
                    + "is 0.500 s."
            ])
    }

    @Test func tooManyRetriesInAWindowBreakIt() {
        let text = linked + initialize(2, 4, 6, 8, 10, 12, 14)
        #expect(
            complaints(of: BoundedRetries(), text) == [
                "At 14.000 s ben tried lock again for the 6th time within 30.000 s; 5 retries are "
                    + "allowed."
            ])
    }

    @Test(arguments: ["app.start peer=lock", "ni.sessionSuspensionEnded ni-session=1 peer=lock"])
    func aWishOfTheUserOrTheEndOfASuspensionBeginsACountOfItsOwn(_ news: String) {
        let text = linked + initialize(2, 4, 6, 8, 10) + "11.0 ben \(news)\n"
        #expect(complaints(of: BoundedRetries(), text + initialize(12, 14, 16, 18, 20, 22)) == [])
        #expect(
            complaints(of: BoundedRetries(), text + initialize(12, 14, 16, 18, 20, 22, 24)).count
                == 1)
    }

    @Test func whatTheSystemSuspendsHasNotFailed() {
        let text =
            linked + initialize(2, 4, 6, 8, 10)
            + "11.0 ben ni.sessionWasSuspended ni-session=1 peer=lock\n"
        #expect(complaints(of: BoundedRetries(), text + initialize(12, 14, 16, 18, 20)) == [])
        #expect(
            complaints(of: BoundedRetries(), text + initialize(12, 14, 16, 18, 20, 22)).count == 1)
    }

    @Test func rangingForLongEnoughBeginsACountOfItsOwn() {
        func text(stoppedAt stop: Double) -> String {
            linked + initialize(2, 4, 6, 8, 10)
                + "10.5 ben msg.accessoryUwbDidStart.received link=1 peer=lock session=1\n"
                + "\(stop) ben msg.stop.sent link=1 peer=lock session=1\n"
                + initialize(22, 24, 26, 28, 30)
        }
        #expect(complaints(of: BoundedRetries(), text(stoppedAt: 20.5)) == [])
        #expect(complaints(of: BoundedRetries(), text(stoppedAt: 20.25)).count == 3)
    }

    @Test func whatRangedAndWasStoppedByTheAppIsRenewedAndNotRetried() {
        func session(_ begin: Int, _ ranged: String) -> String {
            """
            \(begin).0 ben msg.initialize.sent link=1 peer=lock session=1
            \(begin).5 ben \(ranged) link=1 peer=lock session=1
            \(begin + 2).9 ben msg.stop.sent link=1 peer=lock session=1

            """
        }
        let times = [2, 5, 8, 11, 14, 17, 20, 23]
        let renewed = times.map { session($0, "msg.accessoryUwbDidStart.received") }.joined()
        #expect(complaints(of: BoundedRetries(), linked + renewed) == [])
        let retried = times.map { session($0, "msg.accessoryUwbDidStop.received") }.joined()
        #expect(complaints(of: BoundedRetries(), linked + retried).count == 2)
    }

    @Test func aTryThatWaitedInItsHostBeganEarlier() {
        let text =
            linked + """
                2.0 ben att.sent link=1 peer=lock pdu=write-request length=4
                9.0 ben att.received link=1 peer=lock pdu=write-response length=1
                & 9.0 ben att.sent link=1 peer=lock pdu=write-request length=4
                & 9.0 ben msg.initialize.sent link=1 peer=lock session=1
                9.1 ben att.received link=1 peer=lock pdu=write-response length=1
                9.2 ben att.sent link=1 peer=lock pdu=write-request length=4
                & 9.2 ben msg.initialize.sent link=1 peer=lock session=2

                """
        #expect(result(of: BoundedRetries(), text).outcome == .held)
        let third =
            text + """
                9.3 ben att.received link=1 peer=lock pdu=write-response length=1
                9.4 ben att.sent link=1 peer=lock pdu=write-request length=4
                & 9.4 ben msg.initialize.sent link=1 peer=lock session=3
                """
        #expect(complaints(of: BoundedRetries(), third).count == 1)
    }

    @Test(arguments: [
        "ben link.up link=2 peer=lock role=central",
        "ben ni.sessionSuspensionEnded ni-session=1 peer=lock", "ben app.start peer=lock",
        "ben app.foreground", "ben system.bluetooth power=on",
    ])
    func aTryForAnotherReasonIsNoRetry(line: String) {
        let text = linked + initialize(2) + "2.1 \(line)\n" + initialize(2.2)
        let result = result(of: BoundedRetries(), text)
        #expect(result.outcome == .vacuous)
    }

    @Test func anotherAccessoryIsNoRetry() {
        let text =
            linked + initialize(2)
            + "2.1 ben msg.initialize.sent link=2 peer=door session=2"
        #expect(result(of: BoundedRetries(), text).record.violationCount == 0)
    }

    private let denied =
        "3.0 ben ni.didInvalidate ni-session=1 peer=lock error=userDidNotAllow code=-5884\n"

    @Test func aTryAfterAnErrorThatNoRetryCuresBreaksIt() {
        let text = linked + initialize(2) + denied + initialize(9)
        #expect(
            complaints(of: BoundedRetries(), text) == [
                "At 9.000 s ben sent initialize to lock after userDidNotAllow at 3.000 s, which no "
                    + "retry cures."
            ])
    }

    @Test func afterTheUserWantsItAgainATryIsFine() {
        let text = linked + initialize(2) + denied + "8.0 ben app.start peer=lock\n"
        #expect(result(of: BoundedRetries(), text + initialize(9)).outcome == .held)
    }

    @Test func anErrorThatARetryMayCureIsNone() {
        let failed =
            "3.0 ben ni.didInvalidate ni-session=1 peer=lock error=sessionFailed code=-5887\n"
        #expect(
            result(of: BoundedRetries(), linked + initialize(2) + failed + initialize(4)).outcome
                == .held)
    }

    private func data(_ extra: String = "") -> String {
        "2.1 ben msg.accessoryConfigurationData.received link=1 peer=lock session=1 \(extra)\n"
    }
    private let incompatible =
        "3.0 ben ni.didInvalidate ni-session=1 peer=lock error=incompatiblePeerDevice code=-5881\n"

    @Test func whatTheAccessoryAnnouncedNoRetryCuresOnTheSameLink() {
        let text = linked + initialize(2) + data() + incompatible
        #expect(complaints(of: BoundedRetries(), text + initialize(9)).count == 1)
        let anew = "6.0 ben link.up link=2 peer=lock role=central\n"
        #expect(result(of: BoundedRetries(), text + anew + initialize(9)).outcome == .held)
        #expect(
            complaints(of: BoundedRetries(), linked + initialize(2) + denied + anew + initialize(9))
                .count == 1)
    }

    @Test func whatAFaultMadeOfItARetryCures() {
        let text = linked + initialize(2) + data("spoilt=true") + incompatible
        #expect(complaints(of: BoundedRetries(), text + initialize(9)) == [])
        #expect(
            complaints(
                of: BoundedRetries(),
                linked + initialize(2) + data("spoilt=true") + denied + initialize(9)
            ).count == 1)
    }
}
