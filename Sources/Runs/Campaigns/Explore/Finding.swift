import Artifacts
import Basics
import Foundation
import Orchestration
package import Reports

/// A way to fail, and whether it repeats.
package struct Finding: Codable {
    package let fingerprint: String
    /// How many runs failed in this way.
    package internal(set) var runs: UInt64
    /// What became of the first of them, repeated by processes.
    package let report: RunReport
    /// The digest of the run that was found.
    package let digest: String
    /// How many repetitions by processes were the same run and failed in the same way.
    var confirmations = 0
    /// Where a repetition first differed, if one did.
    var divergence: String?
    /// Whether the user interrupted before it was repeated; nil where not.
    private(set) var isInterrupted: Bool?

    /// One that was not repeated, because the user interrupted.
    init(interrupted failure: WayToFail) {
        self.init(failure, report: failure.first)
        isInterrupted = true
    }

    init(_ failure: WayToFail, report: RunReport) {
        fingerprint = failure.fingerprint
        runs = failure.runs
        digest = failure.first.digest
        self.report = report
    }

    /// Whether a run is the one that was found.
    ///
    /// A device that ends its process leaves no digest.
    func isRepeated(by run: RunReport) -> Bool {
        digest.isEmpty
            ? [.deviceFailed, .harnessError].contains(run.status)
            : run.digest == digest && run.fingerprint == fingerprint
    }

    /// Why it cannot be relied on; nil where it repeated each time, or was not repeated because the user
    /// interrupted.
    package var doubt: String? {
        guard !isConfirmed, isInterrupted == nil else { return nil }
        return "the failure did not repeat (\(confirmations) of \(Confirmation.repeats) by "
            + "processes), which is an error of the harness or of a device: \(divergence ?? "")"
    }

    var isConfirmed: Bool { confirmations == Confirmation.repeats }

    /// What names its cause: the promise that was broken first, or else the fingerprint.
    package var cause: String { report.firstBroken ?? fingerprint }

    /// How many of ``repeats`` repetitions were the same run.
    package var confirmed: Int { confirmations }

    package static var repeats: Int { Confirmation.repeats }
}

extension [Finding] {
    /// Those of one cause together, in the order in which the causes were found.
    var causes: [[Finding]] {
        map(\.cause).uniqued.map { cause in filter { $0.cause == cause } }
    }

    // Of the ways to fail of one cause:

    /// The one that is told: what is in doubt comes first.
    var head: Finding { first { $0.doubt != nil } ?? self[0] }

    /// The fingerprint, or of several what they break first.
    var name: String {
        count == 1 ? head.fingerprint : "\(head.cause), in \(count.counted("way"))"
    }

    /// Each of several, a line each.
    var lines: [String] {
        guard count > 1 else { return [] }
        return ["ways to fail:"]
            + map { way in
                "    \(way.fingerprint): \(way.runs.counted("run")), first \(way.report.topology), "
                    + "seed \(way.report.seed)"
            }
    }
}

extension ExitStatus {
    /// How a command that found these ends.
    package init(_ findings: [Finding]) {
        self = findings.reduce(.held) { status, finding in
            status.combined(with: finding.isConfirmed ? finding.report.status : .harnessError)
        }
    }
}

/// What an exploration has found, as `--format json` and `--json` write it.
package struct ExplorationReport: Encodable {
    let schema = 1
    let tool: String
    let strategy: Search
    let faults: FaultSource?
    package let runs: UInt64
    /// How many runs there are in all, where that is known.
    let total: Int?
    let undecided: UInt64
    package let seconds: Double
    /// The kinds of fault of a sweep; empty where there is none.
    let kinds: [String]
    /// Under how many schedules a sweep plays each fault.
    package let schedules: Int
    let coverage: [String: Int]
    /// How many runs had been played when something new was last covered.
    let latestNews: UInt64
    let arms: [Exploration.Arm]
    let findings: [Finding]

    package init(_ exploration: Exploration, findings: [Finding]) {
        tool = exploration.plan.tool
        strategy = exploration.plan.search
        faults = exploration.plan.faults
        total = exploration.total ?? exploration.orders.flatMap { $0.isComplete ? $0.total : nil }
        runs = exploration.runs
        undecided = exploration.undecided
        seconds = exploration.seconds
        kinds = exploration.sweptKinds
        schedules = exploration.plan.schedules
        coverage = Dictionary(
            uniqueKeysWithValues: Coverage.Kind.allCases.map {
                ($0.rawValue, exploration.coverage.count($0))
            })
        latestNews = exploration.latestNews
        arms = exploration.arms
        self.findings = findings
    }
}

