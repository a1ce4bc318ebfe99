import ArgumentParser
import Basics
import DeviceLink
import Foundation
import Invariants
import Orchestration
import Reports
import Scenarios
import Schedules
import Traces

/// One phone and one accessory that range from the first second on.
func pair(length: Nanoseconds, ranging: Bool = true, loss: Ratio = .zero) -> Topology {
    var topology = Topology(
        name: "bench", length: length,
        devices: [
            DeviceSpec(
                name: "ben", program: .appleDevice(model: "iPhone15,4"),
                parameters: [Pair("permission", "allowed"), Pair("auto-start", "\(ranging)")]),
            DeviceSpec(
                name: "lock", program: .accessory(profile: "qorvo"),
                position: Position(x: 0, y: 2_000, z: 0)),
        ])
    topology.air.loss = loss
    topology.air.uwbLoss = loss
    return topology
}

/// Counts events of a kind, and ends the run at the last one wanted.
private final class Counter: RunSink {
    private let kind: EventKind
    private let limit: Int
    private(set) var count = 0
    weak var run: Run?

    init(_ kind: EventKind, until limit: Int = .max) {
        self.kind = kind
        self.limit = limit
    }

    func take(_ event: TraceEvent) throws {
        count += 1
        if count == limit { try run?.interrupt() }
    }

    func take(_ events: Span<TraceEvent>) throws {
        for place in events.indices where events[place].kind == kind { try take(events[place]) }
    }

    var isPrompt: Bool { limit < .max }
}

/// The promises, as in judged runs one after another.
private final class Observers: RunSink {
    private var judge: Judge

    init(_ topology: Topology) { judge = Judge(topology) }

    /// Makes the judge ready for another run.
    func reset() { judge.reset() }

    func take(_ event: TraceEvent) { judge.observe(event) }
}

/// Whether the promises watch.
struct ObserversOption: ParsableArguments {
    @Flag var withoutObservers = false

    /// Those of the promises that watch.
    fileprivate func sinks(_ topology: Topology) -> [Observers] {
        withoutObservers ? [] : [Observers(topology)]
    }
}

struct CyclesBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "cycles")

    @Option var hosting = RunSettings.Hosting.process
    @Option var seconds = 1.0

    func run() throws {
        try Workbench.with(hosting) { bench in
            let (counter, attributes) = (Counter(.appReceived), Counter(.attSent))
            func play(_ simulated: UInt64) throws {
                try bench.play(
                    Topology(
                        name: "bench", length: .seconds(simulated),
                        devices: [
                            .bench("central", model: "central"),
                            .bench("peripheral", model: "peripheral"),
                        ]),
                    sinks: [counter, attributes])
            }
            try play(1)
            let (count, messages, begin) = (counter.count, attributes.count, bench.seconds)
            _ = try bench.play(for: seconds) { _ in try play(200) }
            let cycles = Double(counter.count - count)
            bench.print(
                [
                    "cycles": cycles, "cycles_per_second": cycles / (bench.seconds - begin),
                    "att_pdus_per_cycle": Double(attributes.count - messages) / cycles,
                ], since: begin)
        }
    }
}

struct PairBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "pair")

    @Flag var idle = false
    @Flag var ranging = false
    @OptionGroup var observers: ObserversOption
    @Option var simulatedSeconds: UInt64 = 3_000

    func run() throws {
        try Workbench.with { bench in
            let topology = pair(length: .seconds(simulatedSeconds), ranging: !idle)
            try bench.play(pair(length: .milliseconds(10)))
            let begin = bench.seconds
            try bench.play(topology, sinks: observers.sinks(topology))
            bench.print([:], since: begin)
        }
    }
}

struct HandshakeBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "handshake")

    @Option var hosting = RunSettings.Hosting.process
    @OptionGroup var observers: ObserversOption
    @Option var seconds = 1.0

    func run() throws {
        try Workbench.with(hosting) { bench in
            let topology = pair(length: .seconds(30))
            let observers = self.observers.sinks(topology)
            func play(_ seed: UInt64) throws {
                for observer in observers { observer.reset() }
                let third = Counter(.niDidUpdate, until: 3)
                try bench.play(
                    topology, seed: seed, scheduler: RandomWalk(),
                    sinks: [third] + observers
                ) { third.run = $0 }
                guard third.count >= 3 else {
                    throw ValidationError("seed \(seed): no third distance within 30 s")
                }
            }
            // In the first run is made what all of them share.
            try play(0)
            let begin = bench.seconds
            let runs = try bench.play(for: seconds, play)
            bench.print(["runs": Double(runs)], since: begin)
        }
    }
}

/// `anechoic-bench four-by-four`: each seed with the promises and without, in turn.
struct FourByFourBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "four-by-four")

    @Option var hosting = RunSettings.Hosting.process
    @Option var seconds = 1.0

    func run() throws {
        try Workbench.with(hosting) { bench in
            let topology = fourByFour()
            let observers = Observers(topology)
            var (observed, unobserved) = (0.0, 0.0)
            func play(_ seed: UInt64, sinks: [any RunSink]) throws -> Double {
                let begin = bench.seconds
                try bench.play(topology, seed: seed, scheduler: RandomWalk(), sinks: sinks)
                return bench.seconds - begin
            }
            func judged(_ seed: UInt64) throws -> Double {
                observers.reset()
                return try play(seed, sinks: [observers])
            }
            // In the first run is made what all of them share.
            _ = try judged(0)
            let runs = try bench.play(for: seconds) { seed in
                // Neither way is always the first: the machine may be getting slower, or faster.
                if seed.isMultiple(of: 2) { unobserved += try play(seed, sinks: []) }
                observed += try judged(seed)
                if !seed.isMultiple(of: 2) { unobserved += try play(seed, sinks: []) }
            }
            bench.print(
                [
                    "runs": Double(runs), "observed_seconds": observed,
                    "unobserved_seconds": unobserved,
                ])
        }
    }

    private func fourByFour() -> Topology {
        var topology = Topology(name: "bench", length: .seconds(40))
        for index in 0..<4 {
            let place = Position(x: Int64(index) * 1_000, y: 0, z: 0)
            topology.devices.append(
                DeviceSpec(
                    name: "phone\(index)", program: .appleDevice(model: "iPhone15,4"),
                    position: place, parameters: [Pair("permission", "allowed")]))
            topology.devices.append(
                DeviceSpec(
                    name: "lock\(index)", program: .accessory(profile: "multi"),
                    position: Position(x: place.x, y: 2_000, z: 0)))
        }
        return topology
    }
}
