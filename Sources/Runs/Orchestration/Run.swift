import Basics
package import DeviceLink
package import Scenarios
package import Simulation
package import Traces

/// What watches a run: promises, files, a screen.
package protocol RunSink: AnyObject {
    /// Something happened.
    func take(_ event: TraceEvent) throws
    /// Some things happened, in this sequence: who looks at few of them need not look at each alone.
    func take(_ events: Span<TraceEvent>) throws
    /// Something went between a host and its controller.
    func take(_ packet: World.HostControllerRecord) throws
    /// A device wrote to its log.
    func log(_ device: Int, _ bytes: UnsafeRawBufferPointer) throws
    /// Whether something waits for a deadline that may still pass.
    var awaitsDeadline: Bool { get }
    /// Whether it wants each event when it happens, and not some of them together.
    var isPrompt: Bool { get }
    /// Writes what waits in buffers.
    func flush() throws
}

/// Most look at events alone, and wait for nothing.
extension RunSink {
    package func take(_ events: Span<TraceEvent>) throws {
        for place in events.indices { try take(events[place]) }
    }
    package func take(_ packet: World.HostControllerRecord) throws {}
    package func log(_ device: Int, _ bytes: UnsafeRawBufferPointer) throws {}
    package var awaitsDeadline: Bool { false }
    package var isPrompt: Bool { false }
    package func flush() throws {}
}

