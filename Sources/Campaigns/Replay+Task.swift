package import Orchestration
package import Reports
internal import Schedules

extension Replay {
    /// The run that it repeats.
    package var task: RunTask {
        RunTask(
            name: name, file: file, text: topology, seed: seed, folder: folder, wayBack: wayBack)
    }
}

/// A recorded run to repeat.
package struct RecordedRun: Codable, TopologyTask {
    private let recording: Replay
    /// The file of its trace, where that is still there.
    private let trace: String?
    package var document: TopologyDocument { recording.task.document }

    init(_ recording: Replay, trace: String?) { (self.recording, self.trace) = (recording, trace) }

    package func play(_ runner: LocalRunner) -> RunReport {
        runner.run(recording.task, repeating: recording, trace: trace)
    }
}

extension Strategy {
    /// The one of a recording.
    package init(of recording: Replay, _ file: String) throws {
        guard let strategy = Strategy(recording.scheduler) else {
            throw Replay.ReadError(
                description: "\(file): the scheduler \"\(recording.scheduler)\" is none of "
                    + Strategy.names.joined(separator: ", "))
        }
        self = strategy
    }
}
