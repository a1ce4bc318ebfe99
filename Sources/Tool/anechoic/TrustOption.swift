import ArgumentParser
import Artifacts
import Basics
import Campaigns
import Diagnosis
import Foundation
import Orchestration
import Reports
import Scenarios

/// Whether the programs that a file names may be run: who made the file decides what runs here.
struct TrustOption: ParsableArguments {
    @Flag(help: "Run the programs that the file names (run:) without asking.")
    var trust = false

    /// Says which programs a file would run, and asks whether they may; returns at once where there are
    /// none but those of `known` runs, which the user has named himself, and those that he has `trusted` before and that
    /// are still the same.
    ///
    /// A replay plays what goes by the wall clock from its recording.
    ///
    /// - Throws: `WrongUse` where they may not, or nobody is there to be asked; `DocumentError`.
    func demand(
        for file: String, running tasks: [RunTask], known: [RunTask] = [],
        trusted: [ProgramMark] = [],
        started places: [RunSettings.ProgramPlace] = [], isReplay: Bool = false
    ) throws {
        guard !trust else { return }
        let known = Set(try known.flatMap { try $0.programs() })
        let trusted = Set(trusted)
        let marks = ProgramMarks()
        let strange = try tasks.filter { task in
            try trusted.isEmpty || !marks.marks(of: task).allSatisfy(trusted.contains)
        }
        let programs = try strange.flatMap { try $0.programs(started: places, isReplay: isReplay) }
            .filter { !known.contains($0) }
        guard !programs.isEmpty else { return }
        let list = programs.sorted().uniqued
        printError("\(file) runs programs of this machine:\n  " + list.joined(separator: "\n  "))
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw WrongUse("\(file): add --trust to run them, if you know where the file is from")
        }
        try? write(Data("Run them? [y/N] ".utf8), to: STDERR_FILENO)
        guard ["y", "yes"].contains(readLine()?.lowercased()) else {
            throw WrongUse("\(file): not run")
        }
    }
}

/// Where programs are on this machine.
struct ProgramOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The path of this device's program on this machine, once for each device; the topology has "
                + "its path on the other one.", valueName: "device=path"))
    var program: [RunSettings.ProgramPlace] = []
}

/// The failed run that a command starts from.
struct FailureOptions: ParsableArguments {
    @Argument(
        help: "A replay.json of a run that failed.", completion: .file(extensions: ["json"]))
    private var file: String

    @OptionGroup private var patience: WatchdogOption

    @OptionGroup private var places: ProgramOption

    @OptionGroup private var trust: TrustOption

    /// Reads the run, and makes sure that its programs may be started.
    func failure() throws -> FailingRun {
        try Replay.read(file).tellDifferences(of: file, programs: places.program)
        var failure = try FailingRun(
            file, watchdog: patience.milliseconds, programs: places.program)
        try trust.demand(for: file, running: [failure.task], started: places.program)
        try failure.avoidGlobalState()
        return failure
    }
}

extension RunTask {
    /// The programs of somebody else's that it starts, each in words.
    fileprivate func programs(
        started places: [RunSettings.ProgramPlace] = [], isReplay: Bool = false
    ) throws -> [String] {
        let topology = try topology(programs: places)
        return topology.devices.filter { !isReplay || !$0.goesByTheWallClock }.compactMap {
            device in
            // A program that the user has named himself, with nothing else that comes from the file.
            let isNamed =
                device.command?.count == 1 && device.environment.isEmpty
                && places.contains { $0.isOf(device.name) }
            return isNamed
                ? nil
                : device.command.map { command in
                    let words = device.environment + command
                    return plainLine(words.map(shellWord).joined(separator: " ") + "  (in \(base))")
                }
        }
    }
}
