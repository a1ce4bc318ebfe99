import ArgumentParser
import Artifacts
import Campaigns
import Orchestration
import Reports
import Scenarios
import Schedules

struct RunCommand: ParsableCommand, PlayingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run topologies and judge them.",
        discussion: """
            Every file of a folder is run with every seed. Each run leaves OUT/NAME/SEED/ with the \
            verdict, the trace, a replay file, captures for Wireshark and the devices' logs.

            With --accessory or --app a program plays the reference devices of that kind, and promises \
            alone judge: what a topology expects was written for the devices that are replaced. A \
            topology that expects a violation is omitted.
            """)

    @Argument(help: "Topology files, or folders of them.", completion: .file(extensions: ["yaml"]))
    var paths: [String] = []

    @OptionGroup var named: FilterOption

    @Flag(
        help:
            "Play only the runs that did not hold last time (OUT/.last-failed.json); without paths, all of them."
    )
    var lastFailed = false

    @OptionGroup var first: FirstFailureOption

    @Option(help: "The seed of the draws.", transform: wholeNumber)
    var seed: UInt64?

    @Option(
        help: ArgumentHelp("A range of seeds.", valueName: "first..last"),
        transform: SeedRange.init)
    var seeds: SeedRange?

    @Option(help: "The strategy that picks the next event.")
    var scheduler = Strategy.random

    @OptionGroup var under: SubjectOptions

    @OptionGroup var switched: DefectOption

    @OptionGroup var atOnce: JobsOption

    @OptionGroup var options: RunOptions

    @OptionGroup var amount: AmountOptions

    @OptionGroup var colour: ColourOption

    @OptionGroup var json: JSONOption

    @OptionGroup var reports: ReportOptions

    func validate() throws {
        try json.refuse(tap: options.format == .tap)
        if paths.isEmpty, !lastFailed {
            throw ValidationError("Missing expected argument '<paths> ...'")
        }
        if lastFailed, seed != nil || seeds != nil {
            throw ValidationError(
                "--last-failed plays the seeds that failed; omit --seed and --seeds")
        }
        if seed != nil && seeds != nil {
            throw ValidationError("--seed and --seeds exclude one another")
        }
    }

    func play(
        into document: ResultsDocument?, noting results: inout TestResults
    ) throws -> ExitStatus {
        let last = lastFailed ? try LastFailed.read(in: options.out ?? "out") : nil
        var tasks = try tasks(last)
        var jobs = atOnce.jobs
        if let device = tasks.firstDialIn {
            guard jobs ?? 1 == 1 else {
                throw WrongUse(
                    "\(device) dials in, and one run at a time can have it; "
                        + "omit --jobs")
            }
            jobs = 1
        }
        var settings = options.settings(scheduler: scheduler, defects: switched.defect)
        if !under.isEmpty {
            let repertoire = try Repertoire(of: tasks.trials, with: settings, jobs: jobs)
            if let note = repertoire.note { printError(note) }
            tasks = tasks.playing(repertoire)
        }
        let sockets =
            tasks.firstDialIn == nil ? nil : try settings.makeSockets(for: tasks.ofOneSeed)
        defer { sockets?.remove() }
        if tasks.count > 1 || settings.runsTwice {
            try settings.avoidGlobalState(in: tasks.ofOneSeed)
        }
        var manner = Campaign.Manner()
        (manner.isQuiet, manner.isVerbose) = (amount.isBrief, amount.isWhole)
        if first.stops { manner.stops = { $0.status != .held } }
        manner.ink = colour.ink
        var topologies = TopologyResults()
        var counts: [ExitStatus: Int] = [:]
        manner.onReport = {
            topologies.take($0, of: $1.file)
            counts[$0.status, default: 0] += 1
        }
        let status = try Campaign(settings, jobs: jobs, format: options.format, manner: manner)
            .run(tasks, into: document, after: last)
        results.found = topologies.suites
        results.conclusion = Console.summary(counts, of: tasks.count)
        return status
    }

    private func tasks(_ last: LastFailed?) throws -> TaskList.Tasks {
        guard let last else {
            let range = seeds?.seeds ?? (seed ?? 1)...(seed ?? 1)
            return try under.played(TaskList(paths: paths).matching(named.filter))
                .tasks(seeds: range, defects: switched.defect)
        }
        let list = try paths.isEmpty ? TaskList(of: last) : TaskList(paths: paths)
        return try under.played(list.matching(named.filter))
            .tasks(of: last, defects: switched.defect)
    }
}
