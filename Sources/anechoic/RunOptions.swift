import ArgumentParser
import Campaigns
import Foundation
import Notation
import Orchestration
import Reports
import Scenarios
import Simulation
import Topologies
import Traces

extension RunSettings.Hosting: ExpressibleByArgument {}
extension RunSettings.Clock: ExpressibleByArgument {}
extension ProcessHosting.Transport: ExpressibleByArgument {}

extension Strategy: ExpressibleByArgument {
    /// `NAME` or `NAME:NUMBER`.
    public init?(argument: String) { self.init(argument) }

    /// For help and completion.
    public static var allValueStrings: [String] { names }

    /// As it is written.
    public var defaultValueDescription: String { name }
}

extension RunSettings.Defect: ExpressibleByArgument {
    /// `DEVICE=NAME`.
    public init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        self.init(device: String(parts[0]), name: String(parts[1]))
    }
}

/// `1..100` or `7`.
struct SeedRange {
    let seeds: ClosedRange<UInt64>
    private static let limit: UInt64 = 10_000_000

    init(_ text: String) throws {
        let parts = text.components(separatedBy: "..")
        guard parts.count <= 2, let first = UInt64(parts[0]),
            let last = UInt64(parts[parts.count - 1])
        else {
            throw ValidationError("expected FIRST..LAST, for example 1..100, or one seed")
        }
        guard first <= last else {
            throw ValidationError("the first seed is greater than the last")
        }
        guard last - first < Self.limit else {
            throw ValidationError("expected at most \(Self.limit) seeds")
        }
        seeds = first...last
    }
}

/// A time by the wall clock, written as durations in a topology are: `500ms`, `90s`, `10min` or `2h`.
struct WallTime: CustomStringConvertible {
    private let nanoseconds: UInt64

    init(seconds: UInt64) { nanoseconds = seconds * 1_000_000_000 }

    /// In the units of a topology, or in hours; `m` is no length here.
    init(_ text: String) throws {
        let number = text.dropLast()
        let value: Int64? =
            switch text.last {
            case "h":
                (try? Quantity.duration.value(of: number + "min"))
                    .map { $0.multipliedReportingOverflow(by: 60) }
                    .flatMap { $0.overflow ? nil : $0.partialValue }
            case "m": try? Quantity.duration.value(of: number + "min")
            default: try? Quantity.duration.value(of: text)
            }
        guard let value, value > 0 else {
            throw ValidationError("\(text): expected a time, for example 500ms, 90s, 10min or 2h")
        }
        nanoseconds = UInt64(value)
    }

    var seconds: Double { Double(nanoseconds) / 1e9 }

    var milliseconds: UInt64 { nanoseconds / 1_000_000 }

    var description: String { Quantity.duration.text(of: Int64(nanoseconds)) }
}

/// Which defects are switched on.
struct DefectOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Switch a defect of a reference device on.", valueName: "device=name"))
    var defect: [RunSettings.Defect] = []
}

/// How many runs at a time.
struct JobsOption: ParsableArguments {
    @Option(
        help: "How many runs at a time; by default one for each core where there are many runs.")
    var jobs: Int?

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs \(jobs): expected at least 1") }
    }
}

/// How patient we are with a device.
struct WatchdogOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("How long a turn may take by the wall clock.", valueName: "time"),
        transform: WallTime.init)
    private var watchdog = WallTime(seconds: 5)

    /// How long a turn may take, in milliseconds.
    var milliseconds: UInt64 { watchdog.milliseconds }

    func validate() throws {
        guard (10...UInt64(86_400_000)).contains(milliseconds) else {
            throw ValidationError("--watchdog: expected 10ms to 24h")
        }
    }
}

/// A number of bytes: `512MB`, `64KB` or `2GB`, in powers of 1024.
struct ByteCount {
    let bytes: UInt64

