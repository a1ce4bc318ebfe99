import Invariants
import Testing

/// Promises of the library: a trace that keeps each, and traces that break it.
struct LibraryTests {
    struct Picture: CustomTestStringConvertible, Sendable {
        let promise: String
        let kept: String
        let broken: [String]
        var testDescription: String { promise }
    }

    private static let begun = """
        1.0 ben ni.created ni-session=1 peer=lock
        1.1 ben ni.run ni-session=1 peer=lock configuration=x'01'
        1.2 ben ni.didStartRunning ni-session=1 peer=lock

        """
    private static let dead =
        begun + """
            1.3 ben ni.didGenerateShareableConfigurationData ni-session=1 peer=lock shareable=x'0B'
            2.0 ben ni.didInvalidate ni-session=1 peer=lock error=sessionFailed code=-5887

            """
    private static let up = """
        1.0 ben link.up link=1 peer=lock role=central interval=30000000 latency=0 timeout=720000000
        1.0 lock link.up link=1 peer=ben role=peripheral interval=30000000 latency=0

        """
    private static let end = "\n90.0 - run.ended reason=finished"

    private static func sent(_ session: Int, _ bytes: String, _ extra: String = "") -> String {
        "\(session).0 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=\(session) "
            + "length=3 configuration=x'\(bytes)' \(extra)\n"
    }

    private static func on(_ session: Int) -> String {
        """
        1.9 ben uwb.starting session-id=\(session)
        2.0 lock msg.configureAndStart.received link=1 peer=ben session=1 session-id=\(session)
        2.1 lock uwb.starting session-id=\(session)
        2.3 lock msg.accessoryUwbDidStart.sent link=1 peer=ben session=1

        """
    }

    private static let shared = """
        2.0 ben ni.run ni-session=1 peer=lock configuration=x'01'
        2.0 ben ni.didGenerateShareableConfigurationData ni-session=1 peer=lock shareable=x'0A'
        2.01 ben att.sent link=1 peer=lock pdu=write-request message=configureAndStart
        & 2.01 ben msg.configureAndStart.sent link=1 peer=lock session=1 shareable=x'0A'

        """

    private static let radio = "1.0 ben uwb.starting handle=1 session-id=7\n"

    private static let removedAndRun = """
        2.0 ben ni.didRemove ni-session=1 peer=amy peer-token=x'01' reason=peerEnded
        3.0 ben ni.run ni-session=1 peer=amy peer-token=x'01'
        """

    private static let subscribed =
        "1.5 ben gatt.subscribed link=1 peer=lock characteristic=tx on=true\n"
    private static let asked = "2.0 lock msg.initialize.received link=1 peer=ben session=1\n"
    private static let configured =
        "2.0 lock msg.configureAndStart.received link=1 peer=ben session=1 session-id=7\n"
    private static let replaced =
        "2.2 lock msg.accessoryConfigurationData.sent link=1 peer=ben session=2\n"

    private static let ranging = """
        1.0 ben app.received peer=amy message=discoveryToken peer-token=x'01'
        1.1 ben ni.run ni-session=1 peer=amy peer-token=x'01'

        """

    private static let announced = sent(2, "01", "address=7 role=initiator")

    private static func started(_ address: Int) -> String {
        """
        4.0 lock msg.configureAndStart.received link=1 peer=ben session=1 session-id=9 announced-address=7 announced-role=initiator
        5.0 lock uwb.starting session-id=9 address=\(address) role=initiator

        """
    }

