import Artifacts
package import DeviceLink
import Invariants
import Monitors
import PromiseLibrary
package import Reports
package import Sequences
package import Traces

/// A recorded run, ready to be drawn.
package struct RunDiagram {
    /// The devices, in the sequence of the diagram.
    package let participants: [Participant]
    private let explained: ExplainedRun
    package let report: RunReport
    package let findings: SequenceFindings

    /// Reads a run once: who takes part, and that its trace is whole.
    ///
    /// What left no verdict is judged by the promises that every run is judged by.
    ///
    /// - Throws: `InputError`, `DocumentError` and `Replay.ReadError` where the path means no run, or a spoilt one.
    package init(_ path: String) throws {
        explained = try ExplainedRun(path)
        let reader = try TraceFileReader(explained.run.trace)
        var seen = Participants()
        var judge = Judge(
            promises: HandwrittenPromises.monitors(),
            properties: [CompiledProperties(PropertyLibrary.standard)])
        let isJudged = explained.run.report != nil
        try reader.eachEvent(orElse: "nothing was drawn") { event in
            seen.take(event)
            if !isJudged { judge.observe(event) }
        }
        participants = seen.all
        report =
            explained.run.report
            ?? RunReport(judge.verdict(), of: reader.header, named: explained.run.trace)
        findings = isJudged ? explained.findings : SequenceFindings(report)
    }

    /// The folder with an explanation and the two runs that show it; nil where there is none.
    package var siblings: String? { explained.siblings }

    /// A line of a device's log.
    package struct Logged: Sendable {
        package let device: String
        package let time: VirtualTime
        package let text: String
    }

    /// What the devices have logged themselves, in the order of time.
    package var logs: [Logged] {
        let lines = participants.flatMap { device in
            DeviceLog(of: device.name, in: explained.run.folder).lines.map {
                Logged(device: device.name, time: $0.time, text: $0.text)
            }
        }
        return lines.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        .map(\.element)
    }

    /// Reads the run once more and hands over its events.
    package func eachEvent(_ take: (TraceEvent) throws -> Void) throws {
        try TraceFileReader(explained.run.trace).eachEvent(orElse: "nothing was drawn", take)
    }

    /// Reads the run once more and hands over its rows, in the order of time.
    package func eachRow(
        of selection: SequenceSelection, _ take: (SequenceRow) throws -> Void
    ) throws {
        var maker = SequenceMaker(
            findings, selection: selection, participants: participants.count)
        var (end, logged) = (VirtualTime.zero, logs[...])
        func takeLogs(until time: VirtualTime) throws {
            while let line = logged.first, line.time < time {
                logged.removeFirst()
                let rows = maker.take(log: line.text, of: line.device, at: line.time)
                for row in rows { try take(row) }
            }
        }
        try eachEvent { event in
            end = event.time
            // A device logs what it does about an event behind it.
            try takeLogs(until: event.time)
            for row in maker.take(event) { try take(row) }
        }
        try takeLogs(until: .never)
        for row in maker.finish(at: end) { try take(row) }
    }
}

// What stands above and below the rows.
extension RunDiagram {
    /// What a program reads before the rows.
    package struct Summary: Encodable {
        let kind = "run"
        let topology: String
        let seed: UInt64
        let scheduler: String
        let verdict: String
        let participants: [Participant]
        let hints: [String]
    }

    /// The run, and who of it is drawn.
    package func summary(of selection: SequenceSelection) -> Summary {
        Summary(
            topology: report.topology, seed: report.seed, scheduler: report.scheduler,
            verdict: report.verdict, participants: participants.filter(selection.includes),
            hints: hints)
    }

    /// Which run it is, what was broken, and by when.
    package func title(_ text: SequenceText) -> String {
        var broken: [String] = []
        let lines = findings.violations.compactMap { violation -> String? in
            guard !broken.contains(violation.promise) else { return nil }
            broken.append(violation.promise)
            return text.title(of: violation)
        }
        let run = [report.topology, "seed \(report.seed)", report.scheduler].filter { !$0.isEmpty }
        return text.title(
            "\(run.joined(separator: ", ")): \(report.verdict)", status: report.status)
            + lines.joined() + "\n"
    }

    /// Where else to look, a line each.
    package var hints: [String] {
        explained.hints + [report.replay.map { "replay: \($0)" }].compactMap(\.self)
    }
}
