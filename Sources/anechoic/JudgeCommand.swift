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
        try finish(
            promises.isEmpty ? judge(Judge(properties: [Catalogue.library])) : judgeByFiles())
    }

    private func judge(_ fresh: Judge) throws -> ExitStatus {
        var judge = fresh
        try TraceFileReader(trace).forEach { judge.observe($0) }
        let verdict = judge.verdict()
        var report = RunReport(
            topology: trace, seed: 0, scheduler: "", status: ExitStatus(verdict), ended: "",
            digest: "", steps: 0, simulated: verdict.end.nanoseconds)
        report.take(verdict)
        try show(
            Console.table(report.promises) + (Console.story(report).map { "\n\($0)\n" } ?? ""))
        return report.status
    }

    private func judgeByFiles() throws -> ExitStatus {
        var sets: [CompiledProperties] = []
        for file in promises {
            let data = try Self.contents(file)
            sets.append(
                CompiledProperties(
                    try PropertySet(
                        parsing: Array(data), file: file,
                        fluents: PropertyLibrary.standard.fluents)))
        }
        return try judge(Judge(promises: [], properties: sets))
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
        var roles = DeviceRoles()
        var number = 0
        while let chunk = try handle.read(upToCount: 1 << 16), !chunk.isEmpty {
            rest += chunk
            var lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
            rest = Data(lines.removeLast())
            for line in lines {
                number += 1
                try take(line, number, &roles, body)
            }
        }
        if !rest.isEmpty { try take(rest[...], number + 1, &roles, body) }
    }

    private func take(
        _ line: Data.SubSequence, _ number: Int, _ roles: inout DeviceRoles,
        _ body: (TraceEvent) throws -> Void
    ) throws {
        guard !line.isEmpty else { return }
        do {
            guard case .event(var event) = try TraceReader.line(line) else { return }
            roles.complete(&event)
            try body(event)
        } catch let failure as TraceReader.Failure {
            throw TopologyError(
                file: file,
                problem: Problem(
                    "this line is none of a trace: \(failure)",
                    at: SourcePosition(line: number, column: failure.offset + 1)))
        }
    }
}
