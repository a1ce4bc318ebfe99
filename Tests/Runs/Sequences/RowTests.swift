import DeviceLink
import Testing
import Traces

@testable import Sequences

/// What is drawn, whatever it looks like.
struct RowTests {
    private static let sent = "msg.stop.sent on ben with peer = lock and link = 1 and session = 1"
    private static let received =
        "msg.stop.received on lock with peer = ben and link = 1 and session = 1"

    /// The rows of a trace in short.
    private func told(
        _ text: String, _ findings: SequenceFindings = SequenceFindings(),
        _ selection: SequenceSelection = SequenceSelection()
    ) throws -> [String] {
        try rows(text, findings, selection).map(\.told)
    }

    @Test func aMessageIsOneArrowWhereNothingComesBetween() throws {
        let rows = try rows("0.1 \(Self.sent)\n0.2 app.background on ben\n0.3 \(Self.received)")
        #expect(rows.map(\.told) == ["ben -stop-> lock", "ben: app.background"])
        guard case .arrow(let arrow) = rows[0].body else { return #expect(Bool(false)) }
        #expect(arrow.arrives == VirtualTime(nanoseconds: 300_000_000))
    }

    @Test func whatHappensWhereItArrivesSplitsIt() throws {
        let text = "0.1 \(Self.sent)\n0.2 uwb.stopped on lock\n0.3 \(Self.received)"
        #expect(try told(text) == ["ben -stop-| lock", "lock: uwb.stopped", "ben |-stop-> lock"])
    }

    @Test func messagesThatCrossAreSplit() throws {
        let text = """
            0.1 \(Self.sent)
            0.2 msg.accessoryUwbDidStop.sent on lock with peer = ben and link = 1
            0.3 \(Self.received)
            0.4 msg.accessoryUwbDidStop.received on ben with peer = lock and link = 1
            """
        #expect(
            try told(text)
                == [
                    "ben -stop-| lock", "lock -accessoryUwbDidStop (no session)-> ben",
                    "ben |-stop-> lock",
                ].map { $0.replacing(" (no session)", with: "") })
    }

    @Test func aMessageThatALostLinkTakesAlongIsLost() throws {
        let text =
            "0.1 \(Self.sent)\n0.2 link.down on lock with peer = ben and link = 1 and reason = 8"
        #expect(
            try told(text) == [
                "ben -stop-| lock", "lock: link.down (link 1, connection timeout)",
                "lock: stop from ben is lost",
            ])
    }

    @Test func bothEndsOfALinkAreOneArrow() throws {
        let text = """
            0.1 link.up on lock with peer = ben and link = 1
            0.2 link.up on ben with peer = lock and link = 1
            """
        #expect(try told(text) == ["lock <-link.up (link 1)-> ben"])
    }

    @Test func whatComesAgainAndAgainIsCounted() throws {
        let update = "ni.didUpdate on ben with ni-session = 1 and distance = 2m"
        let text =
            "1 \(update)\n1.2 \(update)\n1.4 \(update)\n1.5 uwb.stopped on ben\n1.6 \(update)"
        #expect(
            try told(text) == [
                "ben: 3 ni.didUpdate (session 1, 2m)", "ben: uwb.stopped",
                "ben: ni.didUpdate (session 1, 2m)",
            ])
    }

    @Test func aRadioThatRangesWithSomebodyIsSeenInTheDistances() throws {
        let text = """
            1 uwb.round on lock with outcome = measured and distance = 2m
            1.2 uwb.round on lock with outcome = missed and distance = none
            """
        #expect(try told(text) == ["lock: uwb.round (missed)"])
    }

    @Test func aFaultIsTheStepThatDoesIt() throws {
        let text = """
            1 script.step with step = "kill: lock"
            & 1 fault.kill on lock
            2 fault.loss with between = ben and and = lock and ended = true
            """
        #expect(try told(text) == ["= kill: lock", "gap", "= fault.loss (ended, ben, lock)"])
    }

    @Test func aBrokenPromiseStandsWhereItWasDue() throws {
        let findings = SequenceFindings(
            violations: [
                .init(
                    promise: "quiet", clause: "", device: "lock",
                    time: VirtualTime(nanoseconds: 300_000_000), sentence: "", events: [0])
            ], ending: ["expected: more"])
        let text = "0.1 uwb.starting on lock\n0.2 app.background on ben\n0.4 app.foreground on ben"
        #expect(
            try told(text, findings) == [
                "lock: uwb.starting ^see quiet", "ben: app.background", "broken: quiet",
                "ben: app.foreground", "failed: expected: more",
            ])
    }

    @Test func aDevicesOwnKindIsDrawnWithAllItSays() throws {
        #expect(
            try told("1 mine.said on lock with what = hello") == ["lock: mine.said (what = hello)"])
    }

    @Test func onlyTheseDevices() throws {
        var selection = SequenceSelection()
        selection.devices = ["lock"]
        let text = "0.1 \(Self.sent)\n0.2 app.background on ben\n0.3 \(Self.received)"
        #expect(try told(text, SequenceFindings(), selection) == ["lock: stop from ben"])
    }

    @Test func onlyTheseEvents() throws {
        var selection = SequenceSelection()
        selection.patterns = [try EventPattern(parsing: "att.sent on ben")]
        let text =
            "0.1 att.sent on ben with peer = lock and pdu = notification\n0.2 uwb.stopped on ben"
        #expect(try told(text, SequenceFindings(), selection) == ["ben -notification-| lock"])
        selection.from = VirtualTime(nanoseconds: 1_000_000_000)
        #expect(try told(text, SequenceFindings(), selection) == [])
    }

    @Test func noMoreIsKeptThanWhatIsUnderWay() throws {
        let update = "ni.didUpdate on ben with ni-session = 1 and distance = 2m"
        let others = (1...600).map { "0.\(1000 + $0) app.background on amy" }
        var maker = SequenceMaker(SequenceFindings(), participants: 2)
        let left = try trace("0.1 \(update)\n" + others.joined(separator: "\n")).flatMap {
            maker.take($0)
        }
        #expect(left.count > 500)
    }

    @Test func phonesStandBeforeAccessoriesByName() {
        var participants = Participants()
        for name in ["tag-10", "ben", "tag-2", "amy"] {
            participants.take(
                TraceEvent(
                    kind: .deviceStarted, device: name,
                    role: name.hasPrefix("tag") ? .accessory : .appleDevice))
        }
        #expect(participants.all.map(\.name) == ["amy", "ben", "tag-2", "tag-10"])
    }
}

extension SequenceRow {
    /// The row in short.
    fileprivate var told: String {
        let marks = marks.map { " ^\($0.words)" }.joined()
        switch body {
        case .arrow(let arrow):
            let (near, far) = (
                arrow.part == .arrival ? "|-" : "-", arrow.part == .departure ? "-|" : "->"
            )
            return
                "\(arrow.from) \(arrow.isMutual ? "<" : "")\(near)\(arrow.label)\(far) \(arrow.to)\(marks)"
        case .note(let device, let label): return "\(device): \(label)\(marks)"
        case .log(let device, let text): return "\(device) logs \(text)"
        case .fold(let fold): return "\(fold.device): \(fold.count) \(fold.label)"
        case .across(let label): return "= \(label)\(marks)"
        case .gap: return "gap"
        case .violation(let violation, _): return "broken: \(violation.promise)"
        case .end(let label): return "end: \(label)"
        case .failure(let label): return "failed: \(label)"
        }
    }
}
