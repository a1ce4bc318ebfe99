import DeviceLink
import Foundation
import Orchestration
import Simulation
import Topologies
import Traces

/// Every kind of fault at every moment of a topology's plain run, one a run: a complete claim for single
/// faults.
struct FaultSweep: Codable, Equatable {
    /// What happens, as a step of a topology says it.
    struct Fault: Codable, Equatable {
        let name: String
        let verb: String

        init(_ name: String, _ verb: String) { (self.name, self.verb) = (name, verb) }
    }

    /// A fault at its moment.
    struct Strike: Codable, Equatable {
        /// The step, as a topology has it.
        let step: String
        /// When it is over.
        let end: Nanoseconds
    }

    /// How long a fault lasts that does.
    private static let duration: Nanoseconds = .seconds(2)

    private let faults: [Fault]
    private let moments: [Nanoseconds]

    /// Sweeps over the plain runs of these tasks, each up to the event after which moments do not matter any
    /// more.
    ///
    /// - Throws: `TopologyError` where a task's text is none, `WrongUse` where its run does not come to an
    ///   end.
    static func over(
        _ tasks: [RunTask], _ settings: RunSettings,
        until isOver: @escaping (TraceEvent) -> Bool = { _ in false }
    ) throws -> [FaultSweep] {
        var plain = settings
        plain.output = nil
        plain.scheduler = .fifo
        // A device that dies takes nobody along.
        plain.hosting = .process
        return try LocalRunner.with(plain) { runner in
            try tasks.map { try FaultSweep(over: $0, runner, until: isOver) }
        }
    }

    private init(
        over task: RunTask, _ runner: LocalRunner, until isOver: @escaping (TraceEvent) -> Bool
    ) throws {
        faults = Self.faults(
            of: try Topology(parsing: Array(task.text.utf8), name: task.name, file: task.file))
        let moments = Moments(until: isOver)
        runner.observer = moments
        let report = runner.run(task)
        if report.status == .interrupted { throw Interruption() }
        guard [.held, .violated, .inconclusive].contains(report.status) else {
            throw WrongUse(
                description: "\(task.name): its plain run is \(report.verdict) "
                    + "(\(report.failure ?? report.ended)); a sweep needs one that comes to its end"
            )
        }
        self.moments = moments.all
    }

    /// How many runs there are.
    var count: Int { faults.count * moments.count }

    /// What is told of a run: the fault, and which of the moments it is.
    func name(_ number: Int) -> String {
        "\(faults[number % faults.count].name)/\(number / faults.count)"
    }

    /// The fault of a run; those of one moment stand together.
    func strike(_ number: Int) -> Strike {
        let (moment, fault) = (moments[number / faults.count], faults[number % faults.count])
        return Strike(step: "{at: \(moment)ns, \(fault.verb)}", end: moment + Self.duration)
    }

    private static func faults(of topology: Topology) -> [Fault] {
        let accessories = topology.devices.filter { $0.role == .accessory }.map(\.name)
        let phones = topology.devices.filter { $0.role == .appleDevice }.map(\.name)
        return phones.flatMap { phone in accessories.flatMap { faults(between: phone, $0) } }
            + (phones + accessories).flatMap(faults(of:))
            + accessories.map { Fault("refuse-uwb-\($0)", "refuse-uwb: \($0)") }
            + phones.flatMap(faults(ofApple:))
    }

    private static func faults(between phone: String, _ accessory: String) -> [Fault] {
        let pair = "\(phone)-\(accessory)"
        let ways = [(phone, accessory), (accessory, phone)]
        return [
            Fault("disconnect-\(pair)", "disconnect: [\(phone), \(accessory)]"),
            Fault("partition-\(pair)", "partition: [\(phone), \(accessory)], for: 2s"),
            Fault("loss-\(pair)", "loss: [\(phone), \(accessory)], ratio: 1/2, for: 2s"),
            Fault("delay-\(pair)", "delay: [\(phone), \(accessory)], by: 200ms, for: 2s"),
            Fault("throttle-\(pair)", "throttle: [\(phone), \(accessory)], to: 1, for: 2s"),
        ]
            + ways.flatMap { from, to in
                [
                    Fault(
                        "partition-\(from)-to-\(to)",
                        "partition: [\(from), \(to)], one-way: true, for: 2s"),
                    Fault("hold-\(from)-to-\(to)", "hold: [\(from), \(to)], for: 2s"),
                ]
            }
    }

    private static func faults(of device: String) -> [Fault] {
        [
            Fault("kill-\(device)", "kill: \(device), for: 2s"),
            Fault("freeze-\(device)", "freeze: \(device), for: 2s"),
            Fault("corrupt-\(device)", "corrupt: \(device)"),
        ]
    }

    private static func faults(ofApple device: String) -> [Fault] {
        [
            Fault("suspend-\(device)", "suspend: \(device), for: 2s"),
            Fault("background-\(device)", "background: \(device), for: 2s"),
            Fault("bluetooth-off-\(device)", "bluetooth-off: \(device), for: 2s"),
            Fault("terminate-\(device)", "terminate: \(device), for: 2s"),
        ]
    }
}

/// Notes when something happens; ranging that goes on is no news.
private final class Moments: RunSink {
    private(set) var all: [Nanoseconds] = []
    private let isOver: (TraceEvent) -> Bool
    private var hasEnded = false
    /// Who has ranged already; looked up only.
    private var ranged: Set<String> = []

    init(until isOver: @escaping (TraceEvent) -> Bool) { self.isOver = isOver }

    func take(_ event: TraceEvent) {
        guard !hasEnded else { return }
        if ["uwb.round", "ni.didUpdate"].contains(event.kind),
            !ranged.insert("\(event.kind) \(event.device)").inserted
        {
            return
        }
        let time = event.time.nanoseconds
        if all.last != time { all.append(time) }
        hasEnded = isOver(event)
    }
}
