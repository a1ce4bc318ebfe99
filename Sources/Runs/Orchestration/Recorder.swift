package import Artifacts
import Basics
import Choices
import DeviceLink
import Foundation
import Invariants
import Reports
import Scenarios
import Simulation
import Traces
import YAML

/// What watches a run that is judged and written down.
final class Recorder: RunSink {
    private let topology: Topology
    /// What judges the run; once the report is made, it may judge the next one.
    private(set) var judge: Judge
    private let artifacts: RunArtifacts?
    /// The folder that is let go with the run; nil where there is none, or somebody else has it.
    private var folder: OutputFolder?
    /// Why its files are not whole; what is found is found none the less.
    private var trouble: ArtifactError?
    private var replay: Replay
    private let command: String
    /// Where programs are, which the replay file does not say.
    private let programs: [RunSettings.ProgramPlace]
    private let sweptFault: RunReport.SweptFault?
    /// What this run repeats, if it does.
    private let repetition: RecordedRepetition?
    /// What is known of NISessions, where somebody will ask.
    private var sessions: NISessions?
    private var now = VirtualTime.zero

    /// A recorder that writes where the settings say so, or into a folder that somebody has already, with
    /// a judge that has seen nothing.
    ///
    /// The replay file is there from the beginning: whatever becomes of us, the run can be repeated.
    init(
        _ task: RunTask, of topology: Topology, judgedBy judge: Judge,
        with settings: RunSettings,
        repeating recording: Replay?, trace: String? = nil, into given: OutputFolder? = nil,
        isLookedInto: Bool = false, builds: ProgramBuilds? = nil
    ) throws {
        self.topology = topology
        repetition = try recording.map { try RecordedRepetition(of: $0, trace: trace) }
        sessions = isLookedInto ? NISessions() : nil
        command = settings.files.command
        programs = settings.programs
        sweptFault = task.sweptFault
        self.judge = judge
        replay = Replay(task, with: settings, decisions: recording?.decisions ?? [])
        replay.afters = recording?.afters
        if topology.startsPrograms { (replay.folder, replay.wayBack) = (task.base, task.wayBack) }
        if given == nil { folder = try settings.outputFolder(of: task) }
        artifacts = try (given ?? folder).map { folder in
            try RunArtifacts(
                folder,
                header: TraceHeader(
                    topology: topology.name, seed: task.seed,
                    scheduler: settings.schedulerName(seed: task.seed), tool: settings.files.tool),
                devices: topology.devices.map { try PathName(ofOnePart: $0.name) },
                chips: topology.chips)
        }
        if artifacts != nil, topology.startsPrograms {
            replay.programs = builds?.builds(of: topology, in: task.base)
        }
        try artifacts?.write(json(replay), to: "replay.json")
    }

    /// What the devices did that go by the wall clock goes into the replay file.
    func keep(_ inputs: [Replay.Input]?) { replay.inputs = inputs }

    func take(_ event: TraceEvent) throws {
        judge.observe(event)
        now = event.time
        sessions?.take(event)
        repetition?.take(event)
        try write { try $0.append(event) }
    }

    func take(_ packet: World.HostControllerRecord) throws {
        try write { try $0.append(packet) }
    }

    func log(_ device: Int, _ bytes: UnsafeRawBufferPointer) throws {
        try write { try $0.append(log: bytes, of: device) }
    }

    func flush() throws { try write { try $0.flush() } }

    /// Adds to the files, until that fails: where a disk is full the run goes on and is judged.
    @inline(__always)
    private func write(_ work: (RunArtifacts) throws -> Void) throws {
        guard trouble == nil, let artifacts else { return }
        do { try work(artifacts) } catch let error as ArtifactError { trouble = error }
    }

