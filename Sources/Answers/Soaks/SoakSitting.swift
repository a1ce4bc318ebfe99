import Artifacts
import Basics
import Campaigns
import Foundation
package import Orchestration
import Reports
import UV

/// One sitting of a campaign, from its folder to its summary.
package struct SoakSitting {
    /// The folder of everything that it leaves: the history, the runs that failed, the summary.
    package let out: String
    private var settings: RunSettings
    /// What the sitting is told; a new campaign keeps it, a later one adds what was kept.
    private var terms: SoakTerms
    /// The name of a new campaign; nil to make one up.
    package var campaign: String?
    /// How many seconds it may look into what was found.
    package var diagnosis = 600.0
    /// The names of the promises that judge every run.
    package var promises: [String] = []

    package init(out: String, settings: RunSettings, terms: SoakTerms) {
        (self.out, self.settings, self.terms) = (out, settings, terms)
    }

    package static func history(in folder: String) -> String { "\(folder)/history.sqlite" }

    // MARK: Beginning

    /// Begins a campaign of what `plan` makes of a first seed, which no earlier campaign of this history had; whoever
    /// names its programs trusts them.
    package mutating func begin(_ plan: (UInt64) throws -> SoakPlan) throws -> SoakSummary {
        try OutputTree.prepare(out)
        terms = terms.begun()
        return try Self.locked(out) { history in
            let past = try history.groups(before: nil)
            let campaigns = past.count { $0.fingerprint.isEmpty }
            let plan = try plan(UInt64(campaigns) << 32 + 1)
            terms.trusted = try plan.programMarks()
            let record = CampaignRecord(
                name: campaign ?? Self.newName(), plan: try jsonText(of: plan), tool: plan.tool,
                machine: Self.machine, begun: Int(Date().timeIntervalSince1970))
            try history.begin(record)
            return try play(plan, from: ResumedCampaign(campaign: record), with: history)
        }
    }

    /// Goes on with the latest campaign, as it was begun where nobody says otherwise; `check` may refuse what it would
    /// play of programs that are not those that were trusted.
    package mutating func resume(
        _ check: (SoakPlan, _ trusted: [ProgramMark]) throws -> Void
    ) throws -> SoakSummary {
        guard InputFile.exists(file) else {
            throw WrongUse(
                "--resume \(out): there is no history in it; expected the folder of a soak")
        }
        return try Self.locked(out) { history in
            let resumed = try history.resume()
            let plan = try Self.plan(of: resumed.campaign, in: file, by: settings.files.tool)
            let kept: SoakTerms? = try note(Self.termsName, of: resumed)
            terms = terms.goingOn(with: kept ?? SoakTerms().begun(), after: resumed.seconds)
            try check(plan, terms.trusted)
            terms.trusted = try plan.programMarks()
            return try play(plan, from: resumed, with: history)
        }
    }

    private static func plan(
        of campaign: CampaignRecord, in file: String, by tool: String
    ) throws -> SoakPlan {
        guard campaign.tool == tool else {
            throw WrongUse(
                "\(file): the campaign was begun by \(campaign.tool), and this is \(tool), "
                    + "for which its seeds mean other runs; go on with that version, or begin a new campaign"
            )
        }
        do {
            return try JSONDecoder().decode(SoakPlan.self, from: Data(campaign.plan.utf8))
        } catch {
            throw Replay.ReadError(
                "\(file): the plan of campaign \(campaign.name) is broken; begin a new one")
        }
    }

    private static func locked<Value>(
        _ out: String, _ body: (History) throws -> Value
    ) throws -> Value {
        let file = history(in: out)
        let lock = try FileLock("\(out)/.soak.lock", for: file)
        defer { lock.release() }
        WholeFile.removeUnfinished(in: out)
        return try body(History(file: file))
    }

    // MARK: Playing

    private func play(
        _ plan: SoakPlan, from resumed: ResumedCampaign, with history: History
    ) throws -> SoakSummary {
        try HangWatch.watching(advice: "anechoic soak --resume \(shellWord(out)) goes on") {
            try playUnwatched(plan, from: resumed, with: history)
        }
    }

    private func playUnwatched(
        _ plan: SoakPlan, from resumed: ResumedCampaign, with history: History
    ) throws -> SoakSummary {
        var context = try context(of: resumed.campaign, history)
        var settings = settings
        settings.processes.watchdog = terms.watchdog ?? settings.processes.watchdog
        settings.processes.memory = terms.memory ?? settings.processes.memory
        try history.note(Self.termsName, jsonText(of: terms))
        if let note = plan.note { printError(note) }
        settings.defects = plan.defects
        try settings.avoidGlobalState(in: plan.topologies)
        let known = try SoakDiagnosis.kept(resumed.findings, of: resumed.campaign, in: file)
        let limits = terms.limits(after: resumed.seconds)
        let display = SoakDisplay(
            metrics: terms.metrics, limits: limits, known: Set(context.past.map(\.fingerprint)))
        context.isInterrupted = true
        let sketch = Sketch(campaign: resumed.campaign, findings: known, context: context, out: out)
        let soak = try Soak(
            plan, resuming: resumed, of: file,
            sweeps: try sweeps(of: plan, with: settings, resumed, history),
            settings: settings, shard: terms.shard ?? .all, limits: limits,
            history: history
        ) { soak in
            display.show(soak)
            sketch.draw(soak)
        }
        try soak.play(jobs: terms.jobs ?? ProcessInfo.processInfo.activeProcessorCount)
        display.end(soak)
        var looking = settings
        looking.files.tree = nil
        var diagnosis = SoakDiagnosis(plan, settings: looking, into: out, history: history)
        let findings = try diagnosis.findings(
            of: soak.progress.groups, known: known, within: self.diagnosis)
        if let trouble = diagnosis.trouble { printError(trouble) }
        context.isInterrupted = Interruption.isHere
        let summary = SoakSummary(
            of: soak, campaign: resumed.campaign, findings: findings, in: context)
        if !Interruption.isHere {
            try history.end(after: soak.seconds, as: summary.status.word)
        }
        try WholeFile.write(json(summary), to: "\(out)/\(Self.page)")
        if let keep = terms.keep { try trim(summary, history, to: keep) }
        return summary
    }

    /// The file of the summary, of which a page is made.
    private static let page = "soak.json"

    private func context(
        of campaign: CampaignRecord, _ history: History
    ) throws -> SoakSummary.Context {
        var context = SoakSummary.Context()
        context.past = try history.groups(before: campaign.name)
        context.baseline = try terms.baseline.map {
            try Self.failures(known: $0, before: campaign.name)
        }
        context.acknowledged =
            try terms.acknowledged.map { try Acknowledgements(file: $0) } ?? .none
        context.today = SoakSummary.day(Int(Date().timeIntervalSince1970))
        context.promises = promises
        return context
    }

    /// Keeps the summary so far, now and then, so that a soak that is killed or goes on has a page.
    private final class Sketch {
        private let campaign: CampaignRecord
        private let findings: [String: SoakFinding]
        private let context: SoakSummary.Context
        private let out: String
        private let clock = ContinuousClock()
        private var latest: ContinuousClock.Instant?

        init(
            campaign: CampaignRecord, findings: [String: SoakFinding],
            context: SoakSummary.Context, out: String
        ) {
            (self.campaign, self.findings) = (campaign, findings)
            (self.context, self.out) = (context, out)
        }

        func draw(_ soak: Soak) {
            guard latest.map({ clock.now - $0 >= .seconds(10) }) ?? true else { return }
            latest = clock.now
            let summary = SoakSummary(of: soak, campaign: campaign, findings: findings, in: context)
            // What there is no room for is written again in a while, and told at the end.
            try? WholeFile.write(json(summary), to: "\(out)/\(page)")
        }
    }

    /// Makes the folder as small as it may be.
    private func trim(_ summary: SoakSummary, _ history: History, to keep: Int) throws {
        let replays = summary.groups.compactMap(\.finding?.diagnosis?.replay)
        var runs = KeptRuns(in: out, most: keep, but: replays)
        try runs.trim()
        if runs.size > keep {
            try history.thin()
            runs = KeptRuns(in: out, most: keep, but: replays)
        }
        guard runs.size > keep else { return }
        printError(
            "\(out): it takes \(runs.size >> 20) MB, and --keep allows \(keep >> 20); what is left is the history, "
                + "and the smallest example of each failure")
    }

    /// What is swept over: found once, and kept, because it takes a run of each topology.
    private func sweeps(
        of plan: SoakPlan, with settings: RunSettings, _ resumed: ResumedCampaign,
        _ history: History
    ) throws -> [FaultSweep] {
        if let kept: [FaultSweep] = try note(Self.sweepsName, of: resumed) { return kept }
        let sweeps = try plan.exploration(of: .sweep).plan.sweeps(settings).map {
            switch $0 {
            case .success(let sweep): return sweep
            case .failure(let plain):
                // Each time it is played, so that other arms find it.
                printError(
                    "\(plain.report.topology): nothing to sweep over, for a device fails in its plain run: "
                        + (plain.report.failure ?? plain.report.verdict))
                return .ofNothing
            }
        }
        try history.note(Self.sweepsName, jsonText(of: sweeps))
        return sweeps
    }

    /// What a sitting before has left for this one; nil where there is none.
    private func note<Value: Decodable>(
        _ name: String, of resumed: ResumedCampaign
    ) throws -> Value? {
        try resumed.notes[name].map {
            try DamagedRow.reading($0, as: "its note `\(name)`", of: resumed.campaign, in: file)
        }
    }

    private static let (sweepsName, termsName) = ("sweeps", "terms")

    private var file: String { Self.history(in: out) }

    /// The failures that a history knows.
    ///
    /// - Parameters:
    ///   - path: A history, or the folder of a soak.
    ///   - campaign: What came before it is known; nil for all that there is.
    /// - Returns: Their fingerprints.
    /// - Throws: `WrongUse` where there is no history, `HistoryRefusal` where it is none.
    package static func failures(
        known path: String, before campaign: String?
    ) throws -> Set<String> {
        let file = InputFile.isFolder(path) ? history(in: path) : path
        guard InputFile.exists(file) else {
            throw WrongUse(
                "--baseline \(path): there is no history; expected one, or the folder of a soak")
        }
        let groups = try History(file: file).groups(before: campaign)
        return Set(groups.map(\.fingerprint)).subtracting([""])
    }

    // MARK: Names

    /// A name that no other campaign has: the moment, and a number by chance.
    private static func newName() -> String {
        let moment = Date().formatted(.iso8601.timeZoneSeparator(.omitted).timeSeparator(.omitted))
        return "\(moment)-\(String(UInt32.random(in: 0...UInt32.max), radix: 16))"
    }

    private static var machine: String {
        let process = ProcessInfo.processInfo
        return "\(process.hostName), \(process.operatingSystemVersionString), "
            + process.activeProcessorCount.counted("core")
    }
}
