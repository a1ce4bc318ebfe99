import ArgumentParser
import DeviceLink
import Foundation
import Orchestration
import Scenarios
import Traces

struct MemoryBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "idle-memory")

    @Option var devices = 64

    func run() throws {
        try Workbench.with { bench in
            let specs = (0..<devices).map { index in
                index % 2 == 0
                    ? DeviceSpec(
                        name: "phone\(index)", program: .appleDevice(model: "iPhone15,4"),
                        parameters: [Pair("launch", "false")])
                    : DeviceSpec(name: "lock\(index)", program: .accessory(profile: "qorvo"))
            }
            try bench.play(Topology(name: "bench", length: .milliseconds(100), devices: specs))
            let sizes = bench.waiting.compactMap(proportionalSetSize)
            bench.print([
                "pss_bytes_per_device": Double(sizes.reduce(0, +)) / Double(max(sizes.count, 1)),
                "processes": Double(sizes.count),
            ])
        }
    }

    /// The memory of a process, its part of what it shares included, in bytes.
    private func proportionalSetSize(_ pid: Int32) -> UInt64? {
        let text = try? String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        return line.flatMap { UInt64($0.filter(\.isNumber)) }.map { $0 * 1_024 }
    }
}

struct StartBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "start")

    @Option var count = 50

    func run() throws {
        try Workbench.with(freshProcesses: true) { bench in
            let topology = Topology(
                name: "bench", length: 0,
                devices: [DeviceSpec(name: "lock", program: .accessory(profile: "qorvo"))])
            let begin = bench.seconds
            for _ in 0..<count { try bench.play(topology) }
            bench.print(
                ["milliseconds_per_start": (bench.seconds - begin) * 1_000 / Double(count)],
                since: begin)
        }
    }
}

struct GrowthBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "growth")

    @Option var minutes: UInt64 = 1
    /// So many runs, one after another, whose turns are added up.
    @Option var repeats: UInt64 = 1

    func run() throws {
        var settings = RunSettings(programs: RunSettings.programsOfThisProgram, tool: Tool.name)
        let folder = NSTemporaryDirectory() + "anechoic-growth-\(getpid())"
        settings.files.tree = folder
        settings.scheduler = .fifo
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = """
            length: \(max(minutes * 60, 1))s
            air: {loss: 1/100, uwb-loss: 1/100}
            devices:
              ben: {model: iPhone 15, permission: allowed}
              lock: {profile: qorvo, at: [0 m, 2 m, 0 m]}
            """
        let memory = MemorySampler(minutes: minutes)
        let steps = try LocalRunner.with(settings) { runner in
            runner.observer = memory
            return try (1...repeats).reduce(UInt64(0)) { steps, seed in
                let report = runner.run(
                    RunTask(name: "growth", file: "growth", text: text, seed: seed))
                guard report.status == .held else {
                    throw ValidationError("growth: \(report.verdict): \(report.failure ?? "")")
                }
                return steps + report.steps
            }
        }
        print(
            """
            {"turns": \(steps), "processor_seconds": \(Double(clock()) / 1e6), \
            "peak_rss_early_bytes": \(memory.early), "peak_rss_late_bytes": \(memory.late)}
            """)
    }
}

/// The orchestrator's memory in the first and in the last tenth of a run.
final class MemorySampler: RunSink {
    private let length: UInt64
    private var next: UInt64 = 0
    private(set) var early = 1
    private(set) var late = 1

    init(minutes: UInt64) { length = max(minutes * 60, 1) * 1_000_000_000 }

    func take(_ event: TraceEvent) {
        let time = event.time.nanoseconds
        guard time >= next else { return }
        next = time + length / 200
        let size = residentBytes()
        if time < length / 10 { early = max(early, size) }
        if time > length / 10 * 9 { late = max(late, size) }
    }
}
