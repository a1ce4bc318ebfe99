package import Artifacts
package import Choices
import Foundation
package import Reports
import Scenarios
import Schedules
import Simulation
import UV
import YAML

/// Runs one after another in this process, on one loop.
///
/// Device processes serve many runs.
package final class LocalRunner {
    private let settings: RunSettings
    let loop: Loop
    let hosting: any DeviceHosting
    private(set) var current: Run?
    private var prepared: PreparedTopology
    private let builds = ProgramBuilds()
    /// The census of the last topology for which one was needed, and how its plain run failed.
    private var counted: (topology: Topology, census: Census, failure: DeviceFailure?)?
    /// Somebody else who watches every run.
    package var observer: (any RunSink)?
    /// Called now and then while a run goes on, and where one begins: a process that does not is stuck.
    package var onProgress: () -> Void = {} {
        didSet { (hosting as? ProcessHosting)?.onProgress = onProgress }
    }
    /// Whether the time is over for whoever plays many runs.
    package var isTimeUp: () -> Bool = { false }
    /// Whether somebody asked us to stop, or the time is over: no more runs are to be played.
    package var isInterrupted: Bool { Interruption.isHere || isTimeUp() }

    private init(_ settings: RunSettings, _ loop: Loop) throws {
        self.settings = settings
        self.loop = loop
        prepared = PreparedTopology(settings)
        switch settings.hosting {
        case .inline: hosting = InlineHosting(watchdog: settings.processes.watchdog)
        case .process: hosting = try ProcessHosting(loop, settings.processes)
        }
    }

    /// Lends a runner to `body` and puts its processes away afterwards.
    package static func with<Value>(
        _ settings: RunSettings, _ body: (LocalRunner) throws -> Value
    ) throws -> Value {
        let cores = try prepareProcess(settings)
        // Whoever works here afterwards, and the workers it starts, may use them all again.
        defer { try? ThisProcess.run(onCores: cores) }
        do { return try lend(settings, body) } catch let error as UVError {
            throw HarnessError(starting: "the run", error)
        }
    }

    private static func lend<Value>(
        _ settings: RunSettings, _ body: (LocalRunner) throws -> Value
    ) throws -> Value {
        try Loop.with { loop in
            let runner = try LocalRunner(settings, loop)
            let watch = try EndRequestWatch(on: loop) { [unowned runner] in
                try runner.current?.interrupt()
            }
            defer { watch?.close() }
            defer { if let hosting = runner.hosting as? ProcessHosting { hosting.shutDown() } }
            return try body(runner)
        }
    }

    /// Descriptors for 256 devices, none of them inherited by accident; orchestrator and devices on
    /// one core, because a switch between two costs five times as much.
    ///
    /// - Returns: The cores that were allowed before.
    private static func prepareProcess(_ settings: RunSettings) throws -> [Int] {
        _ = try ThisProcess.raiseDescriptorLimit()
        try ThisProcess.closeOnExec()
        let cores = try ThisProcess.allowedCores()
        guard settings.hosting == .process else { return cores }
        let own = Int(ProcessInfo.processInfo.processIdentifier) % max(cores.count, 1)
        if cores.indices.contains(own) { try ThisProcess.run(onCores: [cores[own]]) }
        return cores
    }

    /// Lets the processes of devices go that earlier runs have left: what a process keeps from one run to the
    /// next, and should not, then shows.
    package func releaseDevices() { (hosting as? ProcessHosting)?.releaseDevices() }

    /// Does one run and judges it.
    ///
    /// What goes wrong with it is part of the report, also that it did not repeat `recording`.
    ///
    /// - Parameters:
    ///   - task: The run.
    ///   - recording: What it repeats.
    ///   - trace: The file of the recorded run's trace, which says where this one first differs.
    ///   - folder: Where it leaves its files, if somebody has the folder already.
    ///   - halt: Where it halts on the way; nil goes through.
    /// - Returns: What became of it; where it was left at its halt, so far.
    package func run(
        _ task: RunTask, repeating recording: Replay? = nil, trace: String? = nil,
        into folder: OutputFolder? = nil, halt: Halt? = nil
    ) -> RunReport {
        var task = task
        // What is left has to repeat the run, so it is what is played.
        if settings.files.tree != nil { task.document = task.document.written }
        do {
            return try unlessKilled(isRepeatable: halt == nil) {
                try play(task, repeating: recording, trace: trace, into: folder, halt: halt)
            }
        } catch {
            return report(of: task, failingWith: error)
        }
    }

    private func play(
        _ task: RunTask, repeating recording: Replay?, trace: String?,
        into folder: OutputFolder?, halt: Halt?
    ) throws -> (value: RunReport, run: Run) {
        // A run that does not begin leaves what an earlier one wrote.
        try Interruption.check()
        let topology = try prepared.topology(of: task)
        let clock = ContinuousClock()
        let start = clock.now
        let planned = PlannedRun(
            topology, seed: task.seed, by: recording.map(Picking.init) ?? .ofTheSeed)
        let wall = try wallClock(of: topology, repeating: recording)
        defer { wall?.pacer?.close() }
        let place = try halt.flatMap { try self.place(of: $0, in: planned, on: wall) }
        let fresh = try prepared.newJudge(of: task)
        // From here on there is something to keep.
        EndRequest.beginNoting()
        let recorder = try Recorder(
            task, of: topology, judgedBy: fresh, with: settings, repeating: recording, trace: trace,
            into: folder, isLookedInto: halt != nil, builds: builds)
        let first = try play(planned, watchedBy: watching(recorder), on: wall) {
            $0.keepsSteps = settings.runsTwice
            $0.keepsCheckpoints = settings.files.tree != nil || recording != nil
            $0.pause = place
        } prepare: { run in
            guard let halt else { return }
            run.onPause = { [unowned self] in
                try pause(at: halt, in: topology, recordedBy: recorder)
            }
        }
        recorder.keep(wall?.inputs)
        var report = self.report(of: first, by: recorder)
        if settings.runsTwice, case .ended? = first.outcome {
            // Judged as well, because what waits for a deadline keeps a run going.
            let judge = try judge(task)
            let taped = wall.map {
                WallClockHosting(playing: $0.inputs, of: topology, on: hosting)
            }
            let second = try play(planned, watchedBy: [judge], on: taped) { $0.keepsSteps = true }
            takeBack(judge)
            report.compare(first, second)
        }
        if report.didNotRepeat, let difference = try hostsThatDiffer(planned) {
            report.failure = "\(report.failure ?? "")\n    \(difference)"
        }
        report.wall = UInt64(max(0, (clock.now - start) / .microseconds(1)))
        try recorder.close(&report)
        return (report, first)
    }

    /// How often a run is played at most where SIGKILL ends a device of it.
    private static let tries = 3

    /// What a run has shown, played again where SIGKILL ended a device of it: the system that is short of memory does
    /// so, and whoever else may; a device that kills itself does it each time.
    private func unlessKilled<Value>(
        isRepeatable: Bool = true, _ play: () throws -> (value: Value, run: Run)
    ) rethrows -> Value {
        var played = try play()
        guard isRepeatable, settings.clock == .virtual else { return played.value }
        for _ in 1..<Self.tries {
            guard case .failed(let failure)? = played.run.outcome, failure.isKilled else { break }
            releaseDevices()
            played = try play()
        }
        return played.value
    }

    /// What hosts the devices of a topology that go by the wall clock; nil where there are none.
    private func wallClock(
        of topology: Topology, repeating recording: Replay?
    ) throws -> WallClockHosting? {
        guard !topology.devicesByTheWallClock.isEmpty else { return nil }
        if let recording {
            return WallClockHosting(playing: recording.inputs ?? [], of: topology, on: hosting)
        }
        return WallClockHosting(
            recording: topology, on: hosting, pacedBy: try Pacer(loop, blocks: false))
    }

    /// Where a host first does something else in two more runs of a plan that was not repeated, and what; nil where
    /// there is no host, or they are the same.
    private func hostsThatDiffer(_ planned: PlannedRun) throws -> String? {
        let topology = planned.plan.topology
        guard let hosting = hosting as? ProcessHosting, topology.hasHosts,
            topology.devicesByTheWallClock.isEmpty
        else { return nil }
        hosting.tellsTurns = true
        defer { hosting.tellsTurns = false }
        let runs = [HostTurns(), HostTurns()]
        for turns in runs { _ = try play(planned, watchedBy: [turns]) }
        return runs[0].firstDifference(from: runs[1], of: topology.devices.map(\.name))
    }

    /// A run that is not written down: what became of it, its steps, and the schedule that gives it again.
    ///
    /// Without a seed of its own it draws by that of the task; devices keep the keys of the task's.
    ///
    /// - Throws: `Interruption` where it did not come to its end because of one.
    package func study(
        _ task: RunTask, by picking: Picking = .ofTheSeed, seed: UInt64? = nil
    ) throws -> Study {
        let planned = try planned(task, by: picking, seed: seed)
        return try unlessKilled {
            let judge = try judge(task)
            let events = EventList()
            let run = try play(planned, watchedBy: [judge, events]) {
                $0.keepsSteps = true
                $0.notesSchedule = true
            }
            try Interruption.check(run)
            let study = Study(
                report: report(of: run, by: judge), steps: run.world.steps,
                schedule: run.world.schedule ?? Schedule(), picks: run.world.picks,
                events: events.events, randomFaults: run.world.drawnFaults)
            return (study, run)
        }
    }

    /// A run that is not written down: what became of it, and what of its schedule made no difference.
    ///
    /// Without a seed of its own it draws by that of the task; devices keep the keys of the task's. It is
    /// given up, as if interrupted, where it takes more than so many steps.
    ///
    /// - Throws: `Interruption` where it did not come to its end because of one.
    package func judge(
        _ task: RunTask, by picking: Picking, seed: UInt64? = nil, mostSteps: UInt64 = .max
    ) throws -> (report: RunReport, idle: Schedule) {
        let planned = try planned(task, by: picking, seed: seed)
        return try unlessKilled {
            let judge = try judge(task)
            let run = try play(
                planned, watchedBy: watching(judge), prepare: { $0.mostSteps = mostSteps })
            try Interruption.check(run)
            return ((report(of: run, by: judge), run.world.idleSchedule), run)
        }
    }

    /// A run that is not written down: what became of it, and its order.
    ///
    /// - Throws: `Interruption` where it did not come to its end because of one.
    package func survey(
        _ task: RunTask, by picking: Picking
    ) throws -> (report: RunReport, order: OrderSurvey?) {
        let planned = try planned(task, by: picking)
        return try unlessKilled {
            let judge = try judge(task)
            let run = try play(planned, watchedBy: watching(judge)) { $0.notesOrder = true }
            try Interruption.check(run)
            return ((report(of: run, by: judge), run.world.orderSurvey(of: picking.afters)), run)
        }
    }

    /// A run of a task that may draw by a seed of its own, while devices keep the keys of the task's.
    private func planned(
        _ task: RunTask, by picking: Picking, seed: UInt64? = nil
    ) throws -> PlannedRun {
        let topology = try prepared.topology(of: task)
        try topology.demandVirtualTime()
        return PlannedRun(topology, seed: seed ?? task.seed, by: picking, keySeed: task.seed)
    }

    /// Those who watch a run: a recorder, and whoever else wants to.
    private func watching(_ recorder: Recorder) -> [any RunSink] {
        [recorder] + [observer].compactMap { $0 }
    }

    /// The report of a run that is over; its judge may judge the next one.
    private func report(of run: Run, by recorder: Recorder) -> RunReport {
        defer { takeBack(recorder) }
        return recorder.report(run)
    }

    private func takeBack(_ recorder: Recorder) {
        prepared.takeBack(recorder.judge)
    }

    /// Who judges a run that is not written down.
    private func judge(_ task: RunTask) throws -> Recorder {
        var unwritten = settings
        unwritten.files.tree = nil
        return try Recorder(
            task, of: prepared.topology(of: task), judgedBy: prepared.newJudge(of: task),
            with: unwritten, repeating: nil)
    }

    /// Plays one world to its end.
    private func play(
        _ planned: PlannedRun, watchedBy sinks: [any RunSink], on wall: WallClockHosting? = nil,
        _ change: (inout World.Options) -> Void = { _ in }, prepare: (Run) -> Void = { _ in }
    ) throws -> Run {
        let world = try world(planned) { options in
            options.captures = !sinks.isEmpty && settings.files.tree != nil
            change(&options)
        }
        let pacer =
            settings.clock == .wall && wall?.pacer == nil
            ? try Pacer(loop, blocks: settings.hosting == .inline) : nil
        defer { pacer?.close() }
        return try play(
            world, of: planned.plan.topology, watchedBy: sinks, on: wall,
            pacedBy: wall?.pacer ?? pacer, prepare: prepare)
    }

    /// The core of a run that has not begun, which keeps no packets unless `change` says so.
    func world(
        _ planned: PlannedRun, _ change: (inout World.Options) -> Void = { _ in }
    ) throws -> World {
        var options = World.Options()
        options.tracesTurns = settings.tracesTurns
        options.captures = false
        change(&options)
        return World(
            plan: planned.plan, scheduler: try scheduler(of: planned),
            decisions: planned.decisions, options: options)
    }

    private func scheduler(of planned: PlannedRun) throws -> any Scheduler {
        switch planned.picking {
        case .schedule(let schedule): return ScheduledOrder(schedule.afters)
        case .improvised(_, let picks): return Improvisation(following: picks)
        case .ofTheSeed, .portfolio, .recorded: break
        }
        var strategy = settings.scheduler
        if case .portfolio = planned.picking { strategy = .portfolio }
        let (topology, seed) = (planned.plan.topology, planned.plan.seed)
        let scheduler = strategy.arm(of: seed)
        let census = scheduler.needsCensus ? try census(of: topology) : .unknown
        return scheduler.scheduler(seed: seed, census: census)
    }

    /// How many events a plain run of a topology has; of the last topology it is known.
    ///
    /// Where a device fails in that run, what there was until then is counted: no grant is sent ahead, so
    /// that this is the same each time.
    private func census(of topology: Topology) throws -> Census {
        if let counted, counted.topology == topology { return counted.census }
        try topology.demandVirtualTime()
        var options = World.Options()
        options.captures = false
        options.countsEvents = true
        let plan = Plan(topology: topology, seed: 0)
        let run = try unlessKilled {
            let world = World(
                plan: plan, scheduler: ScheduledOrder([]),
                decisions: Decisions(seed: 0, isComplete: true), options: options)
            let run = try play(world, of: topology, watchedBy: [])
            return (run, run)
        }
        if run.outcome == .interrupted { throw Interruption() }
        let census = Census(steps: run.world.state.step, counts: run.world.eventCounts)
        var failure: DeviceFailure?
        if case .failed(let reason)? = run.outcome { failure = reason }
        counted = (topology, census, failure)
        return census
    }

    /// Whether a device failed in the plain run in which the events of a task's topology were counted.
    package func failsPlainly(_ task: RunTask) throws -> Bool {
        guard let counted, try counted.topology == prepared.topology(of: task) else { return false }
        return counted.failure != nil
    }

    /// Plays one world to its end, or until it is left.
    func play(
        _ world: consuming World, of topology: Topology, watchedBy sinks: [any RunSink],
        on wall: WallClockHosting? = nil, pacedBy pacer: Pacer? = nil,
        prepare: (Run) -> Void = { _ in }
    ) throws -> Run {
        EndRequest.beginNoting()
        try Interruption.check()
        let devices = PairingHosting.around(wall ?? hosting, for: topology)
        let run = Run(world, on: devices, sinks: sinks, pacer: pacer) { [loop] in
            // A run that is over before it has begun would end the next one.
            if loop.isRunning { loop.stop() }
        }
        onProgress()
        run.onPulse = { [unowned self] in
            HangWatch.beat()
            onProgress()
            // By the wall clock somebody may be looking, and much may happen before the next event.
            if settings.clock == .wall { for sink in sinks { try sink.flush() } }
            // An inline run never gives the loop back.
            if settings.hosting == .inline, Interruption.isHere { try current?.interrupt() }
        }
        prepare(run)
        current = run
        defer { current = nil }
        do {
            try run.begin(topology)
            if run.outcome == nil { try loop.run() }
        } catch {
            try? hosting.finish()
            throw error
        }
        try hosting.finish()
        guard run.outcome != nil else {
            throw HarnessError("the loop ended before the run did")
        }
        return run
    }

    private func report(of task: RunTask, failingWith error: any Error) -> RunReport {
        var report = RunReport(
            topology: task.name, seed: task.seed,
            scheduler: settings.schedulerName(seed: task.seed),
            status: error is DocumentError ? .wrongFile : .harnessError, ended: "not run",
            digest: "", steps: 0, simulated: 0)
        report.sweptFault = task.sweptFault
        if error is WrongName || error is GoesByTheWallClock {
            report.fail(.wrongUse, because: "\(error)")
        }
        report.failure = sentence(for: error)
        if error is ArtifactError { report.unwritten = report.failure }
        if error is Interruption {
            report.fail(.interrupted, because: "interrupted before it began")
        }
        return report
    }
}
