internal import Foundation
internal import Invariants
package import Reports
internal import Simulation
internal import Topologies
internal import Traces
internal import UV

/// Runs one after another in this process, on one loop.
///
/// Device processes serve many runs.
package final class LocalRunner {
    private let settings: RunSettings
    private let loop: Loop
    private let hosting: any DeviceHosting
    private var current: Run?
    /// Somebody else who watches every run.
    package var observer: (any RunSink)?
    /// Whether somebody asked us to stop.
    package private(set) var isInterrupted = false

    private init(_ settings: RunSettings, _ loop: Loop) throws {
        self.settings = settings
        self.loop = loop
        switch settings.hosting {
        case .inline: hosting = InlineHosting()
        case .process: hosting = try ProcessHosting(loop, ProcessHosting.Options(settings))
        }
    }

    /// Lends a runner to `body` and puts its processes away afterwards.
    package static func with<Value>(
        _ settings: RunSettings, _ body: (LocalRunner) throws -> Value
    ) throws -> Value {
        try prepareProcess(settings)
        return try Loop.with { loop in
            let runner = try LocalRunner(settings, loop)
            for number in SignalNumber.farewells {
                let signal = try Signal(loop, number) { [unowned runner] in try runner.interrupt() }
                // An inline run only looks at the loop now and then, which it does for live ones.
                signal.keepsLoopAlive = settings.hosting == .inline
            }
            defer { if let hosting = runner.hosting as? ProcessHosting { hosting.shutDown() } }
            return try body(runner)
        }
    }

    /// Descriptors for 256 devices, none of them inherited by accident; orchestrator and devices on
    /// one core, because a switch between two costs five times as much.
    private static func prepareProcess(_ settings: RunSettings) throws {
        _ = try ThisProcess.raiseDescriptorLimit()
        try ThisProcess.closeOnExec()
        guard settings.hosting == .process else { return }
        let cores = try ThisProcess.allowedCores()
        let own = Int(ProcessInfo.processInfo.processIdentifier) % max(cores.count, 1)
        if cores.indices.contains(own) { try ThisProcess.run(onCores: [cores[own]]) }
    }

    private func interrupt() throws {
        isInterrupted = true
        try current?.interrupt()
    }

    /// Does one run and judges it.
    ///
    /// What goes wrong with it is part of the report, also that it did not repeat `recording`.
    package func run(_ task: RunTask, repeating recording: Replay? = nil) -> RunReport {
        do {
            return try play(task, recording)
        } catch {
            return failed(task, error)
        }
    }

    private func play(_ task: RunTask, _ recording: Replay?) throws -> RunReport {
        let topology = try task.topology(with: settings.defects)
        let clock = ContinuousClock()
        let start = clock.now
        let decisions = recording?.decisions.map(RecordedDecision.init) ?? []
        let recorder = try Recorder(topology, task, settings, repeating: recording)
        let first = try play(
            topology, task.seed, decisions, [recorder] + [observer].compactMap { $0 })
        var report = recorder.report(first)
        if settings.runsTwice, case .ended? = first.outcome {
            // Judged as well, because what waits for a deadline keeps a run going.
            var unwritten = settings
            unwritten.output = nil
            let judge = try Recorder(topology, task, unwritten, repeating: nil)
            let second = try play(topology, task.seed, decisions, [judge])
            report.compare(first, second)
        }
        report.wall = UInt64(max(0, (clock.now - start) / .microseconds(1)))
        try recorder.close(report)
        return report
    }

    /// Plays one world to its end.
    private func play(
        _ topology: Topology, _ seed: UInt64, _ decisions: [RecordedDecision],
        _ sinks: [any RunSink]
    ) throws -> Run {
        var options = World.Options()
        options.tracesTurns = settings.tracesTurns
        options.captures = !sinks.isEmpty && settings.output != nil
        options.keepsSteps = settings.runsTwice
        let world = World(
            plan: Plan(topology: topology, seed: seed), scheduler: settings.makeScheduler(),
            decisions: Decisions(seed: seed, replaying: decisions), options: options)
        let pacer =
            settings.clock == .wall
            ? try Pacer(loop, blocks: settings.hosting == .inline) : nil
        defer { pacer?.close() }
        let run = Run(world, on: hosting, sinks: sinks, pacer: pacer) { [loop] in loop.stop() }
        if settings.hosting == .inline || settings.clock == .wall {
            run.onPulse = { [loop, settings] in
                // By the wall clock somebody may be looking, and much may happen before the next event.
                if settings.clock == .wall { for sink in sinks { try sink.flush() } }
                if settings.hosting == .inline { try loop.poll() }
            }
        }
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
            throw HarnessError(description: "the loop ended before the run did")
        }
        return run
    }

    private func failed(_ task: RunTask, _ error: any Error) -> RunReport {
        var report = RunReport(
            topology: task.name, seed: task.seed, scheduler: settings.scheduler.rawValue,
            status: error is TopologyError ? .wrongFile : .harnessError, ended: "not run",
            digest: "", steps: 0, simulated: 0)
        if error is WrongDefect { report.fail(.wrongUse, "\(error)") }
        report.failure = "\(error)"
        return report
    }
}

