import Artifacts
import DeviceLink
import Foundation
package import Sequences

/// A run as it stands on disk: a trace and, where a run of ours left it, what was found.
package struct RecordedRun {
    /// The folder that it stands in.
    package let folder: String
    package let trace: String
    /// What was found; nil for a trace alone.
    package let report: RunReport?

    /// The run that a path means: its folder, or one of the files in it.
    ///
    /// - Throws: `InputError` where no run stands there, `Replay.ReadError` where its verdict is none.
    package init(_ path: String) throws {
        let url = URL(filePath: path)
        let isOurFile = RunArtifacts.parts.contains(url.lastPathComponent)
        let isFolder = InputFile.isFolder(path)
        folder = isFolder ? path : url.deletingLastPathComponent().relativePath
        trace = isFolder || isOurFile ? "\(folder)/trace.jsonl" : path
        guard InputFile.exists(trace) else { throw Self.missing(path, in: folder) }
        report = isFolder || isOurFile ? try Self.verdict(in: folder) : nil
    }

    /// What `verdict.json` says; nil where there is none, as behind a run that was cut off.
    private static func verdict(in folder: String) throws -> RunReport? {
        let file = "\(folder)/verdict.json"
        guard InputFile.exists(file) else { return nil }
        return try InputFile.decode(RunReport.self, from: file, as: "a verdict.json")
    }

    /// The most runs that are named where a folder above them was given.
    private static let named = 3

    private static func missing(_ path: String, in folder: String) -> Replay.ReadError {
        var below: [String] = []
        let all = FileManager.default.enumerator(atPath: folder)
        while below.count < named, let file = all?.nextObject() as? String {
            guard file.hasSuffix("/trace.jsonl") else { continue }
            below.append("\(folder)/\(file.dropLast("/trace.jsonl".count))")
        }
        let expected =
            below.isEmpty
            ? "the folder of a run, or its trace.jsonl"
            : "one below it, like " + below.sorted().joined(separator: " or ")
        return Replay.ReadError("\(path): there is no run here; expected \(expected)")
    }
}

extension SequenceFindings {
    /// What a run was found to be.
    package init(_ report: RunReport) {
        let violations = report.promises.flatMap { promise in
            promise.violations.map { Violation($0, of: promise) }
        }
        let open = report.promises.filter { $0.verdict == .inconclusive }.map {
            "\($0.promise): the run ended before it was decided"
        }
        let unmet = report.expectations.filter { $0.verdict != .held }.map { expectation in
            "expected: \(expectation.expectation)" + (expectation.reason.map { "; \($0)" } ?? "")
        }
        self.init(
            violations: violations, ending: open + unmet + [report.failure].compactMap(\.self))
    }
}

extension SequenceFindings.Violation {
    fileprivate init(
        _ violation: RunReport.ViolationReport, of promise: RunReport.PromiseReport
    ) {
        self.init(
            promise: promise.promise, clause: promise.about.clause.text, device: violation.device,
            time: violation.time == .max ? nil : VirtualTime(nanoseconds: violation.time),
            sentence: violation.sentence, events: violation.events,
            isExpected: promise.isMeantToBreak)
    }
}
