import Invariants
import Testing

struct SessionAutomatonTests {
    private let begun = """
        1.0 ben ni.created ni-session=1 peer=lock
        1.1 ben ni.run ni-session=1 peer=lock
        1.2 ben ni.didStartRunning ni-session=1 peer=lock

        """

    @Test func aWholeLifeIsInOrder() {
        let life = """
            1.25 ben ni.didGenerateShareableConfigurationData ni-session=1 peer=lock shareable=x'01'
            1.5 ben ni.didUpdate ni-session=1 peer=lock distance=3000
            2.0 ben ni.sessionWasSuspended ni-session=1 peer=lock
            3.0 ben ni.sessionSuspensionEnded ni-session=1 peer=lock
            3.1 ben ni.sessionWasSuspended ni-session=1 peer=lock
            3.2 ben ni.sessionSuspensionEnded ni-session=1 peer=lock
            3.5 ben ni.run ni-session=1 peer=lock
            3.6 ben ni.didStartRunning ni-session=1 peer=lock
            4.0 ben ni.didUpdate ni-session=1 peer=lock distance=null
            5.0 ben ni.didRemove ni-session=1 peer=lock reason=timeout
            5.5 ben ni.run ni-session=1 peer=lock
            5.6 ben ni.didRemove ni-session=1 peer=lock reason=timeout
            6.0 ben ni.invalidate ni-session=1 peer=lock
            9.0 - run.ended reason=finished
            """
        let result = result(of: SessionAutomaton(), begun + life)
        #expect(result.outcome == .held)
        #expect(result.record.exercised == 14)
    }

    @Test func anUpdateWhileSuspendedBreaksIt() {
        let sentences = complaints(
            of: SessionAutomaton(),
            begun + """
                2.0 ben ni.sessionWasSuspended ni-session=1 peer=lock
                2.2 ben ni.didUpdate ni-session=1 peer=lock distance=3000
                """)
        #expect(
            sentences == [
                "At 2.200 s it got didUpdate, NISession 1 of ben, although it has been suspended "
                    + "since 2.000 s."
            ])
    }

    @Test func runningASuspendedSessionBreaksIt() {
        let sentences = complaints(
            of: SessionAutomaton(),
            begun + """
                2.0 ben ni.sessionWasSuspended ni-session=1 peer=lock
                2.2 ben ni.run ni-session=1 peer=lock
                """)
        #expect(sentences.count == 1)
        #expect(sentences.first?.hasPrefix("At 2.200 s the app ran it, NISession 1") == true)
    }

    @Test(arguments: [
        "2.0 ben ni.sessionSuspensionEnded ni-session=1 peer=lock",
        "2.0 ben ni.didStartRunning ni-session=2 peer=lock",
        """
        2.0 ben ni.didRemove ni-session=1 peer=lock reason=timeout
        2.1 ben ni.didUpdate ni-session=1 peer=lock distance=1
        """,
        """
        2.0 ben ni.pause ni-session=1 peer=lock
        3.1 ben ni.didUpdate ni-session=1 peer=lock distance=1
        """,
    ])
    func aCallbackInTheWrongStateBreaksIt(lines: String) {
        let other = "1.9 ben ni.created ni-session=2 peer=door\n"
        #expect(complaints(of: SessionAutomaton(), begun + other + lines).count == 1)
    }

    @Test func whatWasPostedBeforeARerunMayStillArrive() {
        let lines = """
            2.0 ben ni.run ni-session=1 peer=lock
            2.001 ben ni.didRemove ni-session=1 peer=lock reason=timeout
            2.1 ben ni.didStartRunning ni-session=1 peer=lock
            9.0 ben ni.didUpdate ni-session=1 peer=lock distance=1
            9.1 ben ni.pause ni-session=1 peer=lock
            9.101 ben ni.didUpdate ni-session=1 peer=lock distance=1
            """
        #expect(result(of: SessionAutomaton(), begun + lines).outcome == .held)
    }

    @Test func aSessionOfATerminatedAppIsForgotten() {
        let lines = """
            2.0 ben app.terminated
            3.0 ben ni.created ni-session=1 peer=lock
            3.1 ben ni.run ni-session=1 peer=lock
            """
        #expect(result(of: SessionAutomaton(), begun + lines).outcome == .held)
    }

    @Test func aTraceWithoutSessionsIsVacuous() {
        #expect(result(of: SessionAutomaton(), "1.0 - run.ended").outcome == .vacuous)
    }
}

