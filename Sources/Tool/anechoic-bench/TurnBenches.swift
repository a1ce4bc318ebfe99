import ArgumentParser
import DeviceLink
import Foundation
import Orchestration
import Scenarios
import Traces

/// Devices whose turns only set a timer again.
private func tickers(_ count: Int, period: Nanoseconds, staggered: Bool, length: Nanoseconds)
    -> Topology
{
    Topology(
        name: "bench", length: length,
        devices: (0..<count).map { index in
            let phase = staggered ? period * UInt64(index) / UInt64(count) : 0
            return .bench(
                "ticker\(index)", model: "ticker",
                parameters: [Pair("period", "\(period)"), Pair("phase", "\(phase)")])
        })
}

/// Writes every event of the trace to a file.
private final class TraceFile: RunSink {
    private var writer = TraceWriter(
        TraceHeader(topology: "bench", seed: 1, scheduler: "fifo", tool: Tool.name))
    private let file: FileHandle

    init(_ path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else {
            throw ValidationError("--trace \(path): cannot be written")
        }
        self.file = file
    }

    func take(_ event: TraceEvent) throws {
        writer.write(event)
        if writer.count > 64 * 1_024 { writer.drain { file.write(Data($0)) } }
    }
}

struct TurnsBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "turns")

    @Option var devices = 2
    @Option var hosting = RunSettings.Hosting.process
    @Flag var staggered = false
    @Flag var simultaneous = false
    @Option var trace: String?
    @Option var seconds = 0.5

    func run() throws {
        try Workbench.with(hosting) { bench in
            let sinks = try trace.map { [try TraceFile($0)] } ?? []
            func play(_ milliseconds: UInt64) throws {
                let topology = tickers(
                    devices, period: .milliseconds(1), staggered: !simultaneous,
                    length: .milliseconds(milliseconds))
                try bench.play(topology, tracesTurns: trace != nil, sinks: sinks)
            }
            // The first run starts the processes; what is measured begins after it.
            try play(2)
            let before = (turns: bench.turns, seconds: bench.seconds)
            let length = UInt64(max(10, 40_000 / devices))
            _ = try bench.play(for: seconds) { _ in try play(length) }
            let sizes = try frameSizes()
            bench.print(
                [
                    "measured_turns": Double(bench.turns - before.turns),
                    "grant_bytes": Double(sizes.grant), "answer_bytes": Double(sizes.answer),
                ], since: before.seconds)
        }
    }

    private func frameSizes() throws -> (grant: Int, answer: Int) {
        var (grant, answer): ([UInt8], [UInt8]) = ([], [])
        try OrchestratorFrame.grant(turn: 1, now: .zero, .timer(name: "tick")).encode(into: &grant)
        try DeviceFrame.answers(turn: 1, [.setTimer(name: "tick", after: 1, slack: 0)])
            .encode(into: &answer)
        return (grant.count, answer.count)
    }
}

struct WakesBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "wakes")

    @Option var devices = 32
    @Option var everyMs: UInt64 = 1
    @Option var seconds = 1.0

    func run() throws {
        try Workbench.with { bench in
            func play(_ milliseconds: UInt64) throws {
                try bench.play(
                    tickers(
                        devices, period: .milliseconds(everyMs), staggered: false,
                        length: .milliseconds(milliseconds)))
            }
            try play(2)
            let begin = bench.seconds
            _ = try bench.play(for: seconds) { _ in try play(1_000) }
            bench.print([:], since: begin)
        }
    }
}
