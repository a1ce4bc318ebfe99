import ArgumentParser
import Artifacts
import Campaigns
import Foundation
import Orchestration
import Pages
import Reports
import Soaks
import YAML

/// The command and its subcommands.
@main
struct Anechoic: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "anechoic",
        abstract: "An anechoic chamber in software for Nearby Interaction.",
        discussion: """
            Spawns simulated Apple devices and accessories as processes, connects them by virtual \
            socket links, plays a scripted topology, and says which promise of the session life \
            cycle was broken, where, why, and how to repeat it.

            Exit status: 0 all promises held, 1 a violation, 2 inconclusive, 3 a device crashed, \
            hung or broke the contract, 64 wrong use, 65 a wrong file, 69 something is not \
            installed, 70 an error of the harness or a run that did not repeat, 130 interrupted.

            With --json a command writes one document, {"command", "results": [...], "status"}, and \
            nothing else; where something went wrong it has "error", and the status is the exit status.

            What a topology may name: anechoic help \(Topic.allCases.map(\.rawValue).joined(separator: "|")).
            """,
        version: Tool.version,
        subcommands: [
            RunCommand.self, ReplayCommand.self, CheckCommand.self, ListCommand.self,
            ShowCommand.self, ReportCommand.self, DiffCommand.self, JudgeCommand.self,
            TopologyFromCommand.self, BundleCommand.self, CompareCommand.self,
            PromisesCommand.self,
            SchemaCommand.self, NewCommand.self,
            ConformCommand.self, DefectsCommand.self,
            ExploreCommand.self, SoakCommand.self, MergeCommand.self, ShrinkCommand.self,
            ExplainCommand.self,
            WorkerCommand.self, LaunchCommand.self, WardenCommand.self, TopicCommand.self,
        ])

    static func main() {
        openStandardDescriptors()
        demandProcessFolder()
        let arguments = joined(Array(CommandLine.arguments.dropFirst()))
        hearSignals()
        ForeignProgram.adoptOrphans()
        do {
            // What becomes somebody else's program has signals as that wants them.
            if CommandLine.arguments.dropFirst().first != LaunchCommand.name {
                try Interruption.listen()
            }
            try checkWords(arguments)
            var command = try parseAsRoot(TopicCommand.arguments(for: arguments) ?? arguments)
            try command.run()
        } catch {
            JSONOption.answer(error, to: arguments)
            ReportOptions.answer(error, to: arguments)
            end(with: error)
        }
        // The command may have come to its end although it was interrupted.
        if Interruption.isHere, !Interruption.isTimeUp {
            exit(withError: ExitCode(ExitStatus.interrupted.rawValue))
        }
    }

    private static func end(with error: any Error) -> Never {
        let status = ExitStatus(of: error)
        if status != nil {
            printError(sentence(for: error))
            GitHub.ofThisProcess.annotate(Annotations.lines(of: error))
        }
        if Interruption.isHere, !Interruption.isTimeUp {
            exit(withError: ExitCode(ExitStatus.interrupted.rawValue))
        }
        guard let status else { exit(withError: error) }
        exit(withError: ExitCode(status.rawValue))
    }
}

/// Opens what the caller has closed: what is opened next would take the place of standard output.
private func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
        _ = open("/dev/null", O_RDWR)
    }
}

/// Without /proc a program does not even know its own arguments.
private func demandProcessFolder() {
    guard access("/proc/self/cmdline", R_OK) != 0 else { return }
    printError(
        "there is no /proc here, without which no program can be watched; mount it: mount -t proc proc /proc"
    )
    exit(ExitStatus.unavailable.rawValue)
}

/// Unblocks every signal: a program that starts us from a thread without signals (one of Dispatch, say)
/// hands that on, and we would never hear of a device's end or of Ctrl-C.
private func hearSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    // A reader that has gone must not end us.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow is an error with a sentence, as a full disk is.
    signal(SIGXFSZ, SIG_IGN)
}

extension ExitStatus {
    /// The status that the command ends with because of what was thrown.
    init(ending error: any Error) {
        let code = Anechoic.exitCode(for: error).rawValue
        self = ExitStatus(of: error) ?? ExitStatus(rawValue: code) ?? .wrongUse
    }

    /// The status for what was thrown; nil where the argument parser knows better: help, wrong use, or
    /// a status that was thrown as such.
    fileprivate init?(of error: any Error) {
        switch error {
        case is DocumentError, is Replay.ReadError, is InputError, is HistoryRefusal, is DamagedRow:
            self = .wrongFile
        case is ChartLibrary.Missing: self = .unavailable
        case is Repertoire.IsEmpty: self = .deviceFailed
        case is WrongName, is GoesByTheWallClock, is WrongUse: self = .wrongUse
        case let error as ArtifactError where error.isWrongPlace: self = .wrongUse
        case is Interruption: self = .interrupted
        case is CleanExit, is ValidationError, is ExitCode: return nil
        default:
            // Errors of the parser itself are not public; they are all about use.
            guard Anechoic.exitCode(for: error) != .validationFailure else { return nil }
            guard Anechoic.exitCode(for: error) != .success else { return nil }
            self = .harnessError
        }
    }
}

/// Ends the command with a status; 0 simply returns.
func finish(_ status: ExitStatus) throws {
    if status != .held { throw ExitCode(status.rawValue) }
}
