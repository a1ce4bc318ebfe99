import ArgumentParser
import Foundation
import Reports

extension Ink.Choice: ExpressibleByArgument {}

/// Whether results have colours.
struct ColourOption: ParsableArguments {
    @Option(
        name: .customLong("color"),
        help: "Colours: on a terminal unless NO_COLOR is set, always, or never.")
    private var choice = Ink.Choice.auto

    /// The colours.
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

    /// Writes what `body` adds, and ends with the status that it returns.
    ///
    /// - Throws: The status, where it is not 0; what `body` threw, which is in the document as well.
    func answer(
        as command: String, _ body: (inout ResultsDocument) throws -> ExitStatus
    ) throws {
        var document = ResultsDocument(of: command)
        let status: ExitStatus
        do { status = try body(&document) } catch {
            try document.finish(ExitStatus(ending: error), error: sentence(for: error))
            throw error
        }
        try document.finish(status)
        try finish(status)
    }
}
