import DeviceLink
import Orchestration
import Reports
import RunSupport
import Scenarios
import Simulation
import Testing
import Traces

/// Faults that apps meet in a room: rounds that miss alone, an obstacle, a main thread that is busy.
@Suite struct FieldFaultTests {
    /// A run of a phone and an accessory 2 m away, which range from the first second on.
    private static func study(_ rest: String) throws -> Study {
        let text = """
            length: 20s
            devices:
              ben: {model: iPhone 11, permission: allowed, at: [0m, 0m]}
              lock: {profile: qorvo, at: [0m, 2m]}
            \(rest)
            """
        let study = try LocalRunner.inline { runner in
            try runner.study(RunTask(name: "field", file: "field", text: text, seed: 1))
        }
        #expect(study.report.status == .held, "\(study.report.summary)")
        return study
    }

    /// The events of a family and when they happened, in milliseconds.
    private static func picture(_ family: String, of study: Study) -> [String] {
        study.events.filter { $0.name.hasPrefix(family + ".") }
            .map { "\($0.time.nanoseconds / 1_000_000) \($0.name)" }
    }

    private static func events(
        _ kind: EventKind, in study: Study, on device: String, from start: UInt64, to end: UInt64
    ) -> [TraceEvent] {
        study.events.filter {
            $0.kind == kind && $0.device == device
                && (start * 1_000...end * 1_000).contains($0.time.nanoseconds / 1_000_000)
        }
    }

    @Test func anObstacleCostsRoundsDistanceAndDirectionAtTwoMetres() throws {
        let study = try Self.study(
            "steps: [{at: 5s, obstruct: [ben, lock]}, {at: 15s, clear: [ben, lock]}]")
        #expect(Self.picture("fault", of: study) == ["5000 fault.obstruct", "15000 fault.clear"])
        #expect(Self.picture("faults", of: study) == ["15000 faults.stopped"])
        for (start, end, isObstructed) in [(2, 5, false), (6, 15, true), (16, 20, false)]
            as [(UInt64, UInt64, Bool)]
        {
            let rounds = Self.events(.uwbRound, in: study, on: "ben", from: start, to: end)
            let missed = rounds.count { $0.text("outcome") == "missed" }
            let distances = rounds.compactMap { $0.number("distance") }
            let updates = Self.events(.niDidUpdate, in: study, on: "ben", from: start, to: end)
            let directions = updates.count { $0["azimuth"] != Field.Value.none }
            if isObstructed {
                #expect((rounds.count / 8...rounds.count / 2).contains(missed))
                #expect(distances.allSatisfy { (2_000...2_600).contains($0) })
                #expect(distances.contains { $0 > 2_300 })
                #expect(directions == 0)
            } else {
                #expect(missed == 0 && directions > 10)
                #expect(distances.allSatisfy { (1_900...2_100).contains($0) })
            }
        }
    }

    /// 6 dB are half the reach, of both radios.
    @Test func anObstacleHalvesTheReach() throws {
        let study = try Self.study(
            """
            steps:
              - {at: 5s, move: ben, to: [0m, -28m], over: 1s}
              - {at: 10s, obstruct: [ben, lock], for: 5s}
            """)
        let picture = Self.picture("link", of: study)
        #expect(picture.count { $0.hasSuffix("link.down") } == 2)
        let outcomes = Self.events(.uwbRound, in: study, on: "lock", from: 10, to: 11)
            .dropFirst().compactMap { $0.text("outcome") }
        #expect(Set(outcomes) == ["missed"])
    }

    @Test func roundsMissAloneWhileBluetoothIsFine() throws {
        let study = try Self.study(
            "steps: [{at: 5s, uwb-loss: [ben, lock], ratio: 1/1, for: 3s}]")
        #expect(
            Self.picture("fault", of: study).map { $0.prefix(19) } == [
                "5000 fault.uwb-loss", "8000 fault.uwb-loss",
            ])
        let lost = Self.events(.uwbRound, in: study, on: "ben", from: 6, to: 7)
        #expect(!lost.isEmpty && lost.allSatisfy { $0.text("outcome") == "missed" })
        #expect(Self.picture("link", of: study).count { $0.contains("link.down") } == 0)
    }

    @Test func aBusyMainThreadHearsLateAndTheRadioGoesOn() throws {
        let study = try Self.study("steps: [{at: 5s, block-main: ben, for: 2s}]")
        #expect(Self.picture("fault", of: study) == ["5000 fault.command", "7000 fault.command"])
        let rounds = Self.events(.uwbRound, in: study, on: "ben", from: 5, to: 7)
        #expect(rounds.count { $0.text("outcome") == "measured" } >= 9)
        let updates = Self.events(.niDidUpdate, in: study, on: "ben", from: 5, to: 8).map {
            $0.time.nanoseconds / 1_000_000
        }
        // Nothing while it is busy; then all at once what has waited.
        #expect(!updates.contains { (5_010..<7_000).contains($0) })
        #expect(updates.count { (7_000...7_010).contains($0) } >= 9)
    }
}
