import ArgumentParser
import DeviceLink
import Foundation
import Invariants
import Promises
import Reports
import Topologies
import Traces

/// `anechoic judge`.
struct JudgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge", abstract: "Judge a recorded trace, of a run or of real devices.",
        discussion: """
            A trace has one JSON object a line with number, time (nanoseconds), step and kind; \
            TRACE.md says what else. Without --promises it is judged by the promises that every \
            run is judged by. Exit status: 0 all held, 1 a violation, 2 inconclusive, 65 a wrong \
            file.
            """)

    @Argument(help: "A trace.jsonl.", completion: .file(extensions: ["jsonl"]))
    var trace: String

    @Option(
        help: ArgumentHelp("Promises to judge by (PROMISES.md).", valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var promises: [String] = []

    func run() throws {
        try finish(promises.isEmpty ? judgeByCatalogue() : judgeByFiles())
    }

    private func judgeByCatalogue() throws -> ExitStatus {
        var judge = Judge()
        try TraceFileReader(trace).forEach { judge.observe($0) }
        let verdict = judge.verdict()
        var report = RunReport(
            topology: trace, seed: 0, scheduler: "", status: ExitStatus(verdict), ended: "",
            digest: "", steps: 0, simulated: verdict.end.nanoseconds)
        report.take(verdict)
        let rows = report.promises.map {
            [$0.promise, $0.verdict, "\($0.exercised)", "\($0.excused)", ""]
        }
        try show(table(rows) + (Console.story(report).map { "\n\($0)\n" } ?? ""))
        return report.status
    }

    private func judgeByFiles() throws -> ExitStatus {
        var sets: [PropertySet] = []
        for file in promises {
            let data = try Self.contents(file)
            sets.append(try PropertySet(parsing: Array(data), file: file))
        }
        var books = sets.map(PropertyBook.init)
        try TraceFileReader(trace).forEach { event in
            for index in books.indices { books[index].observe(event) }
        }
        let results = zip(sets, books.indices).flatMap { set, index in
            Array(zip(set.properties, books[index].findings()))
        }
        let rows = results.map { property, findings in
            [
                property.id, findings.verdict.rawValue, "\(findings.exercised)",
                "\(findings.excused)", findings.closestCall.map(Console.seconds) ?? "",
            ]
        }
        let stories = results.compactMap { Console.story($0, $1) }
        try show(table(rows) + stories.map { "\n\($0)\n" }.joined())
        let verdicts = results.map(\.1.verdict)
        return verdicts.contains(.violated)
            ? .violated : verdicts.contains(.inconclusive) ? .inconclusive : .held
    }

    private func table(_ rows: [[String]]) -> String {
        TextTable(
            header: ["promise", "verdict", "exercised", "excused", "closest call"], rows: rows
        ).text + "\n"
    }

    static func contents(_ file: String) throws -> Data {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw TopologyError(
                file: file, problem: Problem("this cannot be read", at: nil))
        }
        return data
    }
}

/// A trace on disk, read line by line: it may be longer than memory.
private struct TraceFileReader {
    let file: String

    init(_ file: String) { self.file = file }

    /// Calls `body` for every event.
    ///
    /// - Throws: `TopologyError` that names the line that is none of a trace.
    func forEach(_ body: (TraceEvent) throws -> Void) throws {
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw TopologyError(file: file, problem: Problem("this cannot be read", at: nil))
        }
        var rest = Data()
        var number = 0
        while let chunk = try handle.read(upToCount: 1 << 16), !chunk.isEmpty {
            rest += chunk
            var lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
            rest = Data(lines.removeLast())
            for line in lines {
                number += 1
                try take(line, number, body)
            }
        }
        if !rest.isEmpty { try take(rest[...], number + 1, body) }
    }

    private func take(
        _ line: Data.SubSequence, _ number: Int, _ body: (TraceEvent) throws -> Void
    ) throws {
        guard !line.isEmpty else { return }
        do {
            if case .event(let event) = try TraceReader.line(line) { try body(event) }
        } catch let failure as TraceReader.Failure {
            throw TopologyError(
                file: file,
                problem: Problem(
                    "this line is none of a trace: \(failure)",
                    at: SourcePosition(line: number, column: failure.offset + 1)))
        }
    }
}
