import ArgumentParser
import Artifacts
import Campaigns
import Foundation
import Orchestration
import Pages
import Reports
import Scenarios
import Topologies
import UV

struct ExploreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore", abstract: "Look for schedules that break a promise.",
        discussion: """
            Runs topologies with one seed after another, and each seed with another strategy of the \
            portfolio, until the runs are done, the time is up, or enough ways to fail are found. Before \
            it reports a failure it confirms it by processes, three times; the failure leaves \
            OUT/NAME/SEED/ with its replay file. OUT/explore.json keeps how far it came. If a topology \
            starts programs (run:), it plays everything by processes.

            With --accessory or --app a program plays the reference devices of that kind, and promises \
            alone judge: what a topology expects was written for the devices that are replaced. A \
            topology that expects a violation is omitted.

            Exit status: 0 nothing failed, 1 a violation, 2 nothing was played, or nothing decided, \
            3 a device failed, 70 a failure did not repeat, 130 interrupted; what was found until then \
            is reported, and confirmed when --resume goes on.
            """)

    @OptionGroup var meant: TopologiesArgument

    @Option(
        help:
            "How many runs, in lots of 16. (default: 1000; no limit with --for, a sweep or exhaustive:N)",
        transform: wholeNumber)
    var runs: UInt64?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The duration: 90s, 10min or 2h.", valueName: "time"),
        transform: WallTime.init)
    var time: WallTime?

    @Option(
        help: ArgumentHelp(
            "How the next event is picked; exhaustive:N plays every schedule that puts off at most N "
                + "events. (default: portfolio; a sweep has the plain timing first)"))
    var strategy: Search?

    @Option(
        help: ArgumentHelp(
            "Faults beside those of the script: random, a swarm at the rates of the topology; or sweep, "
                + "each at every moment of the plain run, and again and again. Expectations are omitted: promises alone judge.",
            valueName: "random|sweep"))
    var faults: FaultSource?

    @Option(
        help: ArgumentHelp(
            "How many schedules a sweep plays each fault under: the plain one, then the portfolio's for "
                + "the next seeds. (default: \(Self.standardSchedules))", valueName: "n"))
    var schedules: Int?

    @Option(
        help: ArgumentHelp("Stop after this many different failures.", valueName: "n"),
        transform: wholeNumber)
    var untilFailures: Int?

    @Option(help: "The first seed.", transform: wholeNumber)
    var seed: UInt64 = 1

    @OptionGroup var under: SubjectOptions

    @OptionGroup var switched: DefectOption

    @Option(
        help: ArgumentHelp(
            "How devices are hosted while exploring; failures are confirmed by processes. (default: inline, or "
                + "process if a topology starts a program)"))
    var hosting: RunSettings.Hosting?

    @OptionGroup var part: ShardOption

    @OptionGroup var atOnce: JobsOption

    @OptionGroup var limits: DeviceLimits

    @OptionGroup var trust: TrustOption

    @Flag(help: "Go on where an earlier exploration into the same folder stopped.")
    var resume = false

    @Option(help: ArgumentHelp("Folder of the output tree.", valueName: "folder"))
    var out = "out"

    @Option(
        help: ArgumentHelp(
            "Show results as text, as one JSON document, or as TAP 13.", valueName: "text|json|tap")
    )
    var format = OutputFormat.text

    @OptionGroup var first: FirstFailureOption

    @OptionGroup var amount: AmountOptions

    @OptionGroup var colour: ColourOption

    @OptionGroup var json: JSONOption

    @OptionGroup var reports: ReportOptions

    func validate() throws {
        try json.refuse(tap: format == .tap)
        if first.stops, untilFailures != nil {
            throw ValidationError("-x means --until-failures 1; omit one of them")
        }
        if let runs, runs < 1 { throw ValidationError("--runs \(runs): expected at least 1") }
        if let untilFailures, untilFailures < 1 {
            throw ValidationError("--until-failures \(untilFailures): expected at least 1")
        }
        if let schedules {
            guard faults == .sweep else {
                throw ValidationError("--schedules is for --faults sweep")
            }
            guard (1...1_000).contains(schedules) else {
                throw ValidationError("--schedules \(schedules): expected 1 to 1000")
            }
        }
        if strategy?.isExhaustive == true, part.shard != .all {
            throw ValidationError(
                "--strategy \(search.rawValue) and --shard: expected one of them, because its schedules "
                    + "follow from one another")
        }
        if strategy?.isExhaustive == true, let faults {
            throw ValidationError(
                "--strategy \(search.rawValue) and --faults \(faults): expected one of them, because "
                    + "an exhaustive search draws nothing")
        }
    }

    func run() throws {
        guard json.isOn else { return try finish(explore { _ in }) }
        try json.answer(as: "explore") { document in try explore { try document.add($0) } }
    }

    private func explore(_ tell: (ExplorationReport) throws -> Void) throws -> ExitStatus {
        try reports.reporting(of: "explore", tap: format == .tap) {
            try explore(noting: &$0, tell)
        }
    }

    /// Explores, and shows what was found or hands it over.
    private func explore(
        noting results: inout TestResults, _ tell: (ExplorationReport) throws -> Void
    ) throws -> ExitStatus {
        let all = try under.played(meant.list()).tasks(
            seeds: seed...seed, defects: switched.defect)
        var tasks = Array(all)
        var settings = settings(try hosting(of: tasks))
        let file = "\(out)/\(ExplorationMerge.Files.ofExplore.exploration)"
        guard !resume || InputFile.exists(file) else {
            throw WrongUse(
                "--resume: there is no \(file); expected the --out of the exploration to go on with "
                    + "(without --resume one begins)")
        }
        try OutputTree.prepare(out)
        try KeptResults.check(ExplorationPage.file, in: out)
        let repertoire = try Repertoire(of: all.trials, with: settings, jobs: atOnce.jobs)
        if let note = repertoire.note { printError(note) }
        tasks = repertoire.tasks
        try settings.avoidGlobalState(in: tasks)
        let plan = Exploration.Plan(
            tool: settings.files.tool, search: search, faults: faults, hosting: settings.hosting,
            defects: switched.defect, topologies: try provoked(tasks), firstSeed: seed,
            schedules: faults == .sweep ? schedules ?? Self.standardSchedules : 1)
        let lock = try lock(file)
        defer { lock.release() }
        let begun = resume ? try Exploration(resuming: plan, from: file) : nil
        // What it plays is of the user's files, what it confirms of the one that it resumes.
        if let begun {
            try trust.demand(for: file, running: begun.failures.map(\.task), known: plan.topologies)
        }
        var exploration = begun ?? Exploration(plan)
        if faults == .sweep { exploration.sweep(over: try plan.sweeps(settings)) }
        let explorer = Explorer(
            exploration, settings: settings, file: file,
            limits: Explorer.Limits(
                runs: runs ?? (time == nil && !ends ? 1_000 : .max),
                seconds: time?.seconds ?? .infinity,
                failures: first.stops ? 1 : untilFailures ?? .max, shard: part.shard))
        // One that is killed, or still goes on, has a page, too.
        explorer.onKeep = { [out] in try KeptResults.write($0, as: ExplorationPage.file, in: out) }
        let jobs = atOnce.jobs ?? ProcessInfo.processInfo.activeProcessorCount
        try explorer.explore(jobs: jobs)
        let findings = try explorer.confirm(into: out)
        try show(explorer.exploration, findings: findings, tell: tell)
        results.found = explorer.exploration.suites(findings)
        results.conclusion = explorer.exploration.summary(findings)
        // What was found has been told, even where there is no room for it.
        try KeptResults.write(
            ExplorationReport(explorer.exploration, findings: findings), as: ExplorationPage.file,
            in: out)
        if Interruption.isHere { return .interrupted }
        if let trouble = explorer.trouble ?? explorer.workerTrouble {
            printError(trouble)
            results.conclusion = trouble
            return .harnessError
        }
        return ExitStatus(findings).combined(with: explorer.exploration.emptiness)
    }

    private func show(
        _ exploration: Exploration, findings: [Finding],
        tell: (ExplorationReport) throws -> Void
    ) throws {
        let report = ExplorationReport(exploration, findings: findings)
        if json.isOn { return try tell(report) }
        switch format {
        case .json: return try write(Artifacts.json(report), to: STDOUT_FILENO)
        case .tap: return
        case .text: break
        }
        let note = Interruption.isHere ? "interrupted; so far:\n" : ""
        try Reports.show(
            raw: note
                + exploration.text(
                    findings, isBrief: amount.isBrief, isWhole: amount.isWhole, ink: colour.ink))
    }

    /// Makes sure that nobody else explores into this folder, and that what stands there is ours.
    private func lock(_ file: String) throws -> FileLock {
        let path = "\(out)/.explore.lock"
        guard !InputFile.exists(file) || InputFile.exists(path) || Exploration.isKept(in: file)
        else {
            throw WrongUse(
                "\(file) would be replaced, and was not written by anechoic; nothing was "
                    + "changed. Move it away, or choose another folder with --out")
        }
        let lock = try FileLock(path, for: file)
        WholeFile.removeUnfinished(in: out)
        return lock
    }

    /// The plain timing and two more.
    private static let standardSchedules = 3

    private var search: Search {
        strategy ?? .strategy(faults == .sweep ? .sweep(plain: seed) : .portfolio)
    }

    /// Whether there is an end of what can be explored.
    private var ends: Bool { search.isExhaustive || faults == .sweep }

    /// Where devices live while we look.
    ///
    /// - Throws: `WrongUse` where they shall be inline and one of them cannot.
    private func hosting(of tasks: [RunTask]) throws -> RunSettings.Hosting {
        let topologies = try tasks.map { try $0.topology() }
        for topology in topologies { try topology.demandRepeatableRuns() }
        let isForeign = topologies.contains { RunSettings.Hosting(of: $0) == .process }
        guard hosting == .inline else { return hosting ?? (isForeign ? .process : .inline) }
        for topology in topologies { try topology.refuseInline() }
        return .inline
    }

    private func settings(_ hosting: RunSettings.Hosting) -> RunSettings {
        var settings = limits.settings()
        settings.scheduler = search.scheduler
        settings.hosting = hosting
        settings.defects = switched.defect
        return settings
    }

    /// The topologies with the faults that are to be drawn, but for those that have to break something as
    /// they are.
    private func provoked(_ tasks: [RunTask]) throws -> [RunTask] {
        guard let faults else { return tasks }
        let fit = try tasks.filter {
            try $0.topology().mustViolate.isEmpty
        }
        guard !fit.isEmpty else {
            throw WrongUse(
                "--faults \(faults): every one of these topologies expects a violation; "
                    + "expected one that holds without faults")
        }
        if fit.count < tasks.count {
            printError("omitted: \(tasks.count - fit.count) topologies that expect a violation")
        }
        guard faults == .random else { return fit }
        return try fit.map { try $0.withRandomFaults() }
    }
}