    init(_ text: String) throws {
        let units: [String: UInt64] = ["KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30]
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard let value = UInt64(number), value > 0,
            let unit = units[text.dropFirst(number.count).uppercased()],
            case (let bytes, false) = value.multipliedReportingOverflow(by: unit)
        else { throw ValidationError("\(text): expected a size, for example 512MB or 2GB") }
        self.bytes = bytes
    }
}

/// What a device of somebody else's may cost.
struct DeviceLimits: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The most memory (address space) that somebody else's program may have: 512MB. (default: "
                + "no limit)",
            valueName: "size"),
        transform: ByteCount.init)
    var deviceMemory: ByteCount?
}

/// What the commands that run something have in common.
struct RunOptions: ParsableArguments {
    @Option(help: "Where devices live.")
    var hosting = RunSettings.Hosting.process

    @Option(help: "Whether virtual time runs free or keeps pace with the wall clock.")
    var clock = RunSettings.Clock.virtual

    @Option(help: "How devices by process are joined to the orchestrator.")
    var transport = ProcessHosting.Transport.pipes

    @Flag(help: "Start new processes for every run instead of resetting those of the last one.")
    var freshProcesses = false

    @Flag(help: "Run everything twice and name the first step that differs.")
    var twice = false

    @Option(
        help: ArgumentHelp(
            "Where devices that dial in find us, as FOLDER/DEVICE.sock; others must not be able to "
                + "write there. (default: a new folder, which is shown)",
            valueName: "folder"))
    var sockets: String?

    @OptionGroup var patience: WatchdogOption

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
            "Show results as a table or as one JSON document.", valueName: "text|json"))
    var format = OutputFormat.text

    /// The settings these options stand for.
    func settings(scheduler: Strategy, defects: [RunSettings.Defect])
        -> RunSettings
    {
        var settings = RunSettings.ofThisProgram
        settings.scheduler = scheduler
        settings.hosting = hosting
        settings.clock = clock
        settings.transport = transport.rawValue
        settings.sockets = sockets
        settings.usesFreshProcesses = freshProcesses
        settings.runsTwice = twice
        settings.watchdog = patience.milliseconds
        settings.deviceMemory = limits.deviceMemory?.bytes ?? 0
        settings.tracesTurns = traceTurns
        settings.output = noOut ? nil : out ?? "out"
        settings.defects = defects
        return settings
    }
}

extension RunSettings {
    /// Makes the folder of the sockets where devices dial in, and says where it is; nil where none does.
    mutating func makeSockets(for tasks: some Sequence<RunTask>) throws -> SocketsFolder? {
        let topologies = try tasks.lazy.map {
            try Topology(parsing: Array($0.text.utf8), name: $0.name, file: $0.file)
        }
        let devices = topologies.flatMap(\.devices).filter(\.dialsIn).map(\.name)
        guard !devices.isEmpty else { return nil }
        let made = try SocketsFolder(sockets)
        if sockets == nil {
            for device in Set(devices).sorted() {
                printError("\(device) dials in: \(made.path)/\(device).sock")
            }
        }
        sockets = made.path
        return made
    }

    /// Keeps a replay from writing over another run: what it leaves goes to `replay`, beside its file, unless
    /// the user names an output tree.
    ///
    /// - Throws: `WrongUse` where the run would stand in that tree where its own file does.
    mutating func repeats(_ file: String, _ recording: Replay, into tree: String?) throws {
        guard output != nil else { return }
        let original = URL(filePath: file).deletingLastPathComponent()
        guard let tree else {
            folder = original.appending(path: "replay").relativePath
            output = folder
            return
        }
        let name = try PathName(recording.name)
        let place = OutputTree.folder(of: name, seed: recording.seed, in: tree)
        guard !isSameFolder(place, original.path) else {
            throw WrongUse(
                description:
                    "--out \(tree): the replay would take the place of the run that it repeats, "
                    + "\(place); leave --out out, or name another folder")
        }
    }
}

extension OutputFormat: ExpressibleByArgument {}

extension FaultSource: ExpressibleByArgument {}

extension Search: ExpressibleByArgument {
    /// For help and completion.
    public static var allValueStrings: [String] { Strategy.names + ["exhaustive:N"] }
}