extension Exploration {
    /// What was found, for people; in brief without what the strategies have done, and as a whole with each violation.
    package func text(
        _ findings: [Finding], isBrief: Bool = false, isWhole: Bool = false, ink: Ink = Ink(.never)
    ) -> String {
        var text = findings.isEmpty ? "" : table(findings) + "\n"
        if !isBrief, arms.count > 1, !findings.isEmpty { text += armTable + "\n" }
        text += ink(summary(findings), as: findings.isEmpty ? .good : .bad) + "\n"
        if !isBrief { text += plain(details) }
        for ways in findings.causes {
            let finding = ways.head
            let story = plain(
                Console.story(finding.report, all: isWhole) ?? finding.fingerprint)
            text += "\n\(ink.story(story))\n"
            for line in ways.lines { text += "  \(plain(line))\n" }
            if finding.isInterrupted != nil {
                text += "  not confirmed yet: interrupted; --resume goes on\n"
            }
            if let doubt = finding.doubt { text += "  \(plain(doubt))\n" }
        }
        return text
    }

    /// A row for each cause.
    private func table(_ findings: [Finding]) -> String {
        TextTable(
            header: ["failure", "runs", "first", "seed", "strategy", "confirmed"],
            rows: findings.causes.map { ways in
                let report = ways.head.report
                let runs = ways.reduce(0) { $0 + $1.runs }
                let confirmations = ways.map(\.confirmations).min() ?? 0
                return [
                    ways.name, runs == 0 ? "plain" : "\(runs)", report.topology, "\(report.seed)",
                    report.scheduler, "\(confirmations) of \(Confirmation.repeats)",
                ]
            }
        ).text
    }

    private var armTable: String {
        TextTable(
            header: ["strategy", "runs", "failing", "share"],
            rows: arms.map {
                let share = $0.runs == 0 ? 0 : Double($0.failing) / Double($0.runs) * 100
                return [
                    $0.strategy.name, "\($0.runs)", "\($0.failing)",
                    String(format: "%.2f %%", share),
                ]
            }
        ).text
    }

    /// What a sweep strikes with, when, and how often; nil where there is none.
    private var claim: String? {
        guard plan.faults == .sweep else { return nil }
        let schedules =
            plan.schedules == 1 ? "one schedule" : "each of \(plan.schedules) schedules"
        return
            "the sweep: each of \(sweptKinds.count) kinds of fault, once at every moment of the plain "
            + "run, and at each occurrence of whatever is on the air, under \(schedules):\n"
            + sweptKinds.joined(separator: ", ")
    }

    /// How many runs were played, and in how many ways they failed.
    package func summary(_ findings: [Finding]) -> String {
        let rate = seconds > 0 ? Int(Double(runs) / seconds) : 0
        let count = plan.topologies.count
        var text =
            "\(runs.counted("run")) of \(count.counted("topology", plural: "topologies")) in "
            + String(format: "%.1f s", seconds) + " (\(rate)/s): "
        text +=
            runs == 0 && findings.isEmpty
            ? "nothing was played"
            : findings.isEmpty
                ? "nothing failed"
                : "\(failing) failed, in \(findings.count.counted("way"))\(Self.ofCauses(findings))"
        if let orders { text += "; \(orders.text)" }
        if let total { text += "; \(runs) of \(total) strikes" }
        if undecided > 0 { text += ", \(undecided) ended before something was decided" }
        return text
    }

    /// How many causes the ways to fail have, where it is fewer.
    private static func ofCauses(_ findings: [Finding]) -> String {
        let causes = findings.causes.count
        return causes < findings.count ? " of \(causes.counted("cause"))" : ""
    }

    /// What the runs have covered, in lines with their ends.
    private var details: String {
        var text = claim.map { $0 + "\n" } ?? ""
        if coverage.count > 0 {
            text += "covered: \(coverage.count(.states)) pairs of state and event, "
            text += "\(coverage.count(.faults)) of state and fault, \(coverage.count(.inFlight)) "
            text += "messages under way when a link ended; nothing new since run \(latestNews)\n"
        }
        return text
    }
}
