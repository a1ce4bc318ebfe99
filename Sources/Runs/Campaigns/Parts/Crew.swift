import Artifacts
package import Orchestration
import Reports
import UV

/// Workers that share runs of which none depends on another one: it takes less time, and what comes of it is the same.
package struct Crew {
    private let jobs: Int
    private let settings: RunSettings
    /// The cores that they may use: whoever plays by processes keeps himself, and what he starts, on one.
    private let cores: [Int]

    /// So many workers, who play by these settings; to be made before anything is played here.
    package init(jobs: Int, settings: RunSettings) throws {
        cores = try ThisProcess.allowedCores()
        (self.jobs, self.settings) = (jobs, settings)
    }

    /// How many parts of a work keep all of them busy; 1 where we do it sooner than they are there.
    package var parts: Int { jobs > 1 && settings.hosting == .process ? 2 * jobs : 1 }

    /// Does works in other processes; an answer is nil where its work was not done, because it was over before, or
    /// somebody interrupted it.
    ///
    /// - Throws: `HarnessError` where a worker dies of its work.
    package func play<Work: Encodable & TopologyTask, Answer: Decodable>(
        _ works: [Work], by worker: WorkerName, until isOver: @escaping () -> Bool
    ) throws -> [Answer?] {
        let own = try? ThisProcess.allowedCores()
        try? ThisProcess.run(onCores: cores)
        defer { if let own { try? ThisProcess.run(onCores: own) } }
        var answers = [Answer?](repeating: nil, count: works.count)
        var rest = works.enumerated().makeIterator()
        try WorkerPool.run(
            jobs: min(jobs, works.count), silence: settings.mostSilence,
            executable: "\(settings.processes.programs)/anechoic",
            arguments: try worker.arguments(settings)
        ) {
            isOver() ? nil : rest.next().map { Numbered(number: $0.offset, work: $0.element) }
        } onResult: { numbered, result in
            switch result {
            case .success(let line):
                answers[numbered.number] = try WorkerLine.decode(Answer.self, from: line)
            case .failure(let death): throw HarnessError(death.reason)
            }
        }
        return answers
    }
}

/// A work with its number; only the work is sent to a worker.
private struct Numbered<Work: Encodable & TopologyTask>: Encodable, TopologyTask {
    let number: Int
    let work: Work

    var document: TopologyDocument { work.document }

    func encode(to encoder: any Encoder) throws { try work.encode(to: encoder) }
}