    static let pictures = [
        Picture(
            promise: "session-automaton",
            kept: begun + """
                1.25 ben ni.didGenerateShareableConfigurationData ni-session=1 peer=lock shareable=x'01'
                1.5 ben ni.didUpdate ni-session=1 peer=lock distance=3000
                2.0 ben ni.sessionWasSuspended ni-session=1 peer=lock
                3.0 ben ni.sessionSuspensionEnded ni-session=1 peer=lock
                3.1 ben ni.sessionWasSuspended ni-session=1 peer=lock
                3.2 ben ni.sessionSuspensionEnded ni-session=1 peer=lock
                3.5 ben ni.run ni-session=1 peer=lock
                3.6 ben ni.didStartRunning ni-session=1 peer=lock
                5.0 ben ni.didRemove ni-session=1 peer=lock reason=timeout
                5.5 ben ni.run ni-session=1 peer=lock
                5.6 ben ni.didRemove ni-session=1 peer=lock reason=timeout
                6.0 ben app.terminated
                7.0 ben ni.created ni-session=1 peer=lock
                7.1 ben ni.run ni-session=1 peer=lock
                """,
            broken: [
                "2.0 ben ni.sessionSuspensionEnded ni-session=1 peer=lock",
                "2.0 ben ni.didStartRunning ni-session=2 peer=lock",
                """
                2.0 ben ni.sessionWasSuspended ni-session=1 peer=lock
                2.2 ben ni.didUpdate ni-session=1 peer=lock distance=3000
                """,
                """
                2.0 ben ni.didRemove ni-session=1 peer=lock reason=timeout
                2.1 ben ni.didUpdate ni-session=1 peer=lock distance=1
                """,
            ].map { begun + $0 }),
        Picture(
            promise: "one-outcome-per-run",
            kept: begun + "20.0 ben ni.run ni-session=1 peer=lock\n"
                + "21.0 ben ni.sessionWasSuspended ni-session=1 peer=lock" + end,
            broken: [begun + "20.0 ben ni.run ni-session=1 peer=lock" + end]),
        Picture(
            promise: "one-start-per-run",
            kept: begun + "2.0 ben ni.run ni-session=1 peer=lock\n"
                + "2.1 ben ni.didStartRunning ni-session=1 peer=lock",
            broken: [begun + "1.9 ben ni.didStartRunning ni-session=1 peer=lock"]),
        Picture(
            promise: "nothing-after-invalidation",
            kept: dead + """
                2.1 ben ni.created ni-session=2 peer=lock
                2.2 ben ni.run ni-session=2 peer=lock configuration=x'02'
                2.3 ben ni.didUpdate ni-session=2 peer=lock distance=1
                """,
            broken: [
                dead + "2.1 ben ni.didUpdate ni-session=1 peer=lock distance=1",
                dead + "2.1 ben ni.didRemove ni-session=1 peer=lock reason=timeout",
            ]),
        Picture(
            promise: "no-run-after-invalidation", kept: dead,
            broken: [dead + "2.1 ben ni.run ni-session=1 peer=lock"]),
        Picture(
            promise: "fresh-configuration",
            kept: sent(1, "0A0B") + sent(2, "0A0C") + sent(3, "0A0B", "spoilt=true")
                + "4.0 door msg.accessoryConfigurationData.sent link=2 peer=ben session=4 "
                + "configuration=x'0A0B'",
            broken: [sent(1, "0A0B") + sent(2, "0A0C") + sent(3, "0A0B")]),
        Picture(
            promise: "subscribed-first",
            kept: up + """
                1.5 ben gatt.subscribed link=1 peer=lock characteristic=tx on=true
                2.0 ben msg.initialize.sent link=1 peer=lock session=1 length=1
                """,
            broken: [
                "1.5 ben gatt.subscribed link=1 peer=lock characteristic=2A05 on=true\n",
                """
                1.6 ben gatt.subscribed link=1 peer=lock characteristic=tx on=true
                1.7 ben gatt.subscribed link=1 peer=lock characteristic=tx on=false

                """,
            ].map { up + $0 + "2.0 ben msg.initialize.sent link=1 peer=lock session=1 length=1" }),
        Picture(
            promise: "radio-as-reported",
            // A stop may wait behind other work while the radio comes on.
            kept: up + on(7) + """
                2.4 lock msg.stop.received link=1 peer=ben session=1
                2.5 lock uwb.stopped session-id=7
                2.6 lock msg.accessoryUwbDidStop.sent link=1 peer=ben session=1
                3.0 lock msg.configureAndStart.received link=1 peer=ben session=2 session-id=8
                3.1 lock uwb.starting session-id=8
                3.2 lock msg.stop.received link=1 peer=ben session=2
                3.3 lock msg.accessoryUwbDidStart.sent link=1 peer=ben session=2
                3.4 lock uwb.stopped session-id=8
                """,
            broken: [
                up + on(7) + """
                    2.4 lock uwb.stopped session-id=7
                    4.5 ben msg.stop.sent link=1 peer=lock session=1
                    """
            ]),
        Picture(
            promise: "radio-as-announced",
            kept: up + announced + started(7) + end,
            broken: [up + announced + started(8) + end]),
        // What the app wants is sought; not where the app has said that it gives up.
        Picture(
            promise: "link-sought-while-wanted",
            kept: up + """
                2.0 ben app.start peer=lock
                3.0 ben link.down link=1 peer=lock reason=8
                4.0 ben air.connecting peer=lock
                5.0 ben link.up link=2 peer=lock role=central
                6.0 ben app.gaveUp peer=lock reason=tired
                7.0 ben link.down link=2 peer=lock reason=8
                """ + end,
            broken: [
                up + """
                    2.0 ben app.start peer=lock
                    4.0 ben link.down link=1 peer=lock reason=8
                    """ + end
            ]),
        // A host has one request at a time: what the app writes next waits for the answer to the one before.
        Picture(
            promise: "shareable-data-without-delay",
            kept: up + shared + """
                2.02 ben ni.run ni-session=2 peer=lock configuration=x'02'
                2.02 ben ni.didGenerateShareableConfigurationData ni-session=2 peer=lock shareable=x'0B'
                2.06 ben att.received link=1 peer=lock pdu=write-response
                & 2.06 ben att.sent link=1 peer=lock pdu=write-request message=configureAndStart
                & 2.06 ben msg.configureAndStart.sent link=1 peer=lock session=2 shareable=x'0B'
                """ + end,
            broken: [
                up + shared + """
                    2.01 ben att.received link=1 peer=lock pdu=write-response
                    2.02 ben ni.run ni-session=2 peer=lock configuration=x'02'
                    2.02 ben ni.didGenerateShareableConfigurationData ni-session=2 peer=lock shareable=x'0B'
                    2.06 ben msg.configureAndStart.sent link=1 peer=lock session=2 shareable=x'0B'
                    """ + end
            ]),
        // Whoever is launched while the link is up cannot know what was said there.
        Picture(
            promise: "initialize-first",
            kept: up + """
                2.0 ben msg.initialize.sent link=1 peer=lock session=1
                2.1 ben msg.stop.sent link=1 peer=lock session=1
                3.0 ben app.terminated
                3.1 ben link.up link=2 peer=lock role=central
                4.0 ben app.launched
                4.1 ben msg.stop.sent link=2 peer=lock session=1
                """,
            broken: [
                up + """
                    3.0 ben app.terminated
                    4.0 ben app.launched
                    4.1 ben link.up link=2 peer=lock role=central
                    4.2 ben msg.stop.sent link=2 peer=lock session=1
                    """
            ]),
        Picture(
            promise: "direction-as-measured",
            kept: radio + """
                2.0 ben uwb.round handle=1 session-id=7 outcome=measured distance=3000 azimuth=100 elevation=0
                2.1 ben ni.didUpdate ni-session=1 peer=lock distance=3000 azimuth=100 elevation=0
                2.2 ben uwb.round handle=1 session-id=7 outcome=measured distance=3001
                2.3 ben ni.didUpdate ni-session=1 peer=lock distance=3001
                """,
            broken: [
                "distance=3001 azimuth=100 elevation=0", "distance=3000 azimuth=-100 elevation=0",
            ]
            .map {
                radio + """
                    2.0 ben uwb.round handle=1 session-id=7 outcome=measured distance=3000 azimuth=100 elevation=0
                    2.1 ben ni.didUpdate ni-session=1 peer=lock \($0)
                    """
            }),
        // An app may have gone on with another token before it can hear of the end.
        Picture(
            promise: "peer-end-reported",
            kept: """
                1.0 ben uwb.ended handle=1 session-id=7
                1.1 ben ni.didRemove ni-session=1 peer=amy peer-token=x'01' reason=peerEnded
                2.0 ben uwb.ended handle=2 session-id=8
                2.1 ben ni.run ni-session=1 peer=amy peer-token=x'02'
                """ + end,
            broken: ["1.0 ben uwb.ended handle=1 session-id=7" + end]),
        // A fault has told both that the other one has ended its session.
        Picture(
            promise: "token-used-once-fresh",
            kept: ranging + "1.5 amy fault.command command=peer-ended\n" + removedAndRun + end,
            broken: [ranging + removedAndRun + end]),
        // A token that the session runs with already, or that comes where there is no session, asks for nothing.
        Picture(
            promise: "received-token-is-run",
            kept: ranging + """
                2.0 ben app.received peer=amy message=discoveryToken peer-token=x'02'
                2.1 ben ni.run ni-session=1 peer=amy peer-token=x'02'
                3.0 ben app.received peer=amy message=discoveryToken peer-token=x'02'
                4.0 ben ni.invalidate ni-session=1 peer=amy
                5.0 ben app.received peer=amy message=discoveryToken peer-token=x'03'
                """ + end,
            broken: [
                ranging + "2.0 ben app.received peer=amy message=discoveryToken peer-token=x'02'"
                    + end
            ]),
    ]

