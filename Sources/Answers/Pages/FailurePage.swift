import Diagnosis
import Foundation
import Traces

/// The page of a failure: the run that fails and the nearest one that holds, side by side.
enum FailurePage {
    /// What explain has found.
    private struct Reason: Encodable {
        /// What races, or that nothing is known to.
        let headline: String
        /// How that is known, and where the runs part, a line each.
        let lines: [String]

        /// What the page says elsewhere.
        private static let known = ["failing sibling: ", "passing sibling: "]

        init(headline: String, text: String) {
            self.headline = headline
            lines = text.split(separator: "\n").map(String.init).filter { line in
                line != headline && !Self.known.contains(where: line.hasPrefix)
            }
        }
    }

    /// Events that are beside each other, one after another in both runs.
    private struct Stretch: Encodable {
        var failing: Int
        var passing: Int
        var count: Int

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            for number in [failing, passing, count] { try list.encode(number) }
        }
    }

    /// The page of the folder of an explanation, in which both runs stand.
    static func page(of folder: String) throws -> Page {
        let failing = try RunSide(RunDiagram("\(folder)/failing"), isCompared: true)
        let passing = try RunSide(RunDiagram("\(folder)/passing"), isCompared: true)
        let explanation = try ExplainedRun.explanation(in: folder)
        let alignment = Alignment(failing.sayings, passing.sayings) { place in
            isSame(failing.events[place], as: passing.events[place])
        }
        let report = failing.diagram.report
        let text = explanation.text(
            report, failing: report.replay, passing: passing.diagram.report.replay)
        let reason = Reason(headline: explanation.headline, text: text)
        return Page(
            kind: .failure, title: RunPage.title(report),
            data: PageJSON.object([
                ("reason", try PageJSON.data(of: reason)),
                ("common", try PageJSON.data(of: alignment.common)),
                ("pairs", try PageJSON.data(of: stretches(alignment))),
                ("failing", try failing.json), ("passing", try passing.json),
            ]))
    }

    /// Steps count differently where one run has more of them, and roles are not written.
    private static func isSame(_ one: TraceEvent, as other: TraceEvent) -> Bool {
        one.time == other.time && one.name == other.name && one.device == other.device
            && one.fields == other.fields
    }

    private static func stretches(_ alignment: Alignment) -> [Stretch] {
        alignment.pairs.reduce(into: []) { stretches, pair in
            if let last = stretches.last, last.failing + last.count == pair.one,
                last.passing + last.count == pair.other
            {
                stretches[stretches.count - 1].count += 1
            } else {
                stretches.append(Stretch(failing: pair.one, passing: pair.other, count: 1))
            }
        }
    }
}