struct OneOutcomePerRunTests {
    private let run = "1.0 ben ni.run ni-session=1 peer=lock configuration=x'01'\n"
    private let end = "\n60.0 - run.ended reason=finished"

    @Test(arguments: [
        "ni.didStartRunning", "ni.sessionWasSuspended", "ni.didRemove", "ni.didInvalidate",
        "ni.pause", "ni.invalidate",
    ])
    func eachOutcomeWillDo(kind: String) {
        let text = run + "1.5 ben \(kind) ni-session=1 peer=lock" + end
        #expect(result(of: OneOutcomePerRun(), text).outcome == .held)
    }

    @Test func noOutcomeBreaksIt() {
        #expect(
            complaints(of: OneOutcomePerRun(), run + end) == [
                "NISession 1 of ben was run at 1.000 s and had no outcome by 11.000 s."
            ])
    }

    @Test func aSecondStartBreaksIt() {
        let text =
            run + """
                1.5 ben ni.didStartRunning ni-session=1 peer=lock
                1.9 ben ni.didStartRunning ni-session=1 peer=lock
                """
        #expect(
            complaints(of: OneOutcomePerRun(), text) == [
                "NISession 1 of ben was run at 1.000 s, had its outcome at 1.500 s, and got "
                    + "didStartRunning once more at 1.900 s."
            ])
    }

    @Test func aRerunMayStartAgainOrNot() {
        let text =
            run + """
                1.5 ben ni.didStartRunning ni-session=1 peer=lock
                2.0 ben ni.run ni-session=1 peer=lock
                2.1 ben ni.didStartRunning ni-session=1 peer=lock
                3.0 ben ni.run ni-session=1 peer=lock
                """
        #expect(result(of: OneOutcomePerRun(), text + end).outcome == .held)
    }

    @Test func aRunThatIsCutOffBeforeItsBoundIsUndecided() {
        let result = result(of: OneOutcomePerRun(), run + "5.0 - run.ended reason=cut")
        #expect(result.outcome == .inconclusive)
        #expect(result.undecided == 1)
    }

    @Test func inAQuiescentRunTheOutcomeWillNeverCome() {
        let text = run + "5.0 - run.ended reason=quiescent"
        #expect(result(of: OneOutcomePerRun(), text).outcome == .violated)
    }

    @Test func timeInWhichTheUserIsAskedDoesNotCount() {
        let text =
            run + """
                1.1 ben system.prompt
                9.0 ben system.permission answer=allowed
                18.0 ben ni.didStartRunning ni-session=1 peer=lock
                """
        #expect(result(of: OneOutcomePerRun(), text + end).outcome == .held)
    }

    @Test func timeInWhichThePhoneIsFrozenDoesNotCount() {
        let text =
            run + """
                2.0 ben device.frozen
                40.0 ben device.thawed
                45.0 ben ni.didStartRunning ni-session=1 peer=lock
                """
        #expect(result(of: OneOutcomePerRun(), text + end).outcome == .held)
    }

    @Test func aDeadPhoneOwesNothing() {
        let result = result(of: OneOutcomePerRun(), run + "2.0 ben device.died cause=killed" + end)
        #expect(result.outcome == .held)
        #expect(result.record.excused == 1)
    }

    @Test func afterTheLengthNoObligationOpens() {
        let text = "0.9 - script.ended\n" + run
        #expect(result(of: OneOutcomePerRun(), text + end).outcome == .held)
    }
}

