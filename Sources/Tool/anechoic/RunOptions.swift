import ArgumentParser
import Artifacts
import Basics
import Campaigns
import Foundation
import Orchestration
import Reports
import Scenarios
import Schedules

struct DefectOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Switch a defect of a reference device on.", valueName: "device=name"))
    var defect: [RunSettings.Defect] = []
}

struct JobsOption: ParsableArguments {
    @Option(
        help: "The number of runs at a time. (default: one for each core)", transform: wholeNumber)
    var jobs: Int?

    var number: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs \(jobs): expected at least 1") }
    }
}

/// How patient we are with a device.
struct WatchdogOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How long a turn may take by the wall clock. (default: 5s)", valueName: "time"),
        transform: WallTime.init)
    private var watchdog: WallTime?

    /// The same in milliseconds; nil where nobody says so.
    var given: UInt64? { watchdog?.milliseconds }

    /// How long a turn may take, in milliseconds.
    var milliseconds: UInt64 { given ?? 5_000 }

    func validate() throws {
        guard (10...UInt64(86_400_000)).contains(milliseconds) else {
            throw ValidationError("--watchdog: expected 10ms to 24h")
        }
    }
}

/// What a device of somebody else's may cost.
struct DeviceLimits: ParsableArguments {
    @OptionGroup var patience: WatchdogOption

    @Option(
        help: ArgumentHelp(
            "The most memory (address space) that somebody else's program may have: 512MB. (default: "
                + "no limit)",
            valueName: "size"),
        transform: ByteCount.init)
    var deviceMemory: ByteCount?

    /// Settings of this program with these limits, which leave an output tree in a folder.
    func settings(leaving tree: String? = nil) -> RunSettings {
        var settings = RunSettings.ofThisProgram
        settings.processes.watchdog = patience.milliseconds
        settings.processes.memory = deviceMemory?.bytes ?? 0
        settings.files.tree = tree
        return settings
    }
}

/// What the commands that run something have in common.
struct RunOptions: ParsableArguments {
    @Option(help: "Whether devices are processes of their own, or live inside of anechoic.")
    var hosting = RunSettings.Hosting.process

    @Option(help: "Whether virtual time runs free or keeps pace with the wall clock.")
    var clock = RunSettings.Clock.virtual

    @Option(help: "How device processes are connected to the orchestrator.")
    var transport = ProcessHosting.Transport.pipes

    @Flag(help: "Start new processes for every run instead of resetting those of the last one.")
    var freshProcesses = false

    @Flag(help: "Run everything twice and name the first step that differs.")
    var twice = false

    @Option(
        help: ArgumentHelp(
            "Folder of the sockets for devices that dial in, FOLDER/DEVICE.sock; nobody else may be "
                + "able to write there. (default: a new folder, which is shown)",
            valueName: "folder"))
    var sockets: String?

    @OptionGroup var limits: DeviceLimits

    @Option(
        help: ArgumentHelp(
            "Folder of the output tree. (default: out; what a replay leaves goes to replay, beside its "
                + "file)", valueName: "folder"))
    var out: String?

    @Flag(help: "Write no files.")
    var noOut = false

    @Flag(help: "Trace every turn of every device (device.turn).")
    var traceTurns = false

    @Option(
        help: ArgumentHelp(
            "Show results as a table, as one JSON document, or as TAP 13.",
            valueName: "text|json|tap"))
    var format = OutputFormat.text

    func settings(scheduler: Strategy, defects: [RunSettings.Defect]) -> RunSettings {
        var settings = limits.settings(leaving: noOut ? nil : out ?? "out")
        settings.scheduler = scheduler
        settings.hosting = hosting
        settings.clock = clock
        settings.processes.transport = transport
        settings.processes.sockets = sockets
        settings.processes.usesFreshProcesses = freshProcesses
        settings.runsTwice = twice
        settings.tracesTurns = traceTurns
        settings.defects = defects
        return settings
    }
}

/// A command that plays runs, and answers with their results.
protocol PlayingCommand: ParsableCommand {
    var options: RunOptions { get }
    var json: JSONOption { get }
    var reports: ReportOptions { get }

    func play(
        into document: ResultsDocument?, noting results: inout TestResults
    ) throws -> ExitStatus
}

extension PlayingCommand {
    func run() throws {
        guard json.isOn else { return try finish(play(into: nil)) }
        try json.answer(as: Self._commandName) { try play(into: $0) }
    }

    private func play(into document: ResultsDocument?) throws -> ExitStatus {
        try reports.reporting(of: Self._commandName, tap: options.format == .tap) {
            try play(into: document, noting: &$0)
        }
    }
}

extension RunSettings {
    /// Makes the folder of the sockets where devices dial in, and says where it is; nil where none does.
    mutating func makeSockets(for tasks: some Sequence<RunTask>) throws -> SocketsFolder? {
        let devices = try tasks.flatMap { try $0.topology().devices.filter(\.dialsIn).map(\.name) }
        guard !devices.isEmpty else { return nil }
        let made = try SocketsFolder(processes.sockets)
        if processes.sockets == nil {
            for device in Set(devices).sorted() {
                printError("\(device) dials in: \(made.path)/\(device).sock")
            }
        }
        processes.sockets = made.path
        return made
    }

    /// Keeps a replay from writing over another run: what it leaves goes to `replay`, beside its file, unless
    /// the user names an output tree.
    ///
    /// - Throws: `WrongUse` where the run would stand in that tree where its own file does.
    mutating func repeats(_ recording: Replay, from file: String, into tree: String?) throws {
        guard files.tree != nil else { return }
        let original = URL(filePath: file).deletingLastPathComponent()
        guard let tree else {
            files.folder = original.appending(path: "replay").relativePath
            files.tree = files.folder
            return
        }
        let name = try PathName(recording.name)
        let place = OutputTree.folder(of: name, seed: recording.seed, in: tree)
        guard !isSameFolder(place, as: original.path) else {
            throw WrongUse(
                "--out \(tree): the replay would take the place of the run that it repeats, "
                    + "\(place); omit --out, or name another folder")
        }
    }
}
