import Artifacts
import Campaigns
import Foundation
import Orchestration
import Reports

extension ConformanceSuite {
    /// What the search has shown: runs of the suite in other orders, and with faults at random.
    package struct Searched {
        package let budget: SearchBudget
        /// How many topologies there are, each of which it plays as it is and with faults.
        let topologies: Int
        /// How many runs it plays if nothing ends it before.
        let planned: UInt64
        /// How many runs it has played, and how many failed.
        package private(set) var runs: UInt64 = 0
        package private(set) var failing: UInt64 = 0
        /// Which part of them was to be played.
        let shard: Shard
        /// Whether it was played by this command, and not joined of parts.
        fileprivate(set) var isPlayedHere = true
        /// In how many ways they failed.
        private(set) var ways = 0
        private(set) var counts = SuiteCounts()
        /// The first run of each way to fail, and of each promise that was broken, repeated by processes.
        fileprivate(set) var findings: [Finding] = []

        init(budget: SearchBudget, topologies: Int, planned: UInt64, shard: Shard) {
            (self.budget, self.topologies) = (budget, topologies)
            (self.planned, self.shard) = (planned, shard)
        }

        fileprivate mutating func take(_ exploration: Exploration) {
            runs = exploration.runs
            failing = exploration.failing
            ways = exploration.failures.count
            counts = exploration.counts
        }

        /// The runs that failed; one that did not repeat is an error, whosever it is.
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
    private static let ending = "/random-faults"

    /// The name of the topology whose promises and expectations are those of this one.
    static func home(of topology: String) -> String {
        topology.hasSuffix(ending) ? String(topology.dropLast(ending.count)) : topology
    }

    /// How many runs a search of so many topologies plays.
    func plannedSearch(of topologies: Int) -> Int {
        guard let budget, topologies > 0 else { return 0 }
        // Each as it is, and with faults.
        return Int(budget.runs(of: 2 * topologies, inLotsOf: Exploration.lotSize))
    }

    /// Looks for orders of the portfolio and for faults at random that break a promise.
    ///
    /// Topologies take turns, each as it is and with faults. What failed is repeated by processes, and leaves its
    /// files.
    func search(_ tasks: [RunTask], with player: TrialPlayer, noting outcome: inout Outcome) {
        guard let budget, !tasks.isEmpty else { return }
        do {
            let topologies = try tasks.flatMap { task in
                var faulty = try task.withRandomFaults()
                faulty.name += Self.ending
                return [task, faulty]
            }
            let runs = budget.runs(of: topologies.count, inLotsOf: Exploration.lotSize)
            for task in topologies { outcome.files[task.name] = task.file }
            outcome.planned += Int(runs)
            var searched = Searched(
                budget: budget, topologies: tasks.count, planned: runs, shard: shard)
            defer { outcome.searched = searched }
            let explorer = try explorer(of: topologies, runs: runs, with: player)
            guard parts.isEmpty else {
                let joined = try joined(as: explorer.exploration.plan)
                searched.take(joined.exploration)
                searched.isPlayedHere = false
                return searched.findings = joined.findings
            }
            // What was found before an error of ours stands.
            let jobs = player.jobs ?? ProcessInfo.processInfo.activeProcessorCount
            do { try explorer.explore(jobs: jobs) } catch { outcome.take(error) }
            if let trouble = explorer.workerTrouble {
                outcome.take(HarnessError(trouble))
            }
            searched.take(explorer.exploration)
            searched.findings = try explorer.confirm(into: player.output)
            if shard != .all {
                try keep(explorer.exploration, searched.findings, in: player.output)
            }
            outcome.unwritten = outcome.unwritten ?? explorer.trouble
            outcome.isStopped = player.stopsAtFirst && !searched.findings.isEmpty
            let isWhole = shard == .all && searched.runs >= runs
            outcome.isTimeUp = !isWhole && player.time.leftToPlay <= 0
        } catch {
            outcome.take(error)
        }
    }

    /// What was searched elsewhere, in parts.
    private func joined(as plan: Exploration.Plan) throws -> ExplorationMerge {
        let joined = try ExplorationMerge(of: parts, called: .ofConform)
        guard joined.exploration.plan == plan else {
            throw WrongUse(
                "\(parts[0]): another search than this one would play; expected conform --shard with the same "
                    + "devices, topologies, seeds, budget and version")
        }
        return joined
    }

    /// Leaves a part for whoever joins it with the others.
    private func keep(
        _ exploration: Exploration, _ findings: [Finding], in folder: String
    ) throws {
        let files = ExplorationMerge.Files.ofConform
        try OutputTree.prepare(folder)
        try exploration.keep(in: "\(folder)/\(files.exploration)")
        try KeptResults.write(
            ExplorationReport(exploration, findings: findings), as: files.findings, in: folder)
    }

    private func explorer(
        of topologies: [RunTask], runs: UInt64, with player: TrialPlayer
    ) throws -> Explorer {
        var settings = player.settings
        settings.scheduler = .portfolio
        let plan = Exploration.Plan(
            tool: settings.files.tool, search: .strategy(.portfolio), faults: nil,
            hosting: settings.hosting, defects: [],
            topologies: try topologies.map { try $0.read() }, firstSeed: seeds.upperBound + 1,
            counts: true)
        return Explorer(
            Exploration(plan), settings: settings, file: nil,
            limits: Explorer.Limits(
                runs: runs, seconds: max(0, player.time.leftToPlay),
                failures: player.stopsAtFirst ? 1 : .max,
                shard: shard))
    }
}