struct NothingAfterInvalidationTests {
    private let dead = """
        1.0 ben link.up link=1 peer=lock role=central
        1.1 ben ni.created ni-session=1 peer=lock
        1.2 ben ni.run ni-session=1 peer=lock configuration=x'01'
        1.3 ben ni.didGenerateShareableConfigurationData ni-session=1 peer=lock shareable=x'0B'
        2.0 ben ni.didInvalidate ni-session=1 peer=lock error=sessionFailed code=-5887

        """

    @Test func aNewSessionMayDoWhatItLikes() {
        let text =
            dead + """
                2.1 ben ni.created ni-session=2 peer=lock
                2.2 ben ni.run ni-session=2 peer=lock configuration=x'02'
                2.3 ben ni.didGenerateShareableConfigurationData ni-session=2 peer=lock shareable=x'0C'
                2.4 ben msg.configureAndStart.sent link=1 peer=lock session=2 length=2 shareable=x'0C'
                """
        let result = result(of: NothingAfterInvalidation(), text)
        #expect(result.outcome == .held)
        #expect(result.record.exercised == 1)
    }

    @Test(arguments: [
        (
            "2.1 ben ni.didUpdate ni-session=1 peer=lock distance=1",
            "NISession 1 of ben got didUpdate"
        ),
        ("2.1 ben ni.didInvalidate ni-session=1 peer=lock", "NISession 1 of ben got didInvalidate"),
        ("2.1 ben ni.run ni-session=1 peer=lock", "the app ran NISession 1 of ben again"),
        (
            "2.1 ben msg.configureAndStart.sent link=1 peer=lock session=1 length=2 shareable=x'0B'",
            "ben sent the shareable data of NISession 1 of ben to lock"
        ),
    ])
    func anythingOfTheOldSessionBreaksIt(line: String, what: String) {
        #expect(
            complaints(of: NothingAfterInvalidation(), dead + line) == [
                "At 2.100 s \(what), although it had been invalidated at 2.000 s."
            ])
    }

    @Test func theAppsOwnInvalidationIsCalledBackOnce() {
        let own = """
            1.0 ben ni.invalidate ni-session=1 peer=lock
            1.001 ben ni.didUpdate ni-session=1 peer=lock distance=1
            1.002 ben ni.didInvalidate ni-session=1 peer=lock error=none code=0

            """
        #expect(result(of: NothingAfterInvalidation(), own).outcome == .held)
        let late = own + "1.003 ben ni.didUpdate ni-session=1 peer=lock distance=1"
        #expect(result(of: NothingAfterInvalidation(), late).outcome == .violated)
    }

    @Test func whatWaitedForAResponseSinceBeforeMayStillLeave() {
        let text = """
            1.0 ben link.up link=1 peer=lock role=central
            1.1 ben ni.run ni-session=1 peer=lock configuration=x'01'
            1.3 ben ni.didGenerateShareableConfigurationData ni-session=1 peer=lock shareable=x'0B'
            1.9 ben att.sent link=1 peer=lock pdu=write-request length=4 handle=7
            2.0 ben ni.didInvalidate ni-session=1 peer=lock error=sessionFailed code=-5887
            2.1 ben att.received link=1 peer=lock pdu=write-response length=1
            & 2.1 ben att.sent link=1 peer=lock pdu=write-request length=5 handle=7
            & 2.1 ben msg.configureAndStart.sent link=1 peer=lock session=1 length=2 shareable=x'0B'

            """
        #expect(result(of: NothingAfterInvalidation(), text).outcome == .held)
        let later =
            text + """
                2.2 ben att.received link=1 peer=lock pdu=write-response length=1
                2.3 ben att.sent link=1 peer=lock pdu=write-request length=5 handle=7
                & 2.3 ben msg.configureAndStart.sent link=1 peer=lock session=1 length=2 shareable=x'0B'
                """
        #expect(result(of: NothingAfterInvalidation(), later).outcome == .violated)
    }
}
