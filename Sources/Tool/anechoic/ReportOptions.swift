import ArgumentParser
import Artifacts
import Campaigns
import Orchestration
import Reports

/// Where other tools find what a command has found.
struct ReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Write JUnit XML, which CI servers read.", valueName: "file"),
        completion: .file())
    private var junit: String?

    @Option(
        help: ArgumentHelp("Write JSON of the Common Test Report Format.", valueName: "file"),
        completion: .file())
    private var ctrf: String?

    @Option(
        help: ArgumentHelp("Write a code quality report, which GitLab shows.", valueName: "file"),
        completion: .file())
    private var codequality: String?

    /// Does what `body` does, and writes what it notes: into files, as TAP, and for GitHub.
    func reporting(
        of command: String, sarif: String? = nil, tap: Bool,
        _ body: (inout TestResults) throws -> ExitStatus
    ) throws -> ExitStatus {
        let paths: [ReportFiles.Format: String?] = [
            .junit: junit, .ctrf: ctrf, .codequality: codequality, .sarif: sarif,
        ]
        let files = try ReportFiles(
            paths.compactMapValues(\.self), tap: tap,
            of: TestResults(unfinished: command, version: Tool.version))
        var results = TestResults(of: command, version: Tool.version)
        do {
            results.status = try body(&results)
        } catch {
            files.fail(TestResults(command, endedBy: error, saying: sentence(for: error)))
            throw error
        }
        try files.finish(results)
        return results.status
    }

    /// Says it in the files of a command that came to nothing before it began, because of how it was called.
    static func answer(_ error: any Error, to arguments: [String]) {
        guard Anechoic.exitCode(for: error) == .validationFailure else { return }
        var paths: [ReportFiles.Format: String] = [:]
        for format in ReportFiles.Format.allCases {
            let (place, begin) = (arguments.lastIndex(of: format.option), format.option + "=")
            paths[format] =
                place.flatMap { arguments.dropFirst($0 + 1).first }
                ?? arguments.last { $0.hasPrefix(begin) }.map { String($0.dropFirst(begin.count)) }
        }
        let results = TestResults(
            arguments.first ?? "", endedBy: error, saying: Anechoic.message(for: error))
        _ = try? ReportFiles(paths, tap: false, of: results, github: GitHub([:]))
    }
}

extension TestResults {
    /// A command that was ended by an error before its end.
    fileprivate init(_ command: String, endedBy error: any Error, saying sentence: String) {
        self.init(of: command, version: Tool.version)
        status = ExitStatus(ending: error)
        conclusion = sentence
        trouble = status == .interrupted ? status.word : "not played"
    }
}

/// Where code hosts find what was not kept.
struct SARIFOption: ParsableArguments {
    @Option(
        name: .customLong("sarif"),
        help: ArgumentHelp(
            "Write SARIF 2.1.0: the clauses and promises that were not kept.", valueName: "file"),
        completion: .file())
    var file: String?
}

struct TAPOption: ParsableArguments {
    @Option(help: ArgumentHelp("Show results as text or as TAP 13.", valueName: "text|tap"))
    private var format = ResultShape.text

    var isTAP: Bool { format == .tap }
}
