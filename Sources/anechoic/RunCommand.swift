import ArgumentParser
import Campaigns
import Orchestration
import Scenarios
import Schedules
import Simulation

/// `anechoic run`.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run topologies and judge them.",
        discussion: """
            Every file of a folder is run with every seed. Each run leaves OUT/NAME/SEED/ with the \
            verdict, the trace, a replay file, captures for Wireshark and the devices' logs.
            """)

    @Argument(help: "Topology files, or folders of them.", completion: .file(extensions: ["yaml"]))
    var paths: [String]

    @Option(help: "The seed of the draws.")
    var seed: UInt64?

    @Option(
        help: ArgumentHelp("A range of seeds.", valueName: "first..last"),
        transform: SeedRange.init)
    var seeds: SeedRange?

    @Option(help: "Who picks the next event.")
    var scheduler = Strategy.random

    @OptionGroup var switched: DefectOption

    @OptionGroup var atOnce: JobsOption

    @OptionGroup var options: RunOptions

    func validate() throws {
        if seed != nil && seeds != nil {
            throw ValidationError("--seed and --seeds exclude one another")
        }
    }

    func run() throws {
        let range = seeds?.seeds ?? (seed ?? 1)...(seed ?? 1)
        let tasks = try TaskList(paths: paths).tasks(seeds: range, defects: switched.defect)
        var jobs = atOnce.jobs
        if let device = tasks.firstDialIn {
            guard jobs ?? 1 == 1 else {
                throw WrongUse(
                    description: "\(device) dials in, and one run at a time can have it; "
                        + "leave --jobs out")
            }
            jobs = 1
        }
        var settings = options.settings(scheduler: scheduler, defects: switched.defect)
        let sockets =
            tasks.firstDialIn == nil ? nil : try settings.makeSockets(for: tasks.ofOneSeed)
        defer { sockets?.remove() }
        try finish(Campaign(settings, jobs: jobs, format: options.format).run(tasks))
    }
}