/// An error of ours.
struct HarnessError: Error, CustomStringConvertible {
    let description: String
}

extension RunTask {
    /// The checked topology, with further defects switched on.
    func topology(with defects: [RunSettings.Defect]) throws -> Topology {
        var topology = try Topology(parsing: Array(text.utf8), name: name, file: file)
        for defect in defects { try topology.switchOn(defect) }
        return topology
    }
}

extension RunSettings {
    func makeScheduler() -> any Scheduler {
        switch scheduler {
        case .random: RandomScheduler()
        case .fifo: FirstInFirstOut()
        }
    }
}

extension ProcessHosting.Options {
    init(_ settings: RunSettings) {
        self.init(
            programs: settings.programs,
            sockets: settings.sockets ?? NSTemporaryDirectory() + "anechoic")
        transport = ProcessHosting.Transport(rawValue: settings.transport) ?? .pipes
        usesFreshProcesses = settings.usesFreshProcesses
        watchdog = settings.watchdog
    }
}

extension RunReport {
    /// Sets another status.
    mutating func fail(_ status: ExitStatus, _ reason: String) {
        self.status = status
        verdict = status.word
        failure = reason
    }

    /// Says where two runs of the same plan first differ.
    mutating func compare(_ first: Run, _ second: Run) {
        switch second.outcome {
        case .failed(let failure)?:
            fail(.deviceFailed, "in the second of two equal runs: \(failure)")
        case .interrupted?: fail(.interrupted, "interrupted; what was written so far is kept")
        case .ended?, nil: compare(first.world, second.world)
        }
    }

    private mutating func compare(_ first: World, _ second: World) {
        guard first.digest != second.digest || first.steps != second.steps else { return }
        let step =
            zip(first.steps, second.steps).enumerated().first { $0.element.0 != $0.element.1 }?
            .offset
            ?? min(first.steps.count, second.steps.count)
        func picture(_ world: World, _ step: Int) -> String {
            guard world.steps.indices.contains(step) else { return "the end of the run" }
            let record = world.steps[step]
            return "\(record.event) at \(Console.seconds(record.time.nanoseconds))"
        }
        let (one, other) = (picture(first, step), picture(second, step))
        // Where the same step follows, what the one before it led to is what differs.
        fail(
            .harnessError,
            one == other && step > 0
                ? "the run did not repeat: step \(step) (\(picture(first, step - 1))) had another "
                    + "effect the second time; a device that reads a clock, or draws numbers of its "
                    + "own, answers differently"
                : "the run did not repeat: step \(step + 1) was \(one), then \(other)"
                    + (step > 0 ? "; the step before was \(picture(first, step - 1))" : ""))
    }
}
