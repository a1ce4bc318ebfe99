import ArgumentParser
import Campaigns
import DeviceLink
import Foundation
import Invariants
internal import Monitors
import PromiseLibrary
import Promises
import Reports
import Traces
import Vocabulary
import YAML

struct JudgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge", abstract: "Judge a recorded trace, of a run or of real devices.",
        discussion: """
            A trace has one JSON object a line with number, time (nanoseconds), step and kind; \
            TRACE.md says what else. Without --promises it is judged by the promises that every \
            run is judged by. Exit status: 0 all held, 1 a violation, 2 inconclusive, 65 a wrong \
            file.
            """)

    @Argument(
        help: "A trace.jsonl, or the folder of a run.", completion: .file(extensions: ["jsonl"]))
    var trace: String

    @Option(
        help: ArgumentHelp("Promises to judge by (PROMISES.md).", valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var promises: [String] = []

    @Option(help: ArgumentHelp("Judge by this promise only.", valueName: "promise"))
    var only: [String] = []

    @OptionGroup var shown: QuietOption

    @OptionGroup var verbose: VerboseOption

    @OptionGroup var colour: ColourOption

    @OptionGroup var json: JSONOption

    @OptionGroup var reports: ReportOptions

    @OptionGroup var sarif: SARIFOption

    @OptionGroup var shape: TAPOption

    func validate() throws {
        try json.refuse(tap: shape.isTAP)
        try verbose.refuse(quiet: shown.quiet)
    }

    func run() throws {
        guard json.isOn else {
            return try finish(
                judge { report in
                    guard !shape.isTAP else { return }
                    let table = shown.quiet ? "" : Console.table(report.promises) + "\n"
                    let story = Console.story(report, all: verbose.isOn).map {
                        colour.ink.story(plain($0)) + "\n"
                    }
                    let held = shown.quiet ? "\(plainLine(trace)): \(report.verdict)\n" : ""
                    try show(raw: story.map { table + $0 } ?? table.dropLast() + held)
                })
        }
        try json.answer(as: "judge") { document in try judge { try document.add($0) } }
    }

    private func judge(_ tell: (RunReport) throws -> Void) throws -> ExitStatus {
        try reports.reporting(of: "judge", sarif: sarif.file, tap: shape.isTAP) { results in
            let reader = try TraceFileReader(trace)
            let report = try judge(fresh(), reader)
            try tell(report)
            results.found = [
                report.suite(
                    named: trace, of: reader.file, firstEventAt: reader.firstEventLine)
            ]
            results.conclusion = "\(trace): \(report.verdict)"
            return report.status
        }
    }

    /// A judge by the promises that are asked for.
    private func fresh() throws -> Judge {
        var sets = [PropertyLibrary.standard]
        var written = HandwrittenPromises.monitors()
        if !promises.isEmpty {
            sets = try promises.map(Self.properties)
            written = []
        }
        let known = written.map { type(of: $0).about.id } + sets.flatMap(\.properties).map(\.id)
        if let stranger = only.first(where: { !known.contains($0) }) {
            throw WrongUse(description: "--only \(stranger): there is no such promise")
        }
        if !only.isEmpty {
            written.removeAll { !only.contains(type(of: $0).about.id) }
            for index in sets.indices { sets[index].properties.removeAll { !only.contains($0.id) } }
        }
        return Judge(promises: written, properties: sets.map { CompiledProperties($0) })
    }

    private func judge(_ fresh: Judge, _ reader: TraceFileReader) throws -> RunReport {
        var judge = fresh
        try reader.eachEvent(orElse: "nothing was judged") { judge.observe($0) }
        return RunReport(judge.verdict(), of: reader.header, named: trace)
    }

    /// The promises of a file, which may speak of the library's fluents.
    static func properties(_ file: String) throws -> PropertySet {
        try PropertySet(
            parsing: Array(InputFile.contents(file, expected: "a file of promises")), file: file,
            fluents: PropertyLibrary.standard.fluents)
    }
}
