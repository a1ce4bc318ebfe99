import Artifacts
import DeviceKit
import Foundation
package import Orchestration
import Reports

/// The hidden commands by which a campaign plays runs in other processes.
package enum WorkerName {
    /// Runs, a task a line.
    package static let runs = "worker"
    /// Lots of an exploration.
    package static let lots = "explore-worker"
    /// Runs that tell how likely a failure is.
    package static let samples = "sample-worker"
    /// Repetitions of what an exploration found.
    package static let repetitions = "repeat-worker"
    /// Recorded runs, as `replay` repeats them.
    package static let recordings = "replay-worker"
}

extension RunSettings {
    /// The settings as an argument of a worker.
    var argument: String {
        get throws { try JSONEncoder().encode(self).base64EncodedString() }
    }
}

/// Answers each task that comes on standard input with a runner, until there are no more.
///
/// - Throws: `HarnessError` where a task cannot be read.
package func serve<Work: Decodable & TopologyTask>(
    _ settings: String, answer: (LocalRunner, Work) throws -> some Encodable
) throws {
    guard let data = Data(base64Encoded: settings) else {
        throw WrongUse(description: "settings: expected base64")
    }
    let settings = try JSONDecoder().decode(RunSettings.self, from: data)
    let sign = SignOfLife()
    try LocalRunner.with(settings) { runner in
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
