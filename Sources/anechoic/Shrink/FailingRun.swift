import Foundation
import Orchestration
import Reports
import Simulation
import Topologies

/// A run that failed, from its replay file: what shrink and explain begin with.
struct FailingRun {
    let file: String
    let recording: Replay
    /// Nothing is written.
    let settings: RunSettings
    let task: RunTask

    /// Reads a replay file; `watchdog` says how long a turn may take, in milliseconds.
    init(_ file: String, watchdog: UInt64) throws {
        self.file = file
        recording = try Replay.read(file)
        var settings = RunSettings.ofThisProgram
        settings.output = nil
        settings.watchdog = watchdog
        settings.scheduler = try Strategy(of: recording, file)
        task = try settings.take(recording)
        settings.hosting = try Self.hosting(of: task, Order(recording), settings)
        self.settings = settings
    }

    /// Where the devices of its candidates live: inline where all of them are ours, unless one of them fails,
    /// which would take us along.
    private static func hosting(
        of task: RunTask, _ order: Order, _ settings: RunSettings
    ) throws -> RunSettings.Hosting {
        guard try RunSettings.Hosting(of: task.topology()) == .inline else { return .process }
        var byProcess = settings
        byProcess.hosting = .process
        let status = try LocalRunner.with(byProcess) { runner in
            try runner.judge(task, by: order).report.status
        }
        return status == .deviceFailed ? .process : .inline
    }

    /// The defects that are switched on, and whose.
    func defects() throws -> [RunSettings.Defect] {
        let ofTopology = try task.topology().devices.flatMap { device in
            device.defects.map { RunSettings.Defect(device: device.name, name: $0) }
        }
        return ofTopology + settings.defects
    }

    /// The run by its own schedule, which has to be the same one.
    func study(_ runner: LocalRunner) throws -> Study {
        let original = try runner.study(task, Order(recording))
        guard original.report.fingerprint != nil else {
            throw WrongUse(
                description: "\(file): this run is \(original.report.verdict); expected a run that "
                    + "failed")
        }
        let again = try runner.study(task, .schedule(original.schedule))
        if let difference = firstDifference(original.steps, again.steps) {
            throw HarnessError(
                description:
                    "\(file): the schedule of this run does not give it again: \(difference)")
        }
        return again
    }

    /// A folder beside the replay file.
    func folder(_ name: String) -> String {
        URL(filePath: file).deletingLastPathComponent().appending(path: name).relativePath
    }

    /// Plays a run by processes and leaves in `folder` what every run leaves.
    func write(
        _ schedule: Schedule, of task: RunTask, into folder: String
    ) throws -> RunReport {
        var replay = recording
        replay.decisions = schedule.decisions.map(Replay.Decision.init)
        replay.afters = schedule.afters
        replay.digest = ""
        var writing = settings
        writing.hosting = .process
        writing.output = folder
        writing.folder = folder
        try RunArtifacts.prepare(folder)
        return try LocalRunner.with(writing) { $0.run(task, repeating: replay) }
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
