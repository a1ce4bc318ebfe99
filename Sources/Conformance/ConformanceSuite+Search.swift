internal import Campaigns
internal import Foundation
internal import Orchestration
internal import Reports
internal import Topologies

extension ConformanceSuite {
    /// What the search has shown: runs of the suite in other orders, and with faults at random.
    package struct Searched {
        package let budget: SearchBudget
        /// How many topologies it has played, each as it is and with faults.
        let topologies: Int
        /// How many runs it has played, and how many failed.
        var runs: UInt64 = 0
        var failing: UInt64 = 0
        /// What became of each promise.
        var promises = PromiseCounts()
        /// Each way to fail, by the first run that failed so, repeated by processes.
        var findings: [Finding] = []

        /// The run of each way to fail; one that did not repeat is an error, whosever it is.
        var told: [RunReport] {
            findings.map { finding in
                guard let reason = finding.doubt else { return finding.report }
                var report = finding.report
                report.take(doubt: reason)
                return report
            }
        }
    }

    /// The end of the name of a topology to which faults at random were added.
    fileprivate static let ending = "/random-faults"

    /// Looks for orders of the portfolio and for faults at random that break a promise, in what held so far.
    ///
    /// Topologies take turns, each as it is and with faults. Each way to fail is repeated by processes, and
    /// leaves its files.
    func search(
        _ tasks: [RunTask], with player: TrialPlayer, noting outcome: inout Outcome
    ) {
        guard let budget, !tasks.isEmpty else { return }
        var settings = player.settings
        settings.scheduler = .portfolio
        let topologies = tasks.flatMap { [$0, Self.withFaults($0)] }
        let runs = budget.runs(of: topologies.count, inLotsOf: Exploration.lotSize)
        var searched = Searched(budget: budget, topologies: tasks.count)
        do {
            let plan = Exploration.Plan(
                tool: settings.files.tool, search: .strategy(.portfolio), faults: nil,
                hosting: settings.hosting, defects: [],
                topologies: try topologies.map { try $0.read() }, firstSeed: seeds.upperBound + 1,
                counts: true)
            let explorer = Explorer(
                Exploration(plan), settings: settings, file: nil,
                limits: Explorer.Limits(
                    runs: runs, seconds: .infinity,
                    failures: player.stopsAtFirst ? 1 : .max))
            outcome.planned += Int(runs)
            try explorer.explore(jobs: player.jobs ?? ProcessInfo.processInfo.activeProcessorCount)
            searched.take(explorer.exploration)
            searched.findings = try explorer.confirm(into: player.output)
            outcome.unwritten = outcome.unwritten ?? explorer.trouble
            outcome.isStopped = player.stopsAtFirst && !searched.findings.isEmpty
        } catch {
            outcome.take(error)
        }
        outcome.searched = searched
    }

    /// The same topology with faults at random.
    private static func withFaults(_ task: RunTask) -> RunTask {
        let text = TopologyParts(task.text)?.textWithRandomFaults ?? task.text
        return RunTask(
            name: task.name + ending, file: task.file, text: text, seed: task.seed,
            folder: task.folder)
    }
}

extension ConformanceSuite.Searched {
    fileprivate mutating func take(_ exploration: Exploration) {
        runs = exploration.runs
        failing = exploration.failing
        for var count in exploration.promises.counts {
            // A promise of a topology is the same one with faults.
            if let name = count.key.topology, name.hasSuffix(ConformanceSuite.ending) {
                count.key.topology = String(name.dropLast(ConformanceSuite.ending.count))
            }
            promises.add(count)
        }
    }
}
