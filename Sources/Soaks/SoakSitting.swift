package import Campaigns
internal import Foundation
internal import HistoryRecords
internal import Notation
package import Orchestration
internal import Reports
internal import UV

/// One sitting of a campaign, from its folder to its summary.
package struct SoakSitting {
    /// The folder of everything that it leaves: the history, the runs that failed, the summary.
    package var out: String
    package var settings: RunSettings
    package var jobs: Int
    package var limits: Soak.Limits
    package var shard = Shard.all
    /// The name of a new campaign; nil to make one up.
    package var campaign: String?
    /// A history whose failures are known.
    package var baseline: String?
    /// A file of failures that are acknowledged.
    package var acknowledged: String?
    /// Where metrics are written.
    package var metrics: String?
    /// How many seconds it may look into what was found.
    package var diagnosis = 600.0
    /// The most bytes of the folder; 0 for no limit.
    package var keep = 0
    /// The names of the promises that judge every run.
    package var promises: [String] = []

    package init(
        out: String, settings: RunSettings, jobs: Int, limits: Soak.Limits
    ) {
        (self.out, self.settings, self.jobs, self.limits) = (out, settings, jobs, limits)
    }

    /// The history of a folder.
    package static func history(in folder: String) -> String { "\(folder)/history.sqlite" }

    private var program: String { "\(settings.processes.programs)/\(HistoryClient.program)" }

    // MARK: Beginning

    /// Begins a campaign of what `plan` makes of a first seed, which no earlier campaign of this history had.
    package func begin(_ plan: (UInt64) throws -> SoakPlan) throws -> SoakSummary {
        try OutputTree.prepare(out)
        return try locked { history in
            let past = try Self.groups(history, before: nil)
            let campaigns = past.count { $0.fingerprint.isEmpty }
            let plan = try plan(UInt64(campaigns) << 32 + 1)
            let record = CampaignRecord(
                name: campaign ?? Self.newName(), plan: try Self.text(of: plan), tool: plan.tool,
                machine: Self.machine, begun: Int(Date().timeIntervalSince1970))
            _ = try history.ask(.begin(record))
            return try play(plan, from: ResumedCampaign(campaign: record), with: history)
        }
    }

    /// Goes on with the latest campaign; `check` may refuse what it would play.
    package func resume(_ check: (SoakPlan) throws -> Void) throws -> SoakSummary {
        let file = Self.history(in: out)
        guard InputFile.exists(file) else {
            throw WrongUse(
                description:
                    "--resume \(out): there is no history in it; expected the folder of a soak")
        }
        return try locked { history in
            guard case .resumed(let resumed) = try history.ask(.resume) else {
                throw HarnessError(description: "\(file): the campaign was not answered")
            }
            let plan = try Self.plan(of: resumed.campaign, in: file, by: settings.files.tool)
            try check(plan)
            return try play(plan, from: resumed, with: history)
        }
    }

    private static func plan(
        of campaign: CampaignRecord, in file: String, by tool: String
    ) throws -> SoakPlan {
        guard campaign.tool == tool else {
            throw WrongUse(
                description:
                    "\(file): the campaign was begun by \(campaign.tool), and this is \(tool), "
                    + "for which its seeds mean other runs; go on with that version, or begin a new campaign"
            )
        }
        do {
            return try JSONDecoder().decode(SoakPlan.self, from: Data(campaign.plan.utf8))
        } catch {
            throw Replay.ReadError(
                description:
                    "\(file): the plan of campaign \(campaign.name) is broken; begin a new one")
        }
    }

    private func locked<Value>(_ body: (HistoryClient) throws -> Value) throws -> Value {
        let file = Self.history(in: out)
        let lock = try FileLock("\(out)/.soak.lock", for: file)
        defer { lock.release() }
        WholeFile.removeUnfinished(in: out)
        return try HistoryClient.with(program, file: file, body)
    }

    // MARK: Playing

    private func play(
        _ plan: SoakPlan, from resumed: ResumedCampaign, with history: HistoryClient
    ) throws -> SoakSummary {
        var context = SoakSummary.Context()
        context.past = try Self.groups(history, before: resumed.campaign.name)
        context.baseline = try baseline.map { try known(in: $0, but: resumed.campaign.name) }
        context.acknowledged = try acknowledged.map { try Acknowledgements(file: $0) } ?? .none
        context.today = SoakSummary.day(Int(Date().timeIntervalSince1970))
        context.promises = promises
        let display = SoakDisplay(
            metrics: metrics, limits: limits, known: Set(context.past.map(\.fingerprint)))
        var settings = settings
        try settings.avoidGlobalState(in: plan.topologies)
        let soak = try Soak(
            plan, resuming: resumed, sweeps: try sweeps(of: plan, resumed, history),
            settings: settings, shard: shard, limits: limits, history: history, show: display.show)
        try soak.play(jobs: jobs)
        display.end(soak)
        var looking = settings
        looking.files.tree = nil
        var diagnosis = SoakDiagnosis(plan, settings: looking, into: out, history: history)
        let findings = try diagnosis.findings(
            of: soak.progress.groups, known: resumed.findings, within: self.diagnosis)
        if let trouble = diagnosis.trouble { printError(trouble) }
        context.isInterrupted = Interruption.isHere
        let summary = SoakSummary(
            of: soak, campaign: resumed.campaign, findings: findings, in: context)
        if !Interruption.isHere {
            _ = try history.ask(.end(seconds: soak.seconds, word: summary.status.word))
        }
        try WholeFile.write(json(summary), to: "\(out)/soak.json")
        if keep > 0 { try trim(summary, history) }
        return summary
    }

    /// Makes the folder as small as it may be.
    private func trim(_ summary: SoakSummary, _ history: HistoryClient) throws {
        let replays = summary.groups.compactMap(\.finding?.diagnosis?.replay)
        var runs = KeptRuns(in: out, most: keep, but: replays)
        try runs.trim()
        if runs.size > keep {
            _ = try history.ask(.thin)
            runs = KeptRuns(in: out, most: keep, but: replays)
        }
        guard runs.size > keep else { return }
        printError(
            "\(out): it takes \(runs.size >> 20) MB, and --keep allows \(keep >> 20); what is left is the history, "
                + "and the smallest example of each failure")
    }

    /// What is swept over: found once, and kept, because it takes a run of each topology.
    private func sweeps(
        of plan: SoakPlan, _ resumed: ResumedCampaign, _ history: HistoryClient
    ) throws -> [FaultSweep] {
        if let text = resumed.notes[Self.sweepsName] {
            return try JSONDecoder().decode([FaultSweep].self, from: Data(text.utf8))
        }
        var plain = settings
        plain.defects = plan.defects
        let sweeps = try plan.exploration(of: .sweep).plan.sweeps(plain).map {
            (try? $0.get()) ?? .ofNothing
        }
        _ = try history.ask(.note(name: Self.sweepsName, text: try Self.text(of: sweeps)))
        return sweeps
    }

    private static let sweepsName = "sweeps"

    /// The failures that another history knows.
    private func known(in path: String, but campaign: String) throws -> Set<String> {
        let file = InputFile.isFolder(path) ? Self.history(in: path) : path
        guard InputFile.exists(file) else {
            throw WrongUse(
                description:
                    "--baseline \(path): there is no history; expected one, or the folder of a soak"
            )
        }
        return try HistoryClient.with(program, file: file) { history in
            Set(try Self.groups(history, before: campaign).map(\.fingerprint))
        }
    }

    private static func groups(
        _ history: HistoryClient, before name: String?
    ) throws -> [GroupRecord] {
        guard case .groups(let groups) = try history.ask(.groups(before: name)) else { return [] }
        return groups
    }

    private static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
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
