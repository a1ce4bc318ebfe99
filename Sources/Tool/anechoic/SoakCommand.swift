import ArgumentParser
import Artifacts
import Campaigns
import Foundation
import Orchestration
import Reports
import Soaks

struct SoakCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak", abstract: "Look for failures all night, remember them, and compare.",
        discussion: """
            Plays topologies until the time is up: seeds, orders of the portfolio, faults at random, \
            faults at every moment, and runs like those that failed, each with a fixed share; \
            and a canary, a reference device with a known rare defect. Results are kept in \
            OUT/history.sqlite at once, so that --resume OUT continues after Ctrl-C, a killed process or a \
            power failure. Failures are grouped, repeated by processes, shrunk and explained; a group is \
            new, ongoing, rare or gone compared with earlier campaigns.

            Exit status: 0 nothing failed but what is known, 1 a violation, 2 nothing was decided, \
            3 a device failed, 70 a failure did not repeat, the soak itself grows, or the canary was \
            missed, 130 interrupted.
            """)

    @Argument(help: "Topology files, or folders of them.", completion: .file(extensions: ["yaml"]))
    var paths: [String] = []

    @OptionGroup var named: FilterOption

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "The duration: 30min or 8h. (default: 8h, unless --runs)", valueName: "time"),
        transform: WallTime.init)
    var time: WallTime?

    @Option(
        help: ArgumentHelp("The number of runs of the campaign, in all shards.", valueName: "n"),
        transform: wholeNumber)
    var runs: Int?

    @Option(
        help: ArgumentHelp("Stop after this many groups of failures.", valueName: "n"),
        transform: wholeNumber)
    var untilFailures: Int?

    @Option(
        help: ArgumentHelp(
            "Go on with the campaign of this folder, where it stopped.", valueName: "folder"),
        completion: .directory)
    var resume: String?

    @Option(
        help: ArgumentHelp(
            "Folder of the history and of the runs that failed.", valueName: "folder"))
    var out = "soak"

    @OptionGroup var under: SubjectOptions

    @Option(
        help: ArgumentHelp(
            "The folder of an earlier soak: failures in its history do not fail this one.",
            valueName: "path"))
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "A YAML file of known failures, each with a reason and a last day.",
            valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var acknowledged: String?

    @OptionGroup var part: ShardOption

    @Option(
        help: ArgumentHelp(
            "The campaign's name; the parts of one need the same. (default: the moment it begins)",
            valueName: "name"))
    var campaign: String?

    @Option(
        help: ArgumentHelp(
            "The first seed. (default: one that no earlier campaign of the history has played)",
            valueName: "n"), transform: wholeNumber)
    var seed: UInt64?

    @Option(help: ArgumentHelp("Write numbers in Prometheus' text format.", valueName: "file"))
    var metrics: String?

    @Option(
        help: ArgumentHelp(
            "The most that OUT may take, for example 2GB: runs that hold go first, and the smallest example of a "
                + "failure never. (default: no limit)", valueName: "size"),
        transform: ByteCount.init)
    var keep: ByteCount?

    @OptionGroup var switched: DefectOption

    @OptionGroup var atOnce: JobsOption

    @OptionGroup var limits: DeviceLimits

    @OptionGroup var trust: TrustOption

    @OptionGroup var shown: QuietOption

    @OptionGroup var colour: ColourOption

    @OptionGroup var json: JSONOption

    @OptionGroup var reports: ReportOptions

    @OptionGroup var shape: TAPOption

    func validate() throws {
        try json.refuse(tap: shape.isTAP)
        if let runs, runs < 1 { throw ValidationError("--runs \(runs): expected at least 1") }
        if let untilFailures, untilFailures < 1 {
            throw ValidationError("--until-failures \(untilFailures): expected at least 1")
        }
        if part.shard != .all, campaign == nil, resume == nil {
            throw ValidationError(
                "--shard: expected --campaign beside it, with the same name for every part")
        }
        guard resume != nil else {
            if paths.isEmpty { throw ValidationError("expected topologies, or --resume") }
            return
        }
        guard paths.isEmpty, seed == nil, campaign == nil, under.isEmpty,
            switched.defect.isEmpty
        else {
            throw ValidationError(
                "--resume goes on with what the campaign has; expected no topologies, programs, "
                    + "defects, --seed or --campaign beside it")
        }
    }

    func run() throws {
        guard json.isOn else {
            return try finish(
                soak {
                    guard !shape.isTAP else { return }
                    try Reports.show(raw: $0.text(isBrief: shown.quiet, ink: colour.ink))
                })
        }
        try json.answer(as: "soak") { document in try soak { try document.add($0) } }
    }

    private func soak(_ tell: (SoakSummary) throws -> Void) throws -> ExitStatus {
        try reports.reporting(of: "soak", tap: shape.isTAP) { results in
            var sitting = sitting()
            let folder = sitting.out
            let summary =
                if resume != nil {
                    try sitting.resume {
                        try trust.demand(for: folder, running: $0.topologies, trusted: $1)
                    }
                } else {
                    try sitting.begin { try makePlan(seed: seed ?? $0) }
                }
            try tell(summary)
            (results.found, results.conclusion) = (summary.suites, summary.headline)
            return summary.status
        }
    }

    private func sitting() -> SoakSitting {
        var sitting = SoakSitting(out: resume ?? out, settings: limits.settings(), terms: terms)
        sitting.campaign = campaign
        sitting.promises = PromiseCatalogue.ids
        return sitting
    }

    private var terms: SoakTerms {
        var terms = SoakTerms()
        (terms.seconds, terms.runs, terms.groups) = (time?.seconds, runs, untilFailures)
        terms.jobs = atOnce.jobs
        terms.watchdog = limits.patience.given
        terms.memory = limits.deviceMemory?.bytes
        terms.shard = part.shard == .all ? nil : part.shard
        (terms.baseline, terms.acknowledged, terms.metrics) = (baseline, acknowledged, metrics)
        terms.keep = keep.map { Int(clamping: $0.bytes) }
        return terms
    }

    private func makePlan(seed: UInt64) throws -> SoakPlan {
        let list = try TaskList(paths: paths).matching(named.filter)
        let tasks = try under.played(list).tasks(seeds: seed...seed, defects: switched.defect)
        return try SoakPlan(
            of: tasks.trials, defects: switched.defect, firstSeed: seed,
            tool: RunSettings.ofThisProgram.files.tool
        ) { try Repertoire(of: $0, with: limits.settings(), jobs: atOnce.jobs) }
    }
}
