import ArgumentParser
import Artifacts
import Foundation
import Reports
import Traces

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Say where two runs first differ.",
        discussion: """
            Compares the traces of two runs, event by event, and names event, step and both events \
            where they first differ. Exit status: 0 they are the same, 1 they differ, 65 a wrong file.
            """)

    @Argument(help: "The folder of a run, or a trace.jsonl.", completion: .directory)
    var first: String

    @Argument(help: "The folder of another run, or its trace.jsonl.", completion: .directory)
    var second: String

    @OptionGroup var json: JSONOption

    func run() throws {
        guard json.isOn else {
            let (comparison, other) = try compare()
            guard let difference = comparison.difference else {
                return try show("the same \(comparison.count) events\n")
            }
            try show(text(of: difference, mine: comparison.header, theirs: other))
            return try finish(.violated)
        }
        try json.answer(as: "diff") { document in
            let comparison = try compare().comparison
            try document.add(Answer(comparison))
            return comparison.difference == nil ? .held : .violated
        }
    }

    private func compare() throws -> (comparison: TraceComparison, other: TraceHeader?) {
        let comparison = TraceComparison(try TraceFileReader(first))
        let other = try TraceFileReader(second)
        while comparison.difference == nil, let event = try other.next() {
            try comparison.take(event)
        }
        try comparison.finish()
        return (comparison, other.header)
    }

    /// What `--json` reports.
    private struct Answer: Encodable {
        /// How many events are the same from the first on.
        let same: UInt64
        /// The number and step of the first that differs; nil where none does.
        let event: UInt64?
        let step: UInt64?
        /// Both events, and the one before, as patterns.
        let first: String?
        let second: String?
        let before: String?

        init(_ comparison: TraceComparison) {
            let difference = comparison.difference
            let event = difference?.expected ?? difference?.found
            (same, self.event, step) = (comparison.count, event?.number, event?.step)
            first = difference.map { TraceDifference.picture($0.expected) }
            second = difference.map { TraceDifference.picture($0.found) }
            before = difference?.before.map(TraceDifference.picture)
        }
    }

    private func text(
        of difference: TraceDifference, mine: TraceHeader?, theirs: TraceHeader?
    ) -> String {
        let width = max(first.count, second.count)
        func line(_ name: String, event: TraceEvent?) -> String {
            let name = name.padding(toLength: width, withPad: " ", startingAt: 0)
            return "  \(name)  \(TraceDifference.picture(event))\n"
        }
        var text =
            "the runs differ from \(difference.place) on\n"
            + line(first, event: difference.expected)
            + line(second, event: difference.found)
        if let before = difference.before {
            text += "  the event before, in both: \(TraceDifference.picture(before))\n"
        }
        if let mine, let theirs, mine != theirs {
            text += "  they are runs of different plans: \(words(mine)) and \(words(theirs))\n"
        }
        return text
    }

    private func words(_ header: TraceHeader) -> String {
        "\(header.topology), seed \(header.seed), \(header.scheduler) (\(header.tool))"
    }
}
