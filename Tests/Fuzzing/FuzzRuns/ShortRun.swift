import Artifacts
import Choices
import DeviceLink
import FuzzBytes
import Orchestration
import Scenarios
import Schedules
import Simulation

/// A run that is given up after so many steps.
struct ShortRun {
    var topology: Topology
    var seed: UInt64 = 0
    var scheduler: any Scheduler = Strategy.fifo.scheduler(seed: 0, census: .unknown)
    var decisions: [RecordedDecision] = []
    var isComplete = false
    var mostSteps: UInt64 = 300

    init(_ topology: Topology) { self.topology = topology }

    /// The run that a replay file asks for.
    init(_ topology: Topology, repeating replay: Replay) {
        self.init(topology)
        seed = replay.seed
        if case .schedule(let schedule) = Picking(replay) {
            scheduler = ScheduledOrder(schedule.afters)
            isComplete = true
        } else {
            let strategy = (Strategy(replay.scheduler) ?? .fifo).arm(of: seed)
            scheduler = strategy.scheduler(seed: seed, census: .unknown)
        }
        decisions = replay.decisions.map {
            RecordedDecision(identity: $0.identity, value: $0.value)
        }
    }
}

/// Plays a run inline, to its end or until it is given up.
func play(
    _ short: ShortRun, on hosting: any DeviceHosting, watching sinks: [any RunSink]
) -> Run {
    var options = World.Options()
    options.keepsCheckpoints = true
    let world = World(
        plan: Plan(topology: short.topology, seed: short.seed), scheduler: short.scheduler,
        decisions: Decisions(
            seed: short.seed, replaying: short.decisions, isComplete: short.isComplete),
        options: options)
    let run = Run(world, on: hosting, sinks: sinks)
    run.mostSteps = short.mostSteps
    do {
        try run.begin(short.topology)
        try hosting.finish()
    } catch {
        fatalError("an error of ours: \(error)")
    }
    demand(run.outcome != nil, "a run that stands still")
    return run
}
