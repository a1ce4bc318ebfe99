internal import DeviceLink
internal import Foundation
internal import Invariants
package import Reports
internal import Simulation
internal import Topologies
internal import Traces

/// What watches a run that is judged and written down.
final class Recorder: RunSink {
    private let topology: Topology
    private var judge: Judge
    private let artifacts: RunArtifacts?
    private var replay: Replay
    private let command: String
    /// What this run repeats, if it does.
    private let repetition: Repetition?
    /// What is known of NISessions, where somebody will ask.
    private var sessions: NISessions?
    private var now = VirtualTime.zero

    /// A recorder that writes where the settings say so, with a judge that has seen nothing, which
    /// ``giveBack()`` returns.
    ///
    /// The replay file is there from the beginning: whatever becomes of us, the run can be repeated.
    init(
        _ topology: Topology, _ judge: Judge, _ task: RunTask, _ settings: RunSettings,
        repeating recording: Replay?, trace: String? = nil, isLookedInto: Bool = false
    ) throws {
        self.topology = topology
        repetition = try recording.map { try Repetition(of: $0, trace: trace) }
        sessions = isLookedInto ? NISessions() : nil
        command = settings.command
        self.judge = judge
        replay = Replay(task, settings, decisions: recording?.decisions ?? [])
        replay.afters = recording?.afters
        if topology.startsPrograms { replay.folder = task.base }
        artifacts = try settings.output.map { folder in
            try RunArtifacts(
                settings.folder(of: task) ?? folder,
                header: TraceHeader(
                    topology: topology.name, seed: task.seed,
                    scheduler: settings.schedulerName(seed: task.seed), tool: settings.tool),
                devices: topology.devices.map(\.name))
        }
        try artifacts?.write(json(replay), to: "replay.json")
    }

    func take(_ event: TraceEvent) throws {
        judge.observe(event)
        now = event.time
        sessions?.take(event)
        repetition?.take(event)
        try artifacts?.append(event)
    }

    func take(_ packet: World.HostControllerRecord) throws { try artifacts?.append(packet) }

    func log(_ device: Int, _ bytes: UnsafeRawBufferPointer) throws {
        try artifacts?.append(log: bytes, of: device)
    }

    func flush() throws { try artifacts?.flush() }

    var awaitsDeadline: Bool { judge.awaitsDeadline(at: now) }

    /// The judge, when the report is made.
    func giveBack() -> Judge {
        var judge = Judge.ofNothing
        swap(&judge, &self.judge)
        return judge
    }

    /// What the run is like where it has paused.
    func state(_ run: Run) -> RunState {
        RunState(
            topology: topology.name, seed: replay.seed, world: run.world.snapshot, judge: judge,
            sessions: sessions ?? NISessions())
    }

    /// The report of a run that is over.
    func report(_ run: Run) -> RunReport {
        let verdict = judge.verdict()
        var report = RunReport(
            topology: topology.name, seed: replay.seed, scheduler: replay.scheduler,
            status: ExitStatus(verdict), ended: run.world.ended?.rawValue ?? RunReport.left,
            digest: run.world.digest.text, steps: run.world.step, simulated: run.world.now)
        report.take(verdict)
        switch run.outcome {
        case .failed(let failure)?: report.fail(.deviceFailed, "\(failure)")
        case .interrupted?:
            report.fail(.interrupted, "interrupted; what was written so far is kept")
        // Nothing was asked of a run that was left but to come so far.
        case .left?: report.status = .held
        case .ended?, nil: break
        }
        if let difference = repetition?.difference(of: run, digest: report.digest) {
            let cause = report.failure.map { "\n    it ended so: \($0)" } ?? ""
            report.fail(
                .harnessError,
                "the run did not repeat: \(difference); this is \(replay.tool)\(cause)")
        }
        replay.checkpoints = run.world.checkpoints
        if let artifacts {
            let trust = topology.startsPrograms ? " --trust" : ""
            report.replay = commandReplaying(artifacts.folder, command) + trust
        }
        return report
    }

    /// Writes the verdict, completes the replay file and closes the others.
    func close(_ report: RunReport) throws {
        guard let artifacts else { return }
        try artifacts.close()
        // A run that was left has no verdict.
        guard report.ended != RunReport.left else { return }
        var verdict = report
        verdict.wall = nil
        try artifacts.write(json(verdict), to: "verdict.json")
        // A run that was cut off somewhere will not be cut off there again: nothing to compare.
        guard report.status != .interrupted else { return }
        replay.digest = report.digest
        try artifacts.write(json(replay), to: "replay.json")
    }
}

/// A word as a shell reads it.
package func shellWord(_ word: String) -> String {
    let plain =
        !word.isEmpty
        && word.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+=:@".contains($0))
        }
    return plain ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
}

private func commandReplaying(_ folder: String, _ command: String) -> String {
    "\(command) replay \(shellWord("\(folder)/replay.json"))"
}

extension RunSettings {
    /// The folder of a run; nil where nothing is written.
    func folder(of task: RunTask) -> String? {
        output.map { folder ?? "\($0)/\(task.name)/\(task.seed)" }
    }

    /// The command that repeats a run that has begun; nil where nothing of it was written.
    package func replayCommand(for task: RunTask) -> String? {
        guard let folder = folder(of: task),
            FileManager.default.fileExists(atPath: "\(folder)/replay.json"),
            let topology = try? task.topology(with: [])
        else { return nil }
        let trust = topology.startsPrograms ? " --trust" : ""
        return commandReplaying(folder, command) + " --hosting \(hosting.rawValue)\(trust)"
    }
}

extension Replay {
    /// What repeats a run, but for its digest.
    package init(_ task: RunTask, _ settings: RunSettings, decisions: [Decision]) {
        self.init(
            tool: settings.tool, name: task.name, file: task.file, topology: task.text,
            seed: task.seed, scheduler: settings.schedulerName(seed: task.seed),
            defects: settings.defects.map { Defect(device: $0.device, name: $0.name) },
            decisions: decisions, digest: "")
        tracesTurns = settings.tracesTurns ? true : nil
    }
}

extension RecordedDecision {
    /// A decision of a replay file.
    init(_ decision: Replay.Decision) {
        self.init(identity: decision.identity, value: decision.value)
    }
}
