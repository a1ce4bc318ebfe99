import Choices
import DeviceLink
import Foundation
import Orchestration
import Scenarios
import Schedules
import Simulation
import UV

/// Runs to measure: no files, no judge but those that are asked for.
final class Workbench {
    let loop: Loop
    private let hosting: any DeviceHosting
    /// Turns taken in all runs so far.
    private(set) var turns: UInt64 = 0
    /// Virtual time of all runs so far, in nanoseconds.
    private(set) var simulated: UInt64 = 0
    private let start = ContinuousClock.now

    private init(_ loop: Loop, hosting: RunSettings.Hosting, freshProcesses: Bool) throws {
        self.loop = loop
        switch hosting {
        case .inline: self.hosting = InlineHosting()
        case .process:
            var options = ProcessHosting.Options(programs: RunSettings.programsOfThisProgram)
            options.usesFreshProcesses = freshProcesses
            self.hosting = try ProcessHosting(loop, options)
        }
    }

    /// Lends a workbench to `body`.
    ///
    /// `Scripts/bench` has put us on one core already.
    static func with<Value>(
        _ hosting: RunSettings.Hosting = .process, freshProcesses: Bool = false,
        body: (Workbench) throws -> Value
    ) throws -> Value {
        _ = try ThisProcess.raiseDescriptorLimit()
        return try Loop.with { loop in
            let bench = try Workbench(loop, hosting: hosting, freshProcesses: freshProcesses)
            defer { (bench.hosting as? ProcessHosting)?.shutDown() }
            return try body(bench)
        }
    }

    /// The time since the workbench was made, in seconds.
    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }

    /// The process ids of devices that wait for the next run.
    var waiting: [Int32] { (hosting as? ProcessHosting)?.waitingProcessIDs ?? [] }

    /// Plays one run to its end.
    func play(
        _ topology: Topology, seed: UInt64 = 1, scheduler: any Scheduler = FirstInFirstOut(),
        tracesTurns: Bool = false, sinks: [any RunSink] = [], onRun: (Run) -> Void = { _ in }
    ) throws {
        var options = World.Options()
        options.captures = false
        options.tracesTurns = tracesTurns
        let run = Run(
            World(
                plan: Plan(topology: topology, seed: seed), scheduler: scheduler,
                decisions: Decisions(seed: seed), options: options), on: hosting, sinks: sinks
        ) { [loop] in loop.stop() }
        onRun(run)
        try run.begin(topology)
        if run.outcome == nil { try loop.run() }
        try hosting.finish()
        if case .failed(let failure)? = run.outcome { throw failure }
        turns += UInt64(run.world.turnCount)
        simulated += run.end.nanoseconds
    }

    /// Plays runs until so many seconds have passed.
    func play(for seconds: Double, _ once: (UInt64) throws -> Void) throws -> Int {
        var runs = 0
        let begin = self.seconds
        while self.seconds - begin < seconds {
            try once(UInt64(runs + 1))
            runs += 1
        }
        return runs
    }

    /// Prints one JSON object with what every measurement has, and more.
    func print(_ more: [String: Double], since begin: Double = 0) {
        var result = more
        result["turns"] = Double(turns)
        result["seconds"] = seconds - begin
        result["simulated_seconds"] = Double(simulated) / 1e9
        let text = result.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        Swift.print("{" + text.joined(separator: ", ") + "}")
    }
}

extension DeviceSpec {
    static func bench(_ name: String, model: String, parameters: [Pair] = []) -> DeviceSpec {
        DeviceSpec(
            name: name,
            program: .executable(path: "bench-device", arguments: [], model: model),
            parameters: parameters)
    }
}

func residentBytes() -> Int {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(getpagesize())
}
