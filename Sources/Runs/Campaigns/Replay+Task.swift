package import Artifacts
import Foundation
package import Orchestration
package import Reports
import Schedules

extension Replay {
    /// The run that it repeats.
    ///
    /// What comes from another machine starts its programs in the working folder.
    package var task: RunTask {
        RunTask(
            name: name, file: file, document: topology, seed: seed,
            folder: isFromElsewhere ? FileManager.default.currentDirectoryPath : folder,
            wayBack: wayBack)
    }

    /// Whether the folder from which its programs were started is not on this machine.
    package var isFromElsewhere: Bool { folder.map { !InputFile.isFolder($0) } ?? false }
}

extension RunTask {
    /// How a run's programs differ from those of a recorded one: a sentence for each.
    package func differences(
        from recorded: [Replay.Program], programs: [RunSettings.ProgramPlace]
    ) throws -> [String] {
        let now = try ProgramBuilds().builds(of: self, programs: programs)
        return recorded.compactMap { old in
            guard let new = now.first(where: { $0.device == old.device && $0.word == old.word }),
                new.build != old.build
            else { return nil }
            return
                "\(new.file) of \(old.device) is another build than the run had (\(new.build), then "
                + "\(old.build))"
        }
    }
}

/// A recorded run to repeat.
package struct RecordedTask: Codable, TopologyTask {
    private let recording: Replay
    /// The file of its trace, where that is still there.
    private let trace: String?
    package var document: TopologyDocument { recording.topology }

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
                "\(file): the scheduler \"\(recording.scheduler)\" is none of "
                    + Strategy.names.joined(separator: ", "))
        }
        self = strategy
    }
}
