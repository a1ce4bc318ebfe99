package import Artifacts
import Campaigns
package import Choices
import Foundation
package import Orchestration
package import Reports
import Schedules
import Topologies

/// A run that failed, from its replay file: what shrink and explain begin with.
package struct FailingRun {
    package let file: String
    package let recording: Replay
    /// How its candidates are played; they write no files.
    package private(set) var settings: RunSettings
    package let task: RunTask

    /// Reads a replay file; a turn may take `watchdog` milliseconds, and a foreign device have `memory` bytes (0 for
    /// no limit).
    package init(
        _ file: String, watchdog: UInt64, memory: UInt64 = 0,
        programs: [RunSettings.ProgramPlace] = []
    ) throws {
        self.file = file
        recording = try Replay.read(file)
        var settings = RunSettings.ofThisProgram
        settings.files.tree = nil
        settings.programs = programs
        settings.processes.watchdog = watchdog
        settings.processes.memory = memory
        settings.scheduler = try Strategy(of: recording, file)
        settings.tracesTurns = recording.tracesTurns ?? false
        task = try settings.take(recording).read()
        try task.topology().demandRepeatableRuns()
        settings.hosting = try Self.hosting(of: task, by: Picking(recording), with: settings)
        self.settings = settings
    }

    /// Where the devices of its candidates live: inline where all of them are ours, unless one of them
    /// crashes, which would end this process.
    private static func hosting(
        of task: RunTask, by picking: Picking, with settings: RunSettings
    ) throws -> RunSettings.Hosting {
        guard try RunSettings.Hosting(of: task.topology()) == .inline else { return .process }
        var byProcess = settings
        byProcess.hosting = .process
        let status = try LocalRunner.with(byProcess) { runner in
            try runner.judge(task, by: picking).report.status
        }
        return [.deviceFailed, .harnessError].contains(status) ? .process : .inline
    }

    /// Sees to it that no candidate finds what an earlier one has left; its programs are started.
    ///
    /// - Parameter isKnown: Whether somebody has heard already that one keeps something.
    /// - Throws: `DocumentError` where the run's topology is none.
    package mutating func avoidGlobalState(isKnown: Bool = false) throws {
        try settings.avoidGlobalState(in: [task], isKnown: isKnown)
    }

    /// The defects that are switched on, and whose.
    package func defects() throws -> [RunSettings.Defect] {
        let ofTopology = try task.topology().devices.flatMap { device in
            device.defects.map { RunSettings.Defect(device: device.name, name: $0) }
        }
        return ofTopology + settings.defects
    }

    /// The run by its own schedule, which has to be the one that was recorded.
    ///
    /// - Throws: `HarnessError` where it is another one: the device's program, or this one, has changed.
    package func study(_ runner: LocalRunner) throws -> Study {
        let original = try repeated(runner)
        guard original.report.fingerprint != nil else {
            throw WrongUse(
                "\(file): this run is \(original.report.verdict); expected a run that "
                    + "failed")
        }
        let again = try runner.study(task, by: .schedule(original.schedule))
        if let difference = firstDifference(original.steps, again.steps) {
            throw HarnessError(
                "\(file): the schedule of this run does not repeat it: \(difference)")
        }
        return again
    }

    /// The run as it was recorded.
    private func repeated(_ runner: LocalRunner) throws -> Study {
        var study = try runner.study(task, by: Picking(recording))
        func isTheRecordedOne() -> Bool {
            recording.digest.isEmpty || study.report.digest == recording.digest
        }
        // A run that was given up stops wherever the other devices were.
        for _ in 1..<Self.attempts where !isTheRecordedOne() && study.report.isAbandoned {
            study = try runner.study(task, by: Picking(recording))
        }
        guard isTheRecordedOne() else {
            let end = study.report.failure ?? study.report.verdict
            throw HarnessError(
                "\(file): the run did not repeat: digest \(study.report.digest), recorded "
                    + "\(recording.digest) by \(recording.tool); it ended with: \(end)\n"
                    + "replay says where it first differs")
        }
        return study
    }

    private static let attempts = 3

    /// Lends a result's folder to `body`, ours alone as long as that takes: the one that the user names, or
    /// one beside the replay file.
    ///
    /// - Throws: `ArtifactError` before anything is done where it cannot be written or holds what somebody
    ///   else wrote, `WrongUse` where the run that failed stands there itself.
    package func leaving(
        _ parts: [String], in out: String?, or name: String, body: (OutputFolder) throws -> Void
    ) throws {
        let own = URL(filePath: file).deletingLastPathComponent()
        let path = out ?? own.appending(path: name).relativePath
        guard !isSameFolder(path, as: own.path) else {
            throw WrongUse(
                "--out \(path): the result would take the place of the run that it is made "
                    + "from; name another folder")
        }
        let folder = try OutputFolder(path, for: parts)
        // What comes to nothing leaves no folder.
        defer { folder.remove() }
        try body(folder)
    }

    /// Plays a run by processes and leaves in `folder` what every run leaves.
    package func write(
        _ schedule: Schedule, of task: RunTask, into folder: OutputFolder
    ) throws -> RunReport {
        var writing = settings
        writing.hosting = .process
        writing.files.tree = folder.path
        return try LocalRunner.with(writing) {
            $0.run(task, repeating: replay(schedule), into: folder)
        }
    }

    /// Leaves in `folder` just what repeats a run: after an interruption nothing more is played.
    package func keep(_ schedule: Schedule, of task: RunTask, in folder: OutputFolder) throws {
        RunArtifacts.removeRun(in: folder)
        var replay = replay(schedule)
        (replay.name, replay.file, replay.topology) = (task.name, task.file, task.document)
        replay.seed = task.seed
        try folder.write(json(replay), to: "replay.json")
    }

    private func replay(_ schedule: Schedule) -> Replay {
        var replay = recording
        replay.decisions = schedule.decisions.map(Replay.Decision.init)
        replay.afters = schedule.afters
        replay.digest = ""
        replay.checkpoints = nil
        return replay
    }
}

extension RunSettings {
    /// The run of a replay file, with its defects written into the topology where that names the device;
    /// those of the others stay in the settings.
    fileprivate mutating func take(_ recording: Replay) throws -> RunTask {
        var task = recording.task
        defects = []
        for defect in recording.defects {
            if let text = TopologyParts(task.text)?
                .text(switchingOn: defect.name, of: defect.device)
            {
                task.text = text
            } else {
                defects.append(Defect(device: defect.device, name: defect.name))
            }
        }
        return task
    }
}
