import DeviceLink
import Foundation
import Orchestration
import Simulation
import Topologies
import Traces

/// Every kind of fault at every step of the plain handshake, one a run: a complete claim for single
/// faults.
struct FaultSweep {
    /// What happens, as a step of a topology, and what ends it.
    private struct Fault {
        let name: String
        let begin: String
        var end: String?
    }

    /// How long a fault lasts that ends by a step of its own.
    private static let duration: Nanoseconds = .seconds(2)
    /// Recovery after the latest fault takes less.
    private static let length = "40s"

    private static let faults = [
        Fault(name: "disconnect", begin: "disconnect: [ben, lock]"),
        Fault(name: "partition", begin: "partition: [ben, lock], for: 2s"),
        Fault(name: "partition-to-lock", begin: "partition: [ben, lock], one-way: true, for: 2s"),
        Fault(name: "partition-to-phone", begin: "partition: [lock, ben], one-way: true, for: 2s"),
        Fault(name: "loss", begin: "loss: [ben, lock], ratio: 1/2, for: 2s"),
        Fault(name: "delay", begin: "delay: [ben, lock], by: 200ms, for: 2s"),
        Fault(name: "throttle", begin: "throttle: [ben, lock], to: 1, for: 2s"),
        Fault(name: "hold-to-lock", begin: "hold: [ben, lock]", end: "release: [ben, lock]"),
        Fault(name: "hold-to-phone", begin: "hold: [lock, ben]", end: "release: [lock, ben]"),
        Fault(name: "kill-lock", begin: "kill: lock", end: "restart: lock"),
        Fault(name: "kill-phone", begin: "kill: ben", end: "restart: ben"),
        Fault(name: "freeze-lock", begin: "freeze: lock", end: "thaw: lock"),
        Fault(name: "freeze-phone", begin: "freeze: ben", end: "thaw: ben"),
        Fault(name: "garbage-from-lock", begin: "corrupt: lock"),
        Fault(name: "garbage-from-phone", begin: "corrupt: ben"),
        Fault(name: "refuse-uwb", begin: "refuse-uwb: lock"),
        Fault(name: "suspend", begin: "suspend: ben", end: "resume: ben"),
        Fault(name: "background", begin: "background: ben", end: "foreground: ben"),
        Fault(name: "bluetooth", begin: "bluetooth-off: ben", end: "bluetooth-on: ben"),
        Fault(name: "terminate", begin: "terminate: ben", end: "launch: ben"),
    ]

    private let base: String

    /// A sweep of the handshake between the devices that a variant plays.
    init(_ variant: TopologyVariant) {
        base = variant.text(
            of: """
                length: \(Self.length)
                devices:
                  ben: {model: iPhone 15, at: [0m, 0m], permission: allowed}
                  lock: {profile: qorvo, at: [2m, 0m]}

                """)
    }

    /// The runs, one for each fault and each moment of the plain handshake at which something happens.
    func tasks(_ settings: RunSettings) throws -> [RunTask] {
        let moments = try moments(settings)
        return Self.faults.flatMap { fault in
            moments.enumerated().map { step, moment in
                var steps = "steps:\n  - {at: \(moment)ns, \(fault.begin)}\n"
                if let end = fault.end {
                    steps += "  - {at: \(moment + Self.duration)ns, \(end)}\n"
                }
                return RunTask(
                    name: "sweep/\(fault.name)/\(step)", file: "sweep", text: base + steps,
                    seed: 1)
            }
        }
    }

    /// When something happens in the plain handshake, from power on to the first distance.
    private func moments(_ settings: RunSettings) throws -> [Nanoseconds] {
        let moments = Moments()
        var settings = settings
        settings.output = nil
        settings.scheduler = .fifo
        let task = RunTask(name: "sweep/plain", file: "sweep", text: base, seed: 1)
        _ = try LocalRunner.with(settings) { runner in
            runner.observer = moments
            return runner.run(task)
        }
        return moments.all
    }
}

/// Notes the moments of a run until it ranges, or for a while.
private final class Moments: RunSink {
    private(set) var all: [Nanoseconds] = []
    private var isOver = false
    /// A device that does not get there is looked at for so long.
    private static let limit: Nanoseconds = .seconds(5)

    func take(_ event: TraceEvent) {
        let time = event.time.nanoseconds
        if isOver || time > Self.limit { return }
        if all.last != time { all.append(time) }
        isOver = event.kind == "ni.didUpdate"
    }
}
