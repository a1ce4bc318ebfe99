import Choices
import DeviceLink
import Scenarios
import Simulation
import Testing
import Traces

@testable import Schedules

/// Places in a run: where it pauses, what it is like there, and that it goes on as if it had not.
@Suite struct PlaceTests {
    private static let topology = Topology(
        length: .milliseconds(30),
        devices: [
            DeviceSpec(name: "lock", program: .accessory(profile: "qorvo")),
            DeviceSpec(
                name: "tag", program: .accessory(profile: "qorvo"), start: .milliseconds(12)),
        ])

    /// Sets its timer again and again, 4 ms ahead and up to 2 ms late, and tells.
    private static func ticker(_ event: DeviceEvent) -> [Answer] {
        switch event {
        case .boot: [.setTimer(name: "tick", after: .milliseconds(4), slack: .milliseconds(2))]
        case .timer:
            [
                .observe(kind: "app.received", fields: []),
                .setTimer(name: "tick", after: .milliseconds(4), slack: .milliseconds(2)),
            ]
        default: []
        }
    }

    private func stage(_ scheduler: any Scheduler, pause: World.Place? = nil) -> Stage {
        Stage(
            Self.topology, scheduler: scheduler, pause: pause,
            ["lock": Self.ticker, "tag": Self.ticker])
    }

    @Test(
        arguments: [FirstInFirstOut(), RandomWalk()] as [any Scheduler],
        [.moment(VirtualTime(nanoseconds: 13_000_000)), .step(9), .turn(device: 1)]
            as [World.Place])
    func aRunGoesOnAfterAPauseAsIfThereHadBeenNone(
        scheduler: any Scheduler, place: World.Place
    ) {
        var whole = stage(scheduler)
        let trace = whole.play()
        var paused = stage(scheduler, pause: place)
        let beginning = paused.play()
        #expect(paused.world.ended == nil)
        #expect(Array(trace.prefix(beginning.count)) == beginning)
        if case .moment(let moment) = place {
            #expect(beginning.allSatisfy { $0.time < moment })
            #expect(trace[beginning.count].time >= moment)
        }
        #expect(paused.play(from: .resumed(next: nil)) == trace)
        #expect(paused.world.digest == whole.world.digest)
    }

    @Test func aPlaceThatNeverComesIsNoPause() {
        for place in [World.Place.moment(.never), .step(10_000), .turn(device: 7)] {
            var stage = stage(FirstInFirstOut(), pause: place)
            #expect(
                stage.play()
                    == {
                        var whole = self.stage(FirstInFirstOut()); return whole.play()
                    }())
        }
    }

    @Test func whatARunIsLikeIsToldInTheOrderInWhichItGoesOn() {
        var stage = stage(
            FirstInFirstOut(), pause: .moment(VirtualTime(nanoseconds: 10_000_000)))
        _ = stage.play()
        let snapshot = stage.world.snapshot
        #expect(
            snapshot.devices.map { "\($0.name) \($0.kind) \($0.state)" } == [
                "lock qorvo alive", "tag qorvo off",
            ])
        #expect(
            snapshot.pending.map {
                "\($0.earliest / 1_000_000)..\($0.latest / 1_000_000) \($0.state) \($0.event): "
                    + $0.what
            } == [
                "12..12 next power tag #0: tag is switched on",
                "12..14 next timer lock/0 tick #2: lock: timer tick",
                "30..30 later end of the run #0: the run ends, unless a promise waits for its deadline",
            ])
        #expect(snapshot.nextEvent == UInt64(stage.trace.count))
    }

    @Test func checkpointsSayBetweenWhichStepsTwoRunsDiffer() {
        var checkpoints: [Checkpoints] = []
        for message in ["a", "b"] {
            var ticks = 0
            var stage = Stage(
                Topology(length: .seconds(1), devices: Array(Self.topology.devices.prefix(1))),
                [
                    "lock": { event in
                        ticks += 1
                        let word = ticks == 100 ? message : "a"
                        return [
                            .observe(
                                kind: "app.received", fields: [Field("message", .text(word))]),
                            .setTimer(name: "tick", after: .milliseconds(5), slack: 0),
                        ]
                    }
                ])
            _ = stage.play()
            checkpoints.append(stage.world.checkpoints)
        }
        #expect(checkpoints[0].spacing == 4)
        #expect(
            checkpoints[1].firstDifference(from: checkpoints[0])
                == "in one of the steps 101 to 104")
    }
}
