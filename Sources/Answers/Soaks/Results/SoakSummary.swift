package import Campaigns
import Foundation
import Orchestration
package import Reports

/// What a campaign has shown, as `soak.json` keeps it and people read it.
package struct SoakSummary: Encodable {
    /// A group of failures, or one that earlier campaigns have seen and this one has not.
    package struct Group: Encodable {
        package let fingerprint: String
        package let state: GroupState
        /// In this campaign.
        package let rate: Rate
        /// In which arm it was found first; nil where it was not.
        package let arm: SoakArm?
        /// When the first and the last campaign began that had it, in seconds since 1970.
        package let firstSeen: Int
        package let lastSeen: Int
        /// The version that had it last.
        package let tool: String
        /// How many runs failed so in each campaign, oldest first, this one last.
        package let nights: [Int]
        /// Why it fails nothing; nil where nobody has acknowledged it.
        package let acknowledged: String?
        /// Whether it fails this campaign.
        package let counts: Bool
        package let finding: SoakFinding?
        /// The same for all groups that have one cause: the promise that was broken first, or else the fingerprint.
        package fileprivate(set) var cause: String

        init(
            fingerprint: String, state: GroupState, rate: Rate, arm: SoakArm?, firstSeen: Int,
            lastSeen: Int, tool: String, nights: [Int], acknowledged: String?, counts: Bool,
            finding: SoakFinding?
        ) {
            (self.fingerprint, self.state, self.rate, self.arm) = (fingerprint, state, rate, arm)
            (self.firstSeen, self.lastSeen, self.tool) = (firstSeen, lastSeen, tool)
            (self.nights, self.acknowledged, self.counts) = (nights, acknowledged, counts)
            self.finding = finding
            cause = finding?.finding.cause ?? fingerprint
        }
    }

    /// A campaign of this history.
    package struct Night: Encodable {
        package let campaign: String
        /// In seconds since 1970.
        package let begun: Int
        package let tool: String
        package let runs: Int
    }

    package struct Arm: Encodable {
        package let arm: SoakArm
        package let runs: Int
        package let failing: Int
        package let share: Double
    }

    let schema = 1
    package let tool: String
    package let campaign: String
    package let machine: String
    package let begun: Int
    package let seconds: Double
    package let runs: Int
    package let failing: Int
    package let undecided: Int
    /// Virtual time of all runs, in nanoseconds.
    package let simulated: UInt64
    package let topologies: Int
    package let arms: [Arm]
    package let groups: [Group]
    /// The campaigns of the history, oldest first, this one last: in this sequence each group has its runs.
    package let nights: [Night]
    package let canary: Canary.Outcome
    package let canaryRate: Rate
    package let canaryPatience: Int
    package let occasions: [String: [Int]]
    package let neverExercised: [String]
    package let coverage: [String: Int]
    package let latestNews: Int
    /// How many pairs were new in the second half of the runs.
    package let lateNews: Int
    package let growths: [String]
    /// Topologies that a device refuses, and those of which it refuses some parameters.
    package let notPlayed: [Repertoire.Refusal]
    package let simplified: [Repertoire.Refusal]
    /// What was wrong with our own workers, each in a sentence.
    package let troubles: [String]
    let samples: [SampleRecord]
    package let isInterrupted: Bool
    package let status: ExitStatus

    /// What it is compared with, and what is known of it.
    package struct Context {
        /// What earlier campaigns of this history have seen.
        var past: [GroupRecord] = []
        /// The groups that fail nothing because a baseline has them; nil where there is none.
        package var baseline: Set<String>?
        package var acknowledged = Acknowledgements.none
        /// Today, as `2026-12-31`.
        package var today = ""
        package var isInterrupted = false
        /// The promises that judge every run.
        package var promises: [String] = []
    }

    init(
        of soak: Soak, campaign: CampaignRecord, findings: [String: SoakFinding],
        in context: Context
    ) {
        let progress = soak.progress
        tool = campaign.tool
        self.campaign = campaign.name
        (machine, begun) = (campaign.machine, campaign.begun)
        (seconds, samples) = (soak.seconds, soak.samples)
        (runs, failing, undecided) = (progress.runs, progress.failing, progress.undecided)
        simulated = progress.simulated
        topologies = soak.plan.topologies.count
        arms = SoakArm.allCases.map { arm in
            let done = progress.arms[arm] ?? SoakProgress.Arm()
            return Arm(
                arm: arm, runs: done.runs, failing: done.failing,
                share: Rate(done.runs, of: progress.played).share)
        }
        groups = Self.groups(
            of: progress, by: soak.plan, campaign: campaign, findings: findings, in: context)
        (notPlayed, simplified) = (soak.plan.omitted, soak.plan.simplified)
        troubles = soak.troubles
        nights =
            context.past.filter { $0.fingerprint.isEmpty }.map {
                Night(campaign: $0.campaign, begun: $0.begun, tool: $0.tool, runs: $0.of)
            } + [
                Night(
                    campaign: campaign.name, begun: campaign.begun, tool: campaign.tool,
                    runs: progress.runs)
            ]
        canary = Canary.outcome(failing: progress.canary.failing, of: progress.canary.runs)
        canaryRate = Rate(progress.canary.failing, of: progress.canary.runs)
        canaryPatience = Canary.patience
        occasions = progress.occasions.counts.mapValues(\.numbers)
        neverExercised = context.promises.filter { progress.occasions.counts[$0] == nil }
        coverage = Dictionary(
            uniqueKeysWithValues: Coverage.Kind.allCases.map {
                ($0.rawValue, progress.coverage.count($0))
            })
        latestNews = progress.latestNews
        let half = samples.last { $0.runs <= progress.played / 2 }
        lateNews = progress.coverage.count - (half?.covered ?? 0)
        let grown = Growth.all(in: samples.map { ($0.seconds, $0.values) })
        growths = grown.map(\.text)
        isInterrupted = context.isInterrupted
        status = Self.status(
            of: groups, canary: canary, grown: grown, isInterrupted: isInterrupted,
            isEmpty: progress.runs == progress.undecided
        ).combined(with: soak.troubles.isEmpty ? .held : .harnessError)
    }

    private static func groups(
        of progress: SoakProgress, by plan: SoakPlan, campaign: CampaignRecord,
        findings: [String: SoakFinding], in context: Context
    ) -> [Group] {
        let pasts = GroupPast.all(in: context.past)
        let seen = progress.groups.map { group -> Group in
            let fingerprint = group.first.fingerprint
            let past = pasts[fingerprint]
            let known = context.acknowledged.entry(for: fingerprint, on: context.today)
            return Group(
                fingerprint: fingerprint, state: past == nil ? .new : .ongoing,
                rate: Rate(group.runs, of: progress.runs), arm: group.arm,
                firstSeen: past?.first ?? campaign.begun, lastSeen: campaign.begun,
                tool: campaign.tool, nights: (past?.nights ?? []) + [group.runs],
                acknowledged: known.map { "\($0.reason) (until \($0.until))" },
                counts: known == nil && context.baseline?.contains(fingerprint) != true,
                finding: findings[fingerprint])
        }
        let names = Set(seen.map(\.fingerprint))
        let unseen = pasts.values.filter { !names.contains($0.fingerprint) }
            .sorted { $0.fingerprint < $1.fingerprint }
            .map { past in
                Group(
                    fingerprint: past.fingerprint, state: past.state(unseenIn: progress.runs),
                    rate: Rate(0, of: progress.runs), arm: nil, firstSeen: past.first,
                    lastSeen: past.last, tool: past.tool, nights: past.nights + [0],
                    acknowledged: nil, counts: false, finding: nil)
            }
        let worth = Dictionary(
            progress.groups.map { ($0.first.fingerprint, plan.worth(of: $0.first)) }
        ) { $1 }
        func place(_ group: Group) -> (Worth, Int, Int, String) {
            let isNew = group.state == .new
            return (
                worth[group.fingerprint] ?? .ofHarness, isNew ? 0 : 1, -group.rate.hits,
                group.fingerprint
            )
        }
        return caused(seen.sorted { place($0) < place($1) }) + unseen
    }

    /// A group whose promise the smallest run of an earlier one breaks, too, has the cause of that one.
    private static func caused(_ groups: [Group]) -> [Group] {
        var causes: [String: String] = [:]
        return groups.map { group in
            var group = group
            group.cause = causes[group.cause, default: group.cause]
            for promise in [group.cause] + (group.finding?.diagnosis?.breaks ?? [])
            where causes[promise] == nil { causes[promise] = group.cause }
            return group
        }
    }

    private static func status(
        of groups: [Group], canary: Canary.Outcome, grown: [Growth], isInterrupted: Bool,
        isEmpty: Bool
    ) -> ExitStatus {
        if isInterrupted { return .interrupted }
        var status = isEmpty ? ExitStatus.inconclusive : .held
        for group in groups where group.counts {
            // A group that nobody could repeat is an error, whosever it is.
            status = status.combined(
                with: group.finding.map { ExitStatus([$0.finding]) } ?? .violated)
        }
        for growth in grown {
            let isOfDevices = growth.name.hasPrefix("devices")
            status = status.combined(with: isOfDevices ? .deviceFailed : .harnessError)
        }
        return canary == .missed ? status.combined(with: .harnessError) : status
    }
}

extension Growth {
    package var text: String {
        let isMemory = name.hasSuffix("memory")
        func said(_ value: Double) -> String {
            isMemory ? String(format: "%.1f MiB", value / 1_048_576) : String(format: "%.1f", value)
        }
        return "\(name) grows by \(said(slope)) an hour; at most \(said(most)) is allowed"
    }
}
