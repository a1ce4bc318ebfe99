import Artifacts
import DeviceKit
import Foundation
package import Orchestration
import Reports

/// What another process does for a campaign, by a hidden command.
package enum WorkerName: String, CaseIterable, Sendable {
    case runs
    /// Lots of an exploration.
    case lots
    /// Runs that tell how likely a failure is.
    case samples
    /// Repetitions of what an exploration found.
    case repetitions
    /// Recorded runs, as `replay` repeats them.
    case recordings
    /// Lots of a soak.
    case soak

    package static let command = "worker"

    /// The arguments of a process that does it with these settings.
    package func arguments(_ settings: some Encodable) throws -> [String] {
        [Self.command, rawValue, try JSONEncoder().encode(settings).base64EncodedString()]
    }

    /// The settings in the last of those arguments.
    package static func settings<Settings: Decodable>(in argument: String) throws -> Settings {
        guard let data = Data(base64Encoded: argument) else {
            throw WrongUse("settings: expected base64")
        }
        return try JSONDecoder().decode(Settings.self, from: data)
    }
}

/// Answers each task that comes on standard input with a runner, until there are no more.
///
/// - Throws: `HarnessError` where a task cannot be read.
package func serve<Work: Decodable & TopologyTask>(
    _ settings: String, answer: (LocalRunner, Work) throws -> some Encodable
) throws {
    let sign = SignOfLife()
    try LocalRunner.with(try WorkerName.settings(in: settings)) { runner in
        runner.onProgress = sign.give
        try serve { (work: Work) in try answer(runner, work) }
    }
}

/// What a worker says while a task goes on: an empty line now and then, so that it is not taken for one that is stuck.
package final class SignOfLife {
    private static let pace = Duration.seconds(5)
    private let clock = ContinuousClock()
    private var latest: ContinuousClock.Instant

    package init() { latest = clock.now }

    package func give() {
        guard clock.now - latest >= Self.pace else { return }
        latest = clock.now
        // Whoever does not hear it any more is gone, and so are we soon.
        try? write(Data("\n".utf8), to: STDOUT_FILENO)
    }
}

/// Answers each task that comes on standard input, until there are no more.
///
/// - Throws: `HarnessError` where a task cannot be read.
package func serve<Work: Decodable & TopologyTask>(
    answer: (Work) throws -> some Encodable
) throws {
    dieWithParent()
    do {
        var known: TopologyDocument?
        while !Interruption.isHere, let line = readLine() {
            let task = try TaskLine.task(Work.self, in: Data(line.utf8), after: known)
            known = task.document
            let result = try WorkerLine.encode(answer(task))
            try write(result + Data("\n".utf8), to: STDOUT_FILENO)
        }
    } catch is Interruption {
        // The process that gave us the work reports it.
    }
}
