import AccessoryProtocol
import ArgumentParser
import Artifacts
import Campaigns
import Foundation
import Reports

extension Ink.Choice: ExpressibleByArgument {}

struct ColourOption: ParsableArguments {
    @Option(
        name: .customLong("color"),
        help: "Colours: on a terminal unless NO_COLOR is set, always, or never.")
    private var choice = Ink.Choice.auto

    var ink: Ink { Ink(choice) }
}

/// Whether results are for programs.
struct JSONOption: ParsableArguments {
    @Flag(
        name: .customLong("json"),
        help: ArgumentHelp(
            "Write one JSON document and nothing else: {\"command\", \"results\": [...], \"status\"}, with "
                + "\"error\" where something went wrong. The status is the exit status."))
    var isOn = false

    /// Writes the document of a command that came to nothing before it began, because of how it was called.
    static func answer(_ error: any Error, to arguments: [String]) {
        guard arguments.contains("--json"), !(error is ExitCode), !(error is CleanExit) else {
            return
        }
        let document = ResultsDocument(of: arguments.first ?? "")
        let words = Anechoic.message(for: error)
        try? document.finish(ExitStatus(ending: error), error: words)
    }

    /// - Throws: `ValidationError` where TAP is asked for beside it.
    func refuse(tap: Bool) throws {
        guard isOn, tap else { return }
        throw ValidationError("--json and --format tap exclude one another: one document at a time")
    }

    /// Writes what `body` adds, and ends with the status that it returns.
    ///
    /// - Throws: The status, where it is not 0; what `body` threw, which is in the document as well.
    func answer(as command: String, _ body: (ResultsDocument) throws -> ExitStatus) throws {
        let document = ResultsDocument(of: command)
        let status: ExitStatus
        do { status = try body(document) } catch {
            let status = ExitStatus(ending: error)
            try document.finish(status, error: sentence(for: error))
            printError(sentence(for: error))
            GitHub.ofThisProcess.annotate(Annotations.lines(of: error))
            throw ExitCode(status.rawValue)
        }
        try document.finish(status)
        try finish(status)
    }
}

/// Which topologies are meant.
struct FilterOption: ParsableArguments {
    @Option(
        name: [.customShort("k"), .customLong("filter")],
        help: ArgumentHelp(
            "Only names that match: a part of a name, or parts joined by and, or, not: "
                + "\"dropout and not scale\".", valueName: "expression"))
    private var expression: String?

    /// The filter; nil where all are meant.
    var filter: NameFilter? { get throws { try expression.map { try NameFilter($0) } } }
}

/// The topologies that a command is about.
struct TopologiesArgument: ParsableArguments {
    @Argument(help: "Topology files, or folders of them.", completion: .file(extensions: ["yaml"]))
    private var paths: [String]

    @OptionGroup private var named: FilterOption

    /// Reads the files that are meant, without checking them.
    func list() throws -> TaskList { try TaskList(paths: paths).matching(named.filter) }
}

/// Which part of it all this machine plays.
struct ShardOption: ParsableArguments {
    @Option(
        name: .customLong("shard"),
        help: ArgumentHelp(
            "Play a part of it: 2/8. All parts together are the whole; join them with merge.",
            valueName: "i/n"),
        transform: demanding("a part of at most \(Shard.most), for example 2/8", Shard.init))
    var shard = Shard.all
}

/// The services that carry messages in a capture, besides those that everybody knows.
struct ServiceOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A service that carries messages in a capture, besides Qorvo's and the Nordic UART Service: "
                + "its UUID, that of the characteristic that the app writes, and of the one that notifies.",
            valueName: "uuid/uuid/uuid"),
        transform: demanding("three UUIDs with / between them", MessageService.init))
    var service: [MessageService] = []
}

struct QuietOption: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Show only what failed, and the summary.")
    var quiet = false
}

struct AmountOptions: ParsableArguments {
    @OptionGroup private var brief: QuietOption

    @Flag(
        name: [.customShort("v"), .customLong("verbose")],
        help:
            "Show all that there is: each run, each violation of a promise, and lines that are not cut."
    )
    var isWhole = false

    var isBrief: Bool { brief.quiet }

    func validate() throws {
        if isWhole, isBrief { throw ValidationError("--quiet and --verbose exclude one another") }
    }
}

struct FirstFailureOption: ParsableArguments {
    @Flag(
        name: [.customShort("x"), .customLong("exit-first")],
        help: "Stop at the first run that does not hold.")
    var stops = false
}
