import Artifacts
import Basics
package import Orchestration
import Reports

/// What of some topologies programs can play: what one refuses is played without, or not at all.
package struct Repertoire {
    /// A topology, and what a device refused of it.
    package struct Refusal: Codable, Equatable, Sendable {
        package let name: String
        package let reason: String
    }

    package struct IsEmpty: Error, CustomStringConvertible {
        package let description: String
    }

    /// The topologies that are played, each as it can be.
    package private(set) var tasks: [RunTask] = []
    /// Those that are played with fewer parameters than they have.
    package private(set) var simplified: [Refusal] = []
    package private(set) var omitted: [Refusal] = []

    /// Plays each topology once in which there is somebody else's program, and takes those that are not refused.
    ///
    /// Whatever else becomes of these runs is no matter here.
    ///
    /// - Throws: ``IsEmpty`` where every topology is refused; `Interruption`, `DocumentError`.
    package init(of trials: [Trial], with settings: RunSettings, jobs: Int?) throws {
        var plain = settings
        (plain.hosting, plain.files.tree, plain.scheduler) = (.process, nil, .fifo)
        var isOpen: [Bool] = []
        for trial in trials {
            isOpen.append(RunSettings.Hosting(of: try trial.task.topology()) == .process)
        }
        var open = zip(trials, isOpen).filter(\.1).map(\.0)
        var trouble: (any Error)?
        var noted = self.simplified
        let reports = open.play(unless: { trouble != nil || Interruption.isHere }) { trials in
            var reports = [RunReport?](repeating: nil, count: trials.count)
            do {
                _ = try Campaign(plain, jobs: jobs, format: .json).results(
                    of: trials.map(\.task), keepsAll: false
                ) { reports[$1] = $0 }
            } catch { trouble = error }
            return reports
        } onSimpler: { trial, report in
            if !noted.contains(where: { $0.name == trial.task.name }) {
                noted.append(Refusal(name: trial.task.name, reason: report.failure ?? ""))
            }
        }
        if let trouble { throw trouble }
        try Interruption.check()
        var played = zip(open, reports).makeIterator()
        for (trial, isOpen) in zip(trials, isOpen) {
            guard isOpen, let (trial, report) = played.next() else {
                tasks.append(trial.task)
                continue
            }
            guard let report, report.isRefusal else {
                tasks.append(try trial.task.read())
                continue
            }
            omitted.append(Refusal(name: trial.task.name, reason: report.failure ?? ""))
        }
        simplified = noted.filter { refusal in !omitted.contains { $0.name == refusal.name } }
        if tasks.isEmpty, let first = omitted.first {
            throw IsEmpty(description: "nothing can be played: \(first.name): \(first.reason)")
        }
    }

    /// What was left out, for people; nil where nothing was.
    package var note: String? { Self.note(simplified: simplified, omitted: omitted) }

    /// The same of lists that were kept.
    package static func note(simplified: [Refusal], omitted: [Refusal]) -> String? {
        let parts = [
            omitted.isEmpty
                ? nil : "\(topologies(omitted)) not played, which a device refuses",
            simplified.isEmpty
                ? nil
                : "\(topologies(simplified)) played without some parameters, which a device refuses",
        ].compactMap(\.self)
        guard let first = (omitted + simplified).first else { return nil }
        return parts.joined(separator: "; ") + " (\(first.name): \(first.reason))"
    }

    private static func topologies(_ refusals: [Refusal]) -> String {
        refusals.count.counted("topology", plural: "topologies")
    }
}
