import ArgumentParser
import Basics
import DeviceLink
import Foundation
import Invariants
import Orchestration
import Reports
import Scenarios
import Simulation
import Traces

/// `anechoic-bench sessions`: the judge alone, while many sessions are open.
///
/// What one phone and one accessory do is played once, and then judged as if many pairs did it at a time.
struct SessionsBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sessions")

    /// How many pairs there are, each with one session.
    @Option var open = 1_000
    @Option var simulatedSeconds: UInt64 = 30

    func run() throws {
        let story = Story()
        try Workbench.with(.inline) { bench in
            let topology = pair(length: .seconds(simulatedSeconds))
            try bench.play(topology, sinks: [story])
            // What is there only once does not count.
            _ = try judge(story, of: 2, in: topology)
            let (memory, begin) = (residentBytes(), bench.seconds)
            let (events, size) = try judge(story, of: open, in: topology)
            bench.print(
                [
                    "events": Double(events), "sessions": Double(open),
                    "bytes_per_session": Double(size - memory) / Double(open),
                ], since: begin)
        }
    }

    /// How many events were judged, and how large we were before the verdict.
    private func judge(
        _ story: Story, of pairs: Int, in topology: Topology
    ) throws -> (events: UInt64, size: Int) {
        var (judge, number) = (Judge(topology), UInt64(0))
        for event in story.events {
            for pair in 0..<(event.name.isOfTheRun ? 1 : pairs) {
                var copy = event.copied(for: pair, among: pairs)
                copy.number = number
                number += 1
                judge.observe(copy)
            }
        }
        let size = residentBytes()
        let verdict = judge.verdict()
        guard verdict.outcome == .held else {
            let broken = verdict.promises.filter { $0.outcome == .violated }.map(\.about.id)
            throw ValidationError("sessions: \(ExitStatus(verdict).word): \(broken)")
        }
        return (number, size)
    }
}

/// What happened in a run.
private final class Story: RunSink {
    private(set) var events: [TraceEvent] = []

    func take(_ event: TraceEvent) { events.append(event) }
}

extension String {
    fileprivate var isOfTheRun: Bool {
        hasPrefix("run.") || hasPrefix("script.") || hasPrefix("faults.")
    }
}

extension TraceEvent {
    /// The same for another pair: its devices, links, sessions, addresses and data are its own.
    fileprivate func copied(for pair: Int, among pairs: Int) -> TraceEvent {
        var copy = self
        if !device.isEmpty { copy.device += "-\(pair)" }
        for index in fields.indices {
            switch fields[index].value {
            case .text(let name) where fields[index].name == "peer":
                copy.fields[index].value = .text("\(name)-\(pair)")
            case .number(let number) where Self.numbered.contains(fields[index].name):
                copy.fields[index].value = .number(number * Int64(pairs) + Int64(pair))
            case .bytes(let bytes) where Self.unique.contains(fields[index].name):
                let mark = (0..<4).map { UInt8(truncatingIfNeeded: pair >> (8 * $0)) }
                copy.fields[index].value = .bytes(bytes + mark)
            default: break
            }
        }
        return copy
    }

    private static let unique = ["configuration", "shareable"]
    private static let numbered = [
        "link", "session", "session-id", "address", "peer-address", "announced-address",
    ]
}