    var awaitsDeadline: Bool { judge.awaitsDeadline(at: now) }

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
            digest: run.world.digest.text, steps: run.world.state.step, simulated: run.world.now)
        let roles = topology.devices.map { ($0.name, $0.role) }
        report.take(verdict, roles: Dictionary(roles) { first, _ in first })
        report.sweptFault = sweptFault
        report.script = zip(topology.steps, run.world.stepNotes).compactMap(
            RunReport.StepReport.init)
        switch run.outcome {
        case .failed(let failure)?: report.fail(failure.status, because: "\(failure)")
        case .interrupted?:
            let kept = artifacts == nil ? "" : "; what was written so far is kept"
            report.fail(.interrupted, because: "interrupted" + kept)
        // Nothing was asked of a run that was left but to come so far.
        case .left?: report.status = .held
        case .ended?, nil: break
        }
        if let difference = repetition?.difference(of: run, digest: report.digest) {
            let cause = report.failure.map { "\n    it ended so: \($0)" } ?? ""
            report.failRepeating(because: "\(difference); this is \(replay.tool)\(cause)")
        }
        replay.checkpoints = run.world.checkpoints
        if let artifacts {
            let places = programs.map { " --program " + shellWord("\($0.device)=\($0.path)") }
                .joined()
            let trust = topology.replayStartsPrograms ? " --trust" : ""
            report.replay = commandReplaying(artifacts.folder.path, by: command) + places + trust
        }
        if let trouble { report.lack(trouble) }
        return report
    }

    /// Writes the verdict, completes the replay file, closes the others, and lets the folder go.
    ///
    /// Where that fails, the report says so.
    func close(_ report: inout RunReport) throws {
        guard let artifacts else { return }
        defer { folder?.close() }
        try attempt { try artifacts.close() }
        // A trace that is not whole tells of no packets.
        if trouble == nil { try attempt { try artifacts.comment(report.comments) } }
        try attempt { try keepReplay(of: report, in: artifacts) }
        if let trouble, report.unwritten == nil { report.lack(trouble) }
        try attempt { try keepVerdict(of: report, in: artifacts) }
        if let trouble, report.unwritten == nil { report.lack(trouble) }
        report.takeLog(of: topology.devices.map(\.name), in: artifacts.folder.path)
    }

    /// Does what a full disk may keep from being done.
    private func attempt(_ work: () throws -> Void) throws {
        do { try work() } catch let error as ArtifactError { trouble = trouble ?? error }
    }

    private func keepReplay(of report: RunReport, in artifacts: RunArtifacts) throws {
        // A run that was cut off somewhere will not be cut off there again: nothing to compare.
        let isWhole = report.ended != RunReport.left && report.status != .interrupted
        guard isWhole || replay.inputs != nil else { return }
        if isWhole { replay.digest = report.digest }
        try artifacts.write(json(replay), to: "replay.json")
    }

    private func keepVerdict(of report: RunReport, in artifacts: RunArtifacts) throws {
        // A run that was left has no verdict.
        guard report.ended != RunReport.left else { return }
        var verdict = report
        verdict.wall = nil
        try artifacts.write(json(verdict), to: "verdict.json")
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

private func commandReplaying(_ folder: String, by command: String) -> String {
    "\(command) replay \(shellWord("\(folder)/replay.json"))"
}

extension RunSettings {
    /// The path of a run's folder; nil where nothing is written.
    ///
    /// - Throws: `DocumentError` where the run's name is not safe as a path.
    private func folder(of task: RunTask) throws -> String? {
        guard let tree = files.tree else { return nil }
        if let folder = files.folder { return folder }
        do {
            return OutputTree.folder(of: try PathName(task.name), seed: task.seed, in: tree)
        } catch {
            throw DocumentError(
                file: task.file,
                problem: Problem(
                    "the name `\(task.name)` of its runs cannot be that of a folder: it has "
                        + "\(error)", at: nil, expected: PathName.rule))
        }
    }

    /// The folder of a run, made and locked; nil where nothing is written.
    ///
    /// - Throws: `ArtifactError` where it cannot be, or is not ours; `DocumentError` where the run's name is
    ///   not safe as a path.
    fileprivate func outputFolder(of task: RunTask) throws -> OutputFolder? {
        try folder(of: task).map { try OutputFolder($0, for: RunArtifacts.parts) }
    }

    /// The command that repeats a run that has begun; nil where nothing of it was written.
    package func replayCommand(for task: RunTask) -> String? {
        guard let folder = try? folder(of: task),
            FileManager.default.fileExists(atPath: "\(folder)/replay.json"),
            let topology = try? task.topology(with: [])
        else { return nil }
        let trust = topology.replayStartsPrograms ? " --trust" : ""
        return commandReplaying(folder, by: files.command)
            + " --hosting \(hosting.rawValue)\(trust)"
    }
}

extension Replay {
    /// What repeats a run, but for its digest.
    package init(_ task: RunTask, with settings: RunSettings, decisions: [Decision]) {
        self.init(
            tool: settings.files.tool, name: task.name, file: task.file, topology: task.document,
            seed: task.seed, scheduler: settings.schedulerName(seed: task.seed),
            defects: settings.defects.map { Defect(device: $0.device, name: $0.name) },
            decisions: decisions, digest: "")
        tracesTurns = settings.tracesTurns ? true : nil
    }
}

extension RunReport.StepReport {
    /// What became of a step; nil for the end of one, which the file does not have as a step.
    init?(_ step: Step, _ note: StepNote) {
        guard step.ends == nil else { return nil }
        self.init(
            line: step.source.line, step: step.text, fired: note.fired, hits: note.hits,
            late: note.late)
    }
}

extension RecordedDecision {
    /// A decision of a replay file.
    init(_ decision: Replay.Decision) {
        self.init(identity: decision.identity, value: decision.value)
    }
}
