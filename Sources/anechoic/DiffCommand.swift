import ArgumentParser
import Foundation
import Reports
import Traces

/// `anechoic diff`.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Say where two runs first differ.",
        discussion: """
            Compares the traces of two runs, event by event. Exit status: 0 they are the same, 1 they \
            differ, 65 a wrong file.
            """)

    @Argument(help: "The folder of a run, or a trace.jsonl.", completion: .directory)
    var first: String

    @Argument(help: "The folder of another run, or its trace.jsonl.", completion: .directory)
    var second: String

    func run() throws {
        var traces = (one: try ComparedTrace(first), other: try ComparedTrace(second))
        var last: TraceEvent?
        while true {
            let (one, other) = (try traces.one.next(), try traces.other.next())
            guard one == other else {
                try show(difference(one, other, after: last, traces))
                return try finish(.violated)
            }
            guard let one else { break }
            last = one
        }
        try show("the same \(last.map { $0.number + 1 } ?? 0) events\n")
    }

    private func difference(
        _ one: TraceEvent?, _ other: TraceEvent?, after last: TraceEvent?,
        _ traces: (one: ComparedTrace, other: ComparedTrace)
    ) -> String {
        let width = max(first.count, second.count)
        func line(_ name: String, _ event: TraceEvent?) -> String {
            let name = name.padding(toLength: width, withPad: " ", startingAt: 0)
            return "  \(name)  \(event.map(picture) ?? "the end of the trace")\n"
        }
        let place = (one ?? other).map { "event \($0.number), step \($0.step)" } ?? "the end"
        var text = "the runs differ from \(place) on\n" + line(first, one) + line(second, other)
        if let last { text += "  the event before, in both: \(picture(last))\n" }
        if let (mine, theirs) = traces.one.plan(otherThan: traces.other) {
            text += "  they are runs of different plans: \(mine) and \(theirs)\n"
        }
        return text
    }

    /// An event as the pattern that means just it: `0.812 s  link.up on ben with peer = lock`.
    private func picture(_ event: TraceEvent) -> String {
        let pattern = EventPattern(
            kind: event.kind, device: event.device.isEmpty ? nil : event.device,
            conditions: event.fields.map {
                EventPattern.Condition(field: $0.name, comparison: .equal, value: $0.value)
            })
        return "\(Console.seconds(event.time.nanoseconds))  \(pattern)"
    }
}

/// The events of a trace, and what its header says.
private struct ComparedTrace {
    private let reader: TraceFileReader
    private(set) var header: TraceHeader?

    init(_ path: String) throws {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        reader = try TraceFileReader(exists && isFolder.boolValue ? "\(path)/trace.jsonl" : path)
    }

    mutating func next() throws -> TraceEvent? {
        while let line = try reader.next() {
            switch line {
            case .header(let header): self.header = header
            case .event(let event): return event
            }
        }
        return nil
    }

    /// Both plans, where they are different ones.
    func plan(otherThan other: ComparedTrace) -> (String, String)? {
        guard let mine = header, let theirs = other.header, mine != theirs else { return nil }
        func words(_ header: TraceHeader) -> String {
            "\(header.topology), seed \(header.seed), \(header.scheduler) (\(header.tool))"
        }
        return (words(mine), words(theirs))
    }
}