/// One run: the core, its devices, and those who watch.
///
/// It does what the core's actions say and decides nothing.
package final class Run: HostingListener {
    /// How a run ended.
    package enum Outcome: Equatable {
        /// As the core said.
        case ended(RunEnding)
        case failed(DeviceFailure)
        /// Somebody interrupted us.
        case interrupted
        /// It was left where it had paused.
        case left
    }

    /// The core.
    package private(set) var world: World
    /// How it ended; nil while it goes on.
    package private(set) var outcome: Outcome?
    /// The moment of its end; that of its beginning while it goes on.
    package private(set) var end = VirtualTime.zero
    /// Whether it has ended; no outcome is compared, as this is asked in every turn.
    private var isOver: Bool { if case .none = outcome { false } else { true } }
    private let hosting: any DeviceHosting
    private let sinks: [any RunSink]
    /// Those who want each event at once.
    private let prompt: [any RunSink]
    /// Those who get many events together.
    private let patient: [any RunSink]
    /// How many of the core's events `prompt` has received.
    private var shown = (events: 0, packets: 0)
    private let pacer: Pacer?
    private let onEnd: () -> Void
    /// How many events and packets are handed over together.
    ///
    /// After a switch from the devices the processor has to find the code and data of those who watch
    /// anew, and after them those of the devices: many events share that.
    private static let batch = 512
    private var events = Queue<World.Event>()
    private var isHandling = false
    /// Whether the core is done, and devices are looked at for the last time.
    private var isSettling = false
    /// Called now and then, and before every wait: what else happens in a run that never gives the
    /// loop back (one with inline devices).
    package var onPulse: (() throws -> Void)?
    /// Called where the run has paused, with all that happened handed over; it, or somebody later, calls
    /// ``resume(next:)`` or ``leave()``.
    package var onPause: (() throws -> Void)?
    /// After how many steps the run is given up.
    package var mostSteps = UInt64.max
    private var grantsToPulse = Run.grantsPerPulse
    private static let grantsPerPulse = 1_024
    /// Grants since virtual time last went on, of all devices and of each.
    private var stuck = (at: VirtualTime.zero, grants: 0)
    private var stuckAt: [(at: VirtualTime, grants: Int)] = []
    /// No device needs so many at one moment; one that does would go on for ever.
    private static let mostGrantsAtOnce = 100_000

    /// A run that has not begun.
    ///
    /// - Parameters:
    ///   - world: The core, as it begins.
    ///   - hosting: Where the devices live.
    ///   - sinks: Who watches.
    ///   - pacer: Keeps virtual time with the wall clock; nil runs as fast as it can.
    ///   - onEnd: Called once, when the run is over.
    package init(
        _ world: consuming World, on hosting: any DeviceHosting, sinks: [any RunSink],
        pacer: Pacer? = nil,
        onEnd: @escaping () -> Void = {}
    ) {
        self.world = world
        self.hosting = hosting
        self.sinks = sinks
        self.pacer = pacer
        self.onEnd = onEnd
        prompt = sinks.filter { pacer != nil || $0.isPrompt }
        patient = sinks.filter { pacer == nil && !$0.isPrompt }
    }

    /// Begins.
    ///
    /// An inline run is over when this returns; one by process goes on with the loop.
    package func begin(_ topology: Topology) throws {
        try hosting.begin(topology, for: self)
        try submit(.begin)
    }

    /// Ends the run early, keeping what it has.
    package func interrupt() throws {
        guard outcome == nil else { return }
        outcome = .interrupted
        pacer?.cancel()
        try submit(.abandoned(device: nil, reason: "interrupted"))
    }

    /// Goes on after a pause, to the next place if there is one.
    package func resume(next: World.Place? = nil) throws {
        guard outcome == nil else { return }
        try submit(.resumed(next: next))
    }

    /// Ends the run where it has paused: its trace is the beginning of the whole one.
    package func leave() {
        guard outcome == nil else { return }
        outcome = .left
        onEnd()
    }

    package func answered(_ device: Int, _ answers: [Answer]) throws {
        guard !isOver else { return }
        try submit(.answered(device: device, answers))
    }

    package func lagged(_ longest: Nanoseconds) throws {
        guard !isOver else { return }
        try submit(.lagged(longest))
    }

    package func failed(_ failure: DeviceFailure) throws {
        guard outcome == nil else { return }
        outcome = .failed(failure)
        pacer?.cancel()
        guard !isSettling else { return }
        try submit(.abandoned(device: failure.device, reason: failure.kind.rawValue))
    }

    /// The core is done: what a device has said too much breaks the contract, but changes nothing of what was seen.
    private func settle() throws {
        guard outcome == nil else { return }
        isSettling = true
        defer { isSettling = false }
        do { try hosting.settle() } catch let failure as DeviceFailure { try failed(failure) }
    }

    package func logged(_ device: Int, _ bytes: UnsafeRawBufferPointer) throws {
        for sink in sinks { try sink.log(device, bytes) }
    }

    /// Hands events to the core one after another, also those that come while one is handled.
    private func submit(_ event: World.Event) throws {
        events.append(event)
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        while !events.isEmpty { try handle(events.takeFirst()) }
    }

    /// The core's part of an event is over, and its memory free, before anybody acts.
    private func handle(_ event: consuming World.Event) throws {
        let actions = world.handle(consume event)
        if world.state.step > mostSteps, outcome == nil { return try interrupt() }
        if !prompt.isEmpty { try show() }
        if world.state.trace.count + world.state.packets.count >= Self.batch { try handOver() }
        for action in actions { try perform(action) }
    }

    /// Shows what has just happened to those who want it at once.
    private func show() throws {
        let (first, packets) = shown
        shown = (world.state.trace.count, world.state.packets.count)
        try hand(world.state.trace, from: first, to: prompt)
        for place in packets..<shown.packets {
            for sink in prompt { try sink.take(world.state.packets[place]) }
        }
    }

    /// Hands over to those who can wait what has happened since the last time.
    private func handOver() throws {
        try hand(world.state.trace, from: 0, to: patient)
        for packet in world.state.packets { for sink in patient { try sink.take(packet) } }
        world.forgetTaken()
        shown = (0, 0)
    }

    /// Together: an event is copied for whoever looks at it alone.
    private func hand(_ events: [TraceEvent], from first: Int, to sinks: [any RunSink]) throws {
        guard first < events.count else { return }
        for sink in sinks { try sink.take(events.span.extracting(first...)) }
    }

    private func pulse() throws {
        guard let onPulse else { return }
        grantsToPulse -= 1
        guard grantsToPulse <= 0 || pacer != nil else { return }
        grantsToPulse = Self.grantsPerPulse
        try onPulse()
    }

    private func watchProgress(_ device: Int, _ now: VirtualTime) throws {
        stuck = stuck.at == now ? (now, stuck.grants + 1) : (now, 1)
        while stuckAt.count <= device { stuckAt.append((.zero, 0)) }
        stuckAt[device] = stuckAt[device].at == now ? (now, stuckAt[device].grants + 1) : (now, 1)
        guard stuck.grants > Self.mostGrantsAtOnce else { return }
        // Whoever has the last turn may have been woken by another one.
        func turns(_ device: Int) -> Int { stuckAt[device].at == now ? stuckAt[device].grants : 0 }
        let worst = stuckAt.indices.max { turns($0) < turns($1) } ?? device
        throw DeviceFailure(
            device: worst, name: world.name(of: worst), kind: .hang,
            reason:
                "virtual time stands still after \(Self.mostGrantsAtOnce) turns at one moment, "
                + "\(turns(worst)) of them its own; a device that always wants its next turn at once "
                + "(a timer of 0?) never lets it go on")
    }

    /// Does something now, or at its moment by the wall clock if the run goes on until then.
    private func paced(at moment: VirtualTime, _ work: @escaping () throws -> Void) throws {
        guard let pacer, outcome == nil else { return try work() }
        try pacer.perform(at: moment) { [unowned self] in
            do { try work() } catch let failure as DeviceFailure { try failed(failure) }
        }
    }

    private func perform(_ action: consuming World.Action) throws {
        do {
            switch action {
            case .start(let device, let reset): try hosting.start(device, reset)
            case .grant(let device, let turn, let now, let event):
                try pulse()
                guard !isOver else { return }
                try watchProgress(device, now)
                // No closure without need: this is done for every turn.
                guard pacer != nil else {
                    return try hosting.grant(device, turn: turn, now: now, event)
                }
                try paced(at: now) { [unowned self] in
                    try hosting.grant(device, turn: turn, now: now, event)
                }
            case .kill(let device): try hosting.kill(device)
            case .freeze(let device): try hosting.freeze(device)
            case .thaw(let device): try hosting.thaw(device)
            case .accuse(let device, let breach, let answer):
                let failure = DeviceFailure(
                    breach, of: device, world.name(of: device), answer: answer,
                    frame: hosting.lastFrame(of: device))
                try hosting.expel(device)
                throw failure
            case .consult:
                try handOver()
                events.append(.consulted(isOpen: sinks.contains { $0.awaitsDeadline }))
            case .pause:
                try handOver()
                try onPause?()
            case .end(let ending, let moment):
                end = moment
                try handOver()
                try paced(at: moment) { [unowned self] in
                    try settle()
                    if outcome == nil { outcome = .ended(ending) }
                    onEnd()
                }
            }
        } catch let failure as DeviceFailure {
            try failed(failure)
        }
    }
}
