package import Orchestration
package import Reports
internal import Schedules

extension Replay {
    /// The run that it repeats.
    package var task: RunTask {
        RunTask(name: name, file: file, text: topology, seed: seed, folder: folder)
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