    @Test(arguments: pictures)
    func aPromiseIsKeptByOneTraceAndBrokenByOthers(picture: Picture) {
        #expect(result(of: picture.promise, picture.kept).outcome == .held)
        for text in picture.broken {
            let result = result(of: picture.promise, text)
            #expect(result.outcome == .violated, "\(text)")
            #expect(result.record.violationCount == 1)
        }
    }

    /// Nobody can tell that it was no configuration data.
    @Test func whatAFaultMadeUnreadableMayHaveBeenConfigurationDataThatNobodyAskedFor() {
        let garbled =
            "1.6 lock msg.malformed.sent link=1 peer=ben problem=x unasked=true spoilt=true\n"
        let outcomes = ["", garbled].map { sent in
            result(
                of: "configuration-data-sent",
                Self.up + Self.subscribed + sent + Self.asked + Self.end
            ).outcome
        }
        #expect(outcomes == [.violated, .vacuous])
    }

    @Test func aViolationIsASentenceWithItsProof() {
        let violation = result(of: "one-start-per-run", Self.pictures[2].broken[0]).record
            .violations[0]
        #expect(violation.device == "ben")
        #expect(violation.key == "device ben, ni-session 1")
        #expect(
            violation.sentence
                == "NISession 1 of ben was said to have started twice for one run.")
        #expect(violation.events.map(\.number) == [3])
    }

    @Test func aSentenceHasWhatTheEventSaysThatBrokeIt() {
        let cut = Self.up + "2.0 lock msg.malformed.sent link=1 peer=ben problem=cut id=1"
        #expect(
            result(of: "uwb-data-fills-its-length", cut).record.violations.map(\.sentence)
                == ["lock's answer to initialize was not whole (cut)."])
        let sentences = ["problem=cut", "address=7"].flatMap { said in
            let text = Self.shared + "3.0 ben msg.configureAndStart.sent link=1 peer=lock \(said)"
            return result(of: "shareable-data-unchanged", text).record.violations.map(\.sentence)
        }
        #expect(
            sentences == [
                "The app on ben sent other shareable data than the system had generated: cut.",
                "The app on ben sent other shareable data than the system had generated.",
            ])
    }

    @Test func whatTheEndOfARunLeavesOpenDependsOnWhyItEnded() {
        let run = "1.0 ben ni.run ni-session=1 peer=lock\n5.0 - run.ended reason="
        #expect(result(of: "one-outcome-per-run", run + "cut").outcome == .inconclusive)
        #expect(result(of: "one-outcome-per-run", run + "quiescent").outcome == .violated)
    }

    @Test func anAnnouncementThatWasSpoiltProvesNothing() {
        let spoilt = Self.sent(3, "02", "address=8 role=initiator spoilt=true")
        let text = Self.up + Self.announced + spoilt + Self.started(8) + Self.end
        #expect(result(of: "radio-as-announced", text).outcome == .vacuous)
    }

    @Test func onlyDataThatWasAskedForBehindAConfigurationReplacesIt() {
        let outcomes = [Self.asked + Self.configured, Self.configured + Self.asked].map {
            result(
                of: "started-for-a-live-session",
                Self.up + $0 + Self.replaced + "2.3 lock uwb.starting session-id=7"
            ).outcome
        }
        #expect(outcomes == [.vacuous, .violated])
    }

    @Test func afterTheScriptNothingIsAsked() {
        let text = "0.9 - script.ended\n1.0 ben ni.run ni-session=1 peer=lock" + Self.end
        #expect(result(of: "one-outcome-per-run", text).outcome == .vacuous)
    }
}
