import Artifacts
import Basics
import Foundation
import Promises

/// Results for people: a table of runs, and the story of those that failed.
package enum Console {
    /// A head and one row for each run, which on a narrow terminal has several lines.
    package static func table(_ reports: [RunReport]) -> [String] {
        TextTable(
            header: [
                "topology", "seed", "verdict", "simulated", "real", "promises", "expected", "steps",
            ],
            rows: reports.map(row)
        ).rows(within: terminalWidth)
    }

    private static func row(_ report: RunReport) -> [String] {
        let exercised = report.promises.filter { $0.verdict != .vacuous }
        let held = exercised.filter { $0.verdict == .held }
        let met = report.expectations.filter { $0.verdict == .held }
        return [
            report.topology, "\(report.seed)", report.verdict, seconds(report.simulated),
            report.wall.map { seconds($0 * 1_000) } ?? "", "\(held.count)/\(exercised.count)",
            "\(met.count)/\(report.expectations.count)", report.stepCount,
        ]
    }

    /// What went wrong in a run, ending in the command that repeats it; nil where nothing did.
    ///
    /// Of each promise it tells the first violation, or `all` that the report has.
    package static func story(_ report: RunReport) -> String? { story(report, all: false) }

    package static func story(_ report: RunReport, all: Bool) -> String? {
        guard report.status != .held else { return nil }
        var lines = ["\(report.topology), seed \(report.seed): \(report.verdict)"]
        for promise in report.promises where !promise.isMeantToBreak {
            for violation in promise.violations.prefix(all ? .max : 1) {
                lines += story(violation, of: promise)
            }
            if !all, let more = (promise.violations.count - 1).more {
                lines.append("    " + more + (report.replay == nil ? "" : " in verdict.json"))
            }
            if promise.verdict == .inconclusive {
                lines.append("  \(promise.promise): the run ended before it was decided")
            }
        }
        for expectation in report.expectations where expectation.verdict != .held {
            let place = expectation.line > 0 ? " (line \(expectation.line))" : ""
            lines.append("  expected\(place): \(expectation.expectation)")
            if let reason = expectation.reason { lines.append("    \(reason)") }
        }
        if let log = report.log {
            lines.append("  what \(log.device) had logged until then ends with")
            lines += log.lines.map { "      " + $0 }
        }
        if let replay = report.replay { lines.append("  replay: \(replay)") }
        // What others say stays in its line; a failure ends in lines of a log, which are indented.
        lines = lines.map(plainLine)
        if let unwritten = report.unwritten, unwritten != report.failure {
            lines.insert("  " + unwritten, at: 1)
        }
        if let failure = report.failure { lines.insert("  " + failure, at: 1) }
        return lines.joined(separator: "\n")
    }

    private static func story(
        _ violation: RunReport.ViolationReport, of promise: RunReport.PromiseReport
    ) -> [String] {
        let about = promise.about
        let moment =
            violation.time == .max ? "at the end" : "at \(seconds(violation.time))"
        let key = violation.key.isEmpty ? "" : " (\(violation.key))"
        return [
            "  promise \(about.name(brokenBy: violation.device)): \(about.sentence)",
            "    broken \(moment)\(key): \(violation.sentence)",
        ] + (about.clause == .nowhere ? [] : ["    clause: \(about.clause.text)"])
            + violation.story.map { "      " + $0 }
    }

    /// A time in seconds to the millisecond: `12.345 s`.
    package static func seconds(_ nanoseconds: UInt64) -> String {
        nanoseconds.seconds(decimals: 3) + " s"
    }

    /// `812.4 ms`: to the microsecond, without the zeros behind.
    package static func milliseconds(_ nanoseconds: UInt64) -> String {
        let decimals = "\(1_000 + nanoseconds / 1_000 % 1_000)".dropFirst()
        return "\(nanoseconds / 1_000_000).\(decimals)".withoutIdleZeros + " ms"
    }

    /// One line for many runs: how many of each verdict, those that held first.
    package static func summary(_ counts: [ExitStatus: Int], of total: Int) -> String {
        let parts = ExitStatus.allCases.compactMap { status in
            counts[status].map { "\($0) \(status.word)" }
        }
        let done = counts.values.reduce(0, +)
        let count = total.counted("run")
        return (done == total ? count : "\(done) of \(count)") + ": "
            + parts.joined(separator: ", ")
    }
}

extension PromiseDescription {
    /// Which promise, and who has to keep it: `quiet, kept by the accessory`.
    func name(brokenBy device: String) -> String {
        id + (keeperWords(brokenBy: device).map { ", kept by \($0)" } ?? "")
    }

    /// Who has to keep it, in words: `the accessory`; nil where nobody in particular has.
    ///
    /// Of what both ends of a link have to keep it is the one that has not.
    package func keeperWords(brokenBy device: String?) -> String? {
        guard keeper == .link else { return keeper.map { "the \($0.rawValue)" } }
        return device.flatMap { $0.isEmpty ? nil : $0 } ?? "both ends of the link"
    }
}
