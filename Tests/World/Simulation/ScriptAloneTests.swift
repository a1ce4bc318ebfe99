import Airs
import Basics
import Choices
import DeviceLink
import Scenarios
import Testing
import Traces

@testable import Simulation
@testable import Topologies

/// The script without a world: what it asks for, and when.
@Suite struct ScriptAloneTests {
    private typealias Effect = Script.Effect

    /// A phone (0) and a lock (1) to whom things are done.
    private struct Play {
        let topology: Topology
        var script: Script
        var devices: [DeviceState]
        /// What was planned when it began.
        let planned: [Effect]

        init(_ steps: String) throws {
            let text = """
                length: 20s
                devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}

                """
            topology = try Topology(parsing: Array((text + steps).utf8), name: "t", file: "t")
            script = Script(topology)
            devices = topology.devices.map(DeviceState.init)
            for device in devices.indices { devices[device].start() }
            var decisions = Decisions(seed: 1, isComplete: true)
            planned = script.begin(drawing: &decisions)
        }

        mutating func happens(_ event: Script.Event, at now: UInt64) -> [Effect] {
            script.handle(
                event, in: Surroundings(at: now, devices: devices, ways: Ways(topology)))
        }
    }

    @Test func aStepWithATimeIsPlannedForIt() throws {
        let play = try Play("steps: [{at: 3s, kill: lock}]")
        #expect(play.planned == [.schedule(.step(0), channel: "step 1", at: .seconds(3))])
    }

    @Test func aStepWithATriggerIsPlannedBehindItsEvent() throws {
        var play = try Play("steps: [{when: link.up, after: 200ms, kill: lock}]")
        #expect(play.planned.isEmpty && play.script.hasTriggers)
        func event(_ kind: EventKind) -> TraceEvent {
            TraceEvent(
                number: 0, time: VirtualTime(nanoseconds: .seconds(5)), step: 0, kind: kind,
                device: "ben", role: .appleDevice, fields: [])
        }
        #expect(play.script.handle(event(.linkDown)).isEmpty)
        #expect(
            play.script.handle(event(.linkUp)) == [
                .schedule(.step(0), channel: "step 1", at: .milliseconds(5_200))
            ])
    }

    @Test func aFaultIsTracedDoneAndEndedInThisSequence() throws {
        var play = try Play("steps: [{at: 1s, partition: [ben, lock], for: 2s}]")
        let began = play.happens(.step(0), at: .seconds(1))
        #expect(began.map(Self.word) == ["trace", "trace", "change", "schedule", "faults over?"])
        #expect(!play.script.areFaultsOver)
        let ended = play.happens(.end(of: 0), at: .seconds(3))
        #expect(ended.map(Self.word) == ["trace", "change", "faults over?"])
        #expect(play.script.areFaultsOver)
    }

    @Test func twoFaultsOfOneSortHoldUntilBothAreOver() throws {
        var play = try Play(
            """
            steps:
              - {at: 1s, delay: [ben, lock], by: 300ms, for: 4s}
              - {at: 2s, delay: [ben, lock], by: 100ms, for: 5s}
            """)
        _ = play.happens(.step(0), at: .seconds(1))
        _ = play.happens(.step(1), at: .seconds(2))
        func delay(_ effects: [Effect]) -> UInt64? {
            for case .change(_, _, let there, _) in effects { return there.extraDelay }
            return nil
        }
        #expect(delay(play.happens(.end(of: 0), at: .seconds(5))) == .milliseconds(100))
        #expect(delay(play.happens(.end(of: 1), at: .seconds(7))) == 0)
    }

    @Test func whatIsDoneToADeadDeviceHitsNothing() throws {
        var play = try Play("steps: [{at: 1s, kill: lock}, {at: 2s, kill: lock}]")
        _ = play.happens(.step(0), at: .seconds(1))
        play.devices[1].isAlive = false
        _ = play.happens(.step(1), at: .seconds(2))
        #expect(play.script.stepNotes.map(\.hits) == [1, 0])
    }

    private static func word(_ effect: Effect) -> String {
        switch effect {
        case .trace: "trace"
        case .change: "change"
        case .schedule: "schedule"
        case .faultsMayBeOver: "faults over?"
        default: "\(effect)"
        }
    }
}
