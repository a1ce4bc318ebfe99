import Reports
import Scenarios
import Simulation
import Traces
import UV

extension LocalRunner {
    /// The core's place for that of a halt; nil where the run never comes to it.
    func place(
        of halt: Halt, in planned: PlannedRun, on wall: WallClockHosting?
    ) throws -> World.Place? {
        switch halt.place {
        case .moment(let moment): .moment(moment)
        case .event(let number):
            try step(ofEvent: number, in: planned, on: wall).map { .step($0) }
        case nil: index(of: halt.device, in: planned.plan.topology).map { .turn(device: $0) }
        }
    }

    /// The step to which an event belongs, from a run before the run: who takes a turn says only then
    /// what it leads to.
    private func step(
        ofEvent number: UInt64, in planned: PlannedRun, on wall: WallClockHosting?
    ) throws -> UInt64? {
        let finder = EventFinder(number) { [unowned self] in try current?.interrupt() }
        _ = try play(world(planned), of: planned.plan.topology, watchedBy: [finder], on: wall)
        try Interruption.check()
        return finder.step
    }

    func pause(
        at halt: Halt, in topology: Topology, recordedBy recorder: Recorder
    ) throws {
        guard let run = current else { return }
        guard let device = index(of: halt.device, in: topology) else {
            try halt.show(recorder.state(run), nil)
            return run.leave()
        }
        guard run.world.isAlive(device) else { return try run.resume(next: .turn(device: device)) }
        let processes = hosting as? ProcessHosting
        try waitUntilReady(device, in: processes, of: run) { [unowned self, unowned run] in
            processes?.stopWatching(device)
            try halt.show(
                recorder.state(run),
                Halt.Held(
                    name: run.world.name(of: device), process: processes?.processID(of: device)))
            try waitForUser { [unowned run] in try run.resume() }
        }
    }

    /// Calls back once a device lives where it will take its turns: a program may make a process for that.
    private func waitUntilReady(
        _ device: Int, in processes: ProcessHosting?, of run: Run,
        _ work: @escaping () throws -> Void
    ) throws {
        guard let processes, processes.owesReady(device) else { return try work() }
        let timer = try Timer(on: loop)
        timer.start(after: 0, every: 10) { [unowned self, unowned timer, weak run] in
            let isOver = current == nil || current !== run
            guard isOver || !processes.owesReady(device) else { return }
            timer.close()
            if !isOver { try work() }
        }
    }

    private func index(of device: String?, in topology: Topology) -> Int? {
        topology.devices.firstIndex { $0.name == device }
    }

    /// Calls back once somebody has pressed Enter; meanwhile the loop hears signals and devices that
    /// die.
    private func waitForUser(_ work: @escaping () throws -> Void) throws {
        let timer = try Timer(on: loop)
        timer.start(after: 0, every: 50) { [unowned timer] in
            guard ThisProcess.hearsEnter() else { return }
            timer.close()
            try work()
        }
    }
}

private final class EventFinder: RunSink {
    private let number: UInt64
    private let onFound: () throws -> Void
    private(set) var step: UInt64?

    init(_ number: UInt64, onFound: @escaping () throws -> Void) {
        self.number = number
        self.onFound = onFound
    }

    var isPrompt: Bool { true }

    func take(_ event: TraceEvent) throws {
        guard event.number == number, step == nil else { return }
        step = event.step
        try onFound()
    }
}
