import Invariants
import Testing

struct AliveAgainTests {
    private let end = "\n90.0 - run.ended reason=finished"
    private let wanted = """
        0.0 - run.started topology=t
        0.0 ben device.started incarnation=0
        0.0 lock device.started incarnation=0
        0.1 lock air.advertising on=true
        0.2 ben app.start peer=lock

        """
    private let faulty = """
        5.0 - fault.disconnect between=ben and=lock reason=19
        5.0 - faults.stopped

        """
    private let up = """
        1.0 lock air.advertising on=false
        1.0 ben link.up link=1 peer=lock role=central
        1.0 lock link.up link=1 peer=ben role=peripheral

        """

    @Test func aDistanceAfterTheFaultsHolds() {
        let text =
            wanted + up + faulty + """
                20.0 ben ni.didUpdate ni-session=1 peer=lock distance=3000
                """
        let result = result(of: AliveAgain(), text + end)
        #expect(result.outcome == .held)
        #expect(result.record.exercised == 1)
    }

    @Test func anUpdateWithoutADistanceIsNotEnough() {
        let text =
            wanted + up + faulty + """
                20.0 ben ni.didUpdate ni-session=1 peer=lock distance=null
                """
        #expect(
            complaints(of: AliveAgain(), text + end) == [
                "ben wanted to range with lock, and no distance was measured from 5.000 s, "
                    + "faults.stopped, to 35.000 s: the link is up, but the session did not come about."
            ])
    }

    private static let linkedPhones = """
        0.0 - run.started topology=t
        0.0 ben device.started incarnation=0
        0.0 amy device.started incarnation=0
        1.0 ben link.up link=1 peer=amy role=central
        1.0 amy link.up link=1 peer=ben role=peripheral

        """

    /// Security Manager gives a user 30 s (Core, Vol 3, Part H, 3.4).
    @Test(arguments: [("64.0", 0), ("66.0", 1)])
    func theTimeInWhichTheUserIsAskedToPairDoesNotCount(measured: String, complained: Int) {
        let text =
            wanted + up + faulty + """
                6.0 ben system.pairing peer=lock
                36.0 ben system.paired peer=lock reason=8
                \(measured) ben ni.didUpdate ni-session=1 peer=lock distance=3000
                """
        #expect(complaints(of: AliveAgain(), text + end).count == complained)
    }

    @Test(arguments: [("userDidNotAllow", -5_884, 0), ("sessionFailed", -5_887, 2)])
    func aPhoneWhoseUserDoesNotAllowItIsOutOfReach(error: String, code: Int, complained: Int) {
        let text =
            Self.linkedPhones + """
                2.0 ben ni.run ni-session=1 peer=amy
                2.0 amy ni.run ni-session=1 peer=ben
                2.1 ben ni.didInvalidate ni-session=1 peer=amy error=\(error) code=\(code)
                9.0 amy user.start
                """
        #expect(complaints(of: AliveAgain(), text + end).count == complained)
    }

    @Test func aPhoneWhoseUserStopsItBeforeItsPeerRunsIsOutOfReach() {
        let text =
            Self.linkedPhones + """
                1.5 ben user.stop
                2.0 amy ni.run ni-session=1 peer=ben

                """
        #expect(complaints(of: AliveAgain(), text + end) == [])
        #expect(complaints(of: AliveAgain(), text + "9.0 ben user.start" + end).count == 1)
    }

    @Test func anAccessoryThatAdvertisesNoMoreBreaksIt() {
        let text =
            wanted + up + faulty + """
                5.1 ben link.down link=1 peer=lock reason=19
                5.1 lock link.down link=1 peer=ben reason=19
                5.2 ben air.connecting peer=lock
                """
        let violation = result(of: AliveAgain(), text + end).record.violations.first
        #expect(violation?.device == "lock")
        #expect(violation?.sentence.hasSuffix("lock has no link and does not advertise.") == true)
    }

    @Test func aPhoneThatDoesNotConnectBreaksIt() {
        let text = wanted + faulty
        let violation = result(of: AliveAgain(), text + end).record.violations.first
        #expect(violation?.device == "ben")
        #expect(violation?.sentence.hasSuffix("ben neither scans nor connects.") == true)
    }

    @Test(arguments: [
        "6.0 ben app.gaveUp peer=lock reason=attempts", "6.0 ben app.stop peer=lock",
        "6.0 ben ni.didInvalidate ni-session=1 peer=lock error=userDidNotAllow code=-5884",
        "6.0 ben ni.didRemove ni-session=1 peer=lock reason=peerEnded",
    ])
    func anEndThatIsReportedHolds(line: String) {
        let result = result(of: AliveAgain(), wanted + up + faulty + line + end)
        #expect(result.outcome == .held)
    }

    @Test(arguments: [
        "6.0 lock device.died cause=killed", "6.0 ben device.frozen", "6.0 lock device.frozen",
        "6.0 ben app.background", "6.0 ben app.terminated", "6.0 ben system.bluetooth power=off",
        "6.0 ben ni.sessionWasSuspended ni-session=1 peer=lock",
        "6.0 - fault.partition between=ben and=lock one-way=false",
        // Out of reach: it advertises, ben waits for it, and nothing happens.
        """
        6.0 ben link.down link=1 peer=lock reason=8
        6.0 lock link.down link=1 peer=ben reason=8
        6.1 lock air.advertising on=true
        6.2 ben air.connecting peer=lock
        """,
        // It serves ann on its only link.
        """
        6.0 ben link.down link=1 peer=lock reason=8
        6.0 lock link.down link=1 peer=ben reason=8
        6.1 lock link.up link=2 peer=ann role=peripheral
        """,
        // The phone runs as many sessions as it can.
        "6.0 ben ni.didInvalidate ni-session=1 peer=lock error=activeSessionsLimitExceeded code=-5885",
        // Both radios are on and do not hear one another.
        """
        6.0 lock uwb.starting handle=1 session-id=42 address=1 peer-address=2
        6.1 lock uwb.started handle=1 session-id=42
        6.2 ben uwb.starting handle=1 session-id=42 address=2 peer-address=1
        6.3 ben uwb.started handle=1 session-id=42
        6.5 ben uwb.round handle=1 session-id=42 outcome=missed
        """,
    ])
    func whoCannotRangeIsExcused(lines: String) {
        let result = result(of: AliveAgain(), wanted + up + faulty + lines + end)
        #expect(result.record.violationCount == 0)
        #expect(result.record.excused >= 1)
    }

    @Test func aDistanceThatWasUnderWayIsNoRecovery() {
        let text =
            wanted + up + faulty + """
                5.001 ben ni.didUpdate ni-session=1 peer=lock distance=3000
                5.002 ben link.down link=1 peer=lock reason=19
                5.002 lock link.down link=1 peer=ben reason=19
                5.003 ben ni.invalidate ni-session=1 peer=lock
                """
        #expect(complaints(of: AliveAgain(), text + end).count == 1)
    }

    @Test func aSuspensionThatNobodyEndsProperlyBreaksIt() {
        let text =
            wanted + up + """
                5.0 ben ni.sessionWasSuspended ni-session=1 peer=lock
                8.0 ben ni.sessionSuspensionEnded ni-session=1 peer=lock
                """
        #expect(complaints(of: AliveAgain(), text + end).count == 1)
    }

    /// An app that tells nothing has ranged; then its session fails, or its link is lost.
    private var silent: String {
        up + """
            2.0 ben ni.run ni-session=1 peer=lock configuration=x'01'
            3.0 ben ni.didUpdate ni-session=1 peer=lock distance=2000

            """
    }
    private let failed =
        "5.0 ben ni.didInvalidate ni-session=1 peer=lock error=sessionFailed code=-5887\n"

    @Test func anAppThatGivesUpWithoutAWordBreaksIt() {
        #expect(
            complaints(of: AliveAgain(), silent + failed + end) == [
                "ben wanted to range with lock, and no distance was measured from 5.000 s, "
                    + "ni.didInvalidate, to 35.000 s: the link is up, but the session did not come about."
            ])
    }

    @Test func anAppThatDoesNotSeekALostLinkAgainBreaksIt() {
        let lost = """
            5.0 ben link.down link=1 peer=lock reason=8
            5.0 lock link.down link=1 peer=ben reason=8
            5.1 lock air.advertising on=true
            5.2 ben ni.invalidate ni-session=1 peer=lock
            """
        let violation = result(of: AliveAgain(), silent + lost + end).record.violations.first
        #expect(violation?.sentence.hasSuffix("ben neither scans nor connects.") == true)
    }

    @Test(arguments: [
        // It says so, or a step did.
        "6.0 ben app.gaveUp peer=lock reason=attempts",
        "6.0 ben user.stop", "6.0 ben user.stop peer=lock", "6.0 lock user.stop",
        // CoreBluetooth sees it.
        "6.0 ben link.down link=1 peer=lock reason=22",
        // Another session ranges.
        "6.0 ben ni.didUpdate ni-session=2 peer=lock distance=2000",
    ])
    func anAppThatShowsThatItWantsNoMoreHolds(line: String) {
        let result = result(of: AliveAgain(), silent + failed + line + end)
        #expect(result.outcome == .held)
    }

    @Test func whatItsUserStartsASilentAppHasToRange() {
        #expect(complaints(of: AliveAgain(), up + "5.0 ben user.start" + end).count == 1)
        #expect(complaints(of: AliveAgain(), up + "5.0 ben user.start peer=lock" + end).count == 1)
        let other = result(of: AliveAgain(), up + "5.0 ben user.start peer=tag" + end)
        #expect(other.record.violationCount == 0)
    }

    @Test func aSilentAppThatTriesAgainHasNotGivenUp() {
        let tries = [7, 35, 64].map {
            "\($0).0 ben ni.run ni-session=2 peer=lock configuration=x'01'\n"
        }
        let text = silent + failed
        #expect(result(of: AliveAgain(), text + tries.joined() + end).record.violationCount == 0)
        let violation = result(of: AliveAgain(), text + tries[0] + end).record.violations.first
        #expect(violation?.time.seconds == "37.000 s")
    }

    @Test func anAppThatTellsIsJudgedByItsWords() {
        let told = "1.5 ben app.start peer=lock\n4.0 ben app.stop peer=lock\n"
        let ran = "4.5 ben ni.run ni-session=2 peer=lock configuration=x'01'\n"
        #expect(result(of: AliveAgain(), up + told + ran + failed + end).outcome == .held)
    }

    /// A session that ranged over link 1, which the user has stopped and the phone has let go of.
    private var stopped: String {
        up + """
            2.0 ben ni.run ni-session=1 peer=lock configuration=x'01'
            2.5 ben ni.didUpdate ni-session=1 peer=lock distance=2000
            3.0 ben user.stop

            """
    }
    private let disconnecting = "3.1 ben air.disconnecting link=1 peer=lock reason=19\n"
    private let down = """
        3.3 ben link.down link=1 peer=lock reason=22
        3.3 lock link.down link=1 peer=ben reason=19
        3.3 lock air.advertising on=true

        """

    @Test func whatTheUserStartsIsWantedAlsoWithoutALink() {
        let text = stopped + disconnecting + down + "6.0 ben user.start\n"
        #expect(
            complaints(of: AliveAgain(), text + end) == [
                "ben wanted to range with lock, and no distance was measured from 6.000 s, "
                    + "user.start, to 36.000 s: lock advertises, but ben neither scans nor connects."
            ])
        #expect(complaints(of: AliveAgain(), text + "9.0 ben user.stop\n" + end) == [])
    }

    @Test func theEndOfALinkThatAStopAskedForEndsNoLaterWish() {
        let text = stopped + "3.0 ben user.start\n" + disconnecting + down
        #expect(complaints(of: AliveAgain(), text + end).count == 1)
        // One that the app asked for afterwards does.
        let later = disconnecting.replacing("3.1", with: "5.1") + down.replacing("3.3", with: "5.3")
        #expect(complaints(of: AliveAgain(), stopped + "3.0 ben user.start\n" + later + end) == [])
    }

    @Test(arguments: [("jetsam", 1), ("terminate", 0)])
    func whatTheSystemEndsIsWantedWhenItIsLaunchedAgain(command: String, count: Int) {
        let text =
            up + """
                2.0 ben ni.run ni-session=1 peer=lock configuration=x'01'
                2.5 ben ni.didUpdate ni-session=1 peer=lock distance=2000
                3.0 ben fault.command command=\(command)
                3.0 ben app.terminated
                5.0 ben fault.command command=launch
                5.0 - faults.stopped
                5.1 ben app.launched

                """
        #expect(complaints(of: AliveAgain(), text + end).count == count)
    }

    @Test func bluetoothTakesAPendingConnectionAlong() {
        let waiting = wanted + faulty + "6.0 ben air.connecting peer=lock\n"
        #expect(complaints(of: AliveAgain(), waiting + end) == [])
        let off = """
            8.0 ben system.bluetooth power=off
            9.0 ben system.bluetooth power=on
            """
        #expect(complaints(of: AliveAgain(), waiting + off + end).count == 1)
    }

    @Test func withoutDeclaredWishesARunIsOne() {
        let text = up + "2.0 ben ni.run ni-session=1 peer=lock configuration=x'01'\n"
        #expect(complaints(of: AliveAgain(), text + end).count == 1)
        let ranged = text + "2.5 ben ni.didUpdate ni-session=1 peer=lock distance=2000\n"
        let paused = "3.0 ben ni.pause ni-session=1 peer=lock"
        #expect(result(of: AliveAgain(), ranged + paused + end).outcome == .held)
        // An attempt in vain that is put away leaves the wish.
        #expect(complaints(of: AliveAgain(), text + paused + end).count == 1)
    }

    @Test func aRunThatIsCutIsUndecided() {
        let result = result(of: AliveAgain(), wanted + up + "20.0 - run.ended reason=cut")
        #expect(result.outcome == .inconclusive)
    }
}
