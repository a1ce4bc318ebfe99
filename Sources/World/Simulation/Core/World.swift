internal import Airs
internal import Basics
package import Choices
package import DeviceLink
internal import Observer
package import Scenarios
package import Traces

/// The pure core of a run: devices, air, faults and script as one value.
///
/// `handle` takes what happened and says what to do next. It does no I/O and reads no clock; the same
/// plan, scheduler and answers give the same actions and the same trace.
package struct World: Sendable {
    /// What the core is asked to note beside the events.
    package struct Options: Sendable {
        /// Whether every turn is an event of the trace (`device.turn`).
        package var tracesTurns = false
        /// Whether host-controller packets are kept for captures.
        package var captures = true
        /// Whether every step is kept, to be compared with those of another run.
        package var keepsSteps = false
        /// Whether the schedule is noted.
        package var notesSchedule = false
        /// Whether the order of racing events is noted.
        package var notesOrder = false
        /// Whether the events of each channel are counted, for a census.
        package var countsEvents = false
        /// Whether digests are kept at some steps, to be compared with those of another run.
        package var keepsCheckpoints = false
        /// Where the run pauses; nil goes through.
        package var pause: Place?
        package init() {}
    }

    let topology: Topology
    let options: Options
    var scheduler: any Scheduler
    /// Whether it takes the first head at once.
    private(set) var isPlain = false
    /// Whether nobody has to look at more than the first head.
    private(set) var looksAtFirst = false
    package internal(set) var decisions: Decisions
    var agenda: Agenda<Occurrence>
    package internal(set) var step: UInt64 = 0
    package internal(set) var digest = Digest()
    var actions: [Action] = []
    /// Turns that were granted and not yet answered, in the order of their picks.
    var outstanding = Queue<Turn>()
    /// How many turns were granted so far.
    package internal(set) var turnCount: UInt32 = 0

    /// The moment, the devices, and the ways between them: what an air may see, which is why they stand
    /// together and are not copied for it.
    var surroundings: Surroundings
    /// What is kept for each device.
    var holdings: [DeviceHoldings]
    var bluetooth: BluetoothAir
    var bluetoothChannels: BluetoothChannels
    var uwb: UWBAir
    /// The channels of each slot's session, to the air and to its host.
    var uwbChannels: [(rounds: Int, toHost: Int)] = []
    var network: NetworkAir
    var networkChannels = NetworkChannels()
    var script: Script
    /// The channels of what the script has waiting, by their names; looked up only.
    var scriptChannels: [String: Int] = [:]
    private var endChannel: Int?
    var observer: AirObserver
    /// What the observer sees in a frame; empty in between; its capacity is kept.
    var seen: [AirObserver.ObservedEvent] = []
    /// Why the run is over; nil while it goes on.
    package var ended: Ending? { ending }
    var ending: Ending?
    /// Where the run pauses next.
    var pause: Place?
    /// Whether a device has broken the contract: nothing happens until the shell gives the run up.
    private var isAccusing = false

    /// Events of the trace that the shell has not taken yet.
    package internal(set) var trace: [TraceEvent] = []
    /// Host-controller packets that the shell has not taken yet.
    package internal(set) var packets: [HostControllerRecord] = []
    var nextTraceNumber: UInt64 = 0
    /// Every step so far, where the options ask for it.
    package internal(set) var steps: [StepRecord] = []
    /// The digests at some steps, where the options ask for them.
    package private(set) var checkpoints: Checkpoints
    /// How the schedule differs from the plain one so far, where the options ask for it.
    var notes: ScheduleNotes?
    /// The order of racing events so far, where the options ask for it.
    var orderNotes: OrderNotes?
    /// How many events each channel had, where the options ask for it.
    package private(set) var eventCounts: [Keyed: UInt64] = [:]

    /// A step, to be compared with the same step of another run.
    ///
    /// Two are equal where the run before, the time and the event are; what led to it is noted besides.
    package struct StepRecord: Equatable, Sendable {
        /// The digest of the run before it.
        package let digest: UInt64
        /// When.
        package let time: VirtualTime
        /// Which event was picked: its channel and ordinal.
        package let event: String
        /// The device that it reached; nil for what happened in the air, by the script or by a fault.
        package let device: Int?
        /// Its number among all events that were ever pending.
        package let order: UInt64
        /// The number of the event in which it came to be pending; no event has it where none did.
        package let cause: UInt64

        /// Whether both runs have been the same so far.
        package static func == (one: StepRecord, other: StepRecord) -> Bool {
            one.digest == other.digest && one.time == other.time && one.event == other.event
        }
    }

    /// A turn on its way: what was granted, and the answers once they are here.
    struct Turn: Sendable {
        package let device: Int
        package let owner: Decisions.Owner
        package let moment: Pending<Occurrence>.Moment
        let event: DeviceEvent
        var answers: [Answer]?
    }

    /// The longest time a run goes on after the topology's length to decide what is open.
    package static let grace: Nanoseconds = .seconds(35)

    /// The world of a plan.
    package init(
        plan: Plan, scheduler: any Scheduler, decisions: Decisions, options: Options = Options()
    ) {
        topology = plan.topology
        self.options = options
        pause = options.pause
        checkpoints = Checkpoints(areWanted: options.keepsCheckpoints)
        self.scheduler = scheduler
        self.decisions = decisions
        agenda = Agenda(devices: plan.topology.devices.count)
        if options.notesSchedule {
            notes = ScheduleNotes()
            self.decisions.recording = .besideTheOrder
        }
        if options.notesOrder { orderNotes = OrderNotes() }
        surroundings = Surroundings(
            at: 0, devices: plan.topology.devices.map(DeviceState.init), ways: Ways(plan.topology))
        let count = plan.topology.devices.count
        holdings = Array(repeating: DeviceHoldings(), count: count)
        bluetooth = BluetoothAir(plan.topology.air, devices: count)
        bluetoothChannels = BluetoothChannels(devices: count)
        uwb = UWBAir(plan.topology.air)
        network = NetworkAir(plan.topology.air, devices: count)
        script = Script(plan.topology)
        observer = AirObserver(services: plan.topology.services)
    }

    /// The name of a device.
    package func name(of device: Int) -> String { devices[device].name }

    /// Takes what happened and says what to do.
    package mutating func handle(_ event: Event) -> [Action] {
        actions.removeFew()
        switch event {
        case .begin:
            begin()
            advance()
        case .answered(let device, let answers):
            note(answers, of: device)
            advance()
        case .lagged(let longest):
            emit(.runLag, fields: [Field("longest", .number(Int64(clamping: longest)))])
        case .consulted(let isOpen):
            if isOpen { scheduleEndCheck(after: .milliseconds(250)) } else { end(.finished) }
            advance()
        case .resumed(let next):
            pause = next
            advance()
        case .abandoned(let device, let reason):
            abandon(device, because: reason)
        }
        return actions
    }

    /// The shell has taken the events and packets so far.
    package mutating func forgetTaken() {
        trace.removeAll(keepingCapacity: true)
        if !packets.isEmpty { packets.removeAll(keepingCapacity: true) }
    }

    private mutating func begin() {
        isPlain = scheduler.isPlain
        looksAtFirst = isPlain && notes == nil && !decisions.keepsNames
        emit(
            .runStarted,
            fields: [
                Field("topology", .text(topology.name)),
                Field("length", .number(Int64(topology.length))),
            ])
        for index in devices.indices {
            let channel = agenda.open(EventID.startChannel(of: devices[index].name))
            let start = devices[index].spec.start
            agenda.add(.powerOn(device: index), to: channel, earliest: start, latest: start)
        }
        beginScript()
        scheduleEndCheck(after: topology.length)
    }

    private mutating func scheduleEndCheck(after delay: Nanoseconds) {
        let channel = endChannel ?? agenda.open("end of the run")
        endChannel = channel
        agenda.add(.checkForEnd, to: channel, earliest: now + delay, latest: now + delay)
    }

    /// Goes on until a device has to take its turn, the shell has to answer, or the run is over.
    private mutating func advance() {
        while ending == nil, !isAccusing {
            guard let first = outstanding.indices.first else {
                if let pause, isAt(pause) { return actions.append(.pause) }
                guard pick() else { return }
                continue
            }
            guard let answers = outstanding[first].answers else { return }
            finish(outstanding.takeFirst(), answers)
        }
    }

    /// Everything between a pick and its effects: step number and digest.
    mutating func beginStep(
        _ owner: Decisions.Owner, _ moment: Pending<Occurrence>.Moment, on device: Int?
    ) {
        agenda.present = moment.order
        if options.countsEvents { eventCounts[owner.key, default: 0] += 1 }
        if options.keepsSteps {
            steps.append(
                StepRecord(
                    digest: digest.value, time: VirtualTime(nanoseconds: now),
                    event: "\(owner.label) #\(moment.ordinal)", device: device,
                    order: moment.order, cause: moment.cause))
        }
        if step == checkpoints.due { checkpoints.take(digest.value) }
        step += 1
        digest.mix(now)
        digest.mix(owner.key.value ^ moment.ordinal)
    }

    /// What happens without a device's turn.
    ///
    /// False where the shell has to answer first.
    mutating func perform(_ occurrence: Occurrence) -> Bool {
        switch occurrence {
        case .deliver: preconditionFailure("turns are granted")
        case .bluetooth(let event): perform(event)
        case .round(let slot): range(slot)
        case .frame(let device): takeFrame(device)
        case .network(let event): perform(event)
        case .script(let event): perform(event)
        case .powerOn(let device): start(device)
        case .checkForEnd: return checkForEnd()
        }
        return true
    }

    /// The end of a turn: its answers take effect, in order.
    private mutating func finish(_ turn: Turn, _ answers: [Answer]) {
        beginStep(turn.owner, turn.moment, on: turn.device)
        noteDelivery(of: turn.event, to: turn.device)
        devices[turn.device].hasTurn = false
        let kept = min(devices[turn.device].killAfterAnswers ?? .max, answers.count)
        digest.mix(UInt64(kept))
        for index in 0..<kept {
            do throws(Breach) {
                try apply(answers[index], of: turn.device)
            } catch {
                isAccusing = true
                return actions.append(.accuse(device: turn.device, error, answer: index))
            }
        }
        if devices[turn.device].killAfterAnswers != nil { kill(turn.device) }
    }

    private mutating func note(_ answers: [Answer], of device: Int) {
        guard
            let index = outstanding.indices.first(where: {
                outstanding[$0].device == device && outstanding[$0].answers == nil
            })
        else { preconditionFailure("an answer of a device that has no turn") }
        outstanding[index].answers = answers
    }

    private mutating func checkForEnd() -> Bool {
        if !script.hasEnded {
            script.end()
            emit(.scriptEnded)
        }
        if now >= topology.length + Self.grace {
            end(.cut)
        } else {
            actions.append(.consult)
        }
        return false
    }

    private mutating func abandon(_ device: Int?, because reason: String) {
        guard ending == nil else { return }
        if let device { emit(.deviceDied, on: device, fields: [Field("cause", .text(reason))]) }
        end(.abandoned)
    }

    mutating func end(_ reason: Ending) {
        ending = reason
        emit(.runEnded, fields: [Field("reason", .text(reason.rawValue))])
        actions.append(.end(reason, at: VirtualTime(nanoseconds: now)))
    }

    /// Adds what the orchestrator sees to the trace.
    mutating func emit(_ kind: EventKind, on device: Int? = nil, fields: [Field] = []) {
        emit(
            TraceEvent(
                number: nextTraceNumber, time: VirtualTime(nanoseconds: now), step: step,
                kind: kind,
                device: device.map { devices[$0].name } ?? "",
                role: device.map { devices[$0].role }, fields: fields))
    }

    /// Adds what a device observes to the trace.
    mutating func emit(named name: String, on device: Int, fields: [Field]) {
        emit(
            TraceEvent(
                number: nextTraceNumber, time: VirtualTime(nanoseconds: now), step: step,
                name: name, device: devices[device].name, role: devices[device].role,
                isObservation: true, fields: fields))
    }

    private mutating func emit(_ event: consuming TraceEvent) {
        nextTraceNumber += 1
        digest.mix(event.name)
        digest.mix(event.fields)
        pullTriggers(event)
        trace.append(event)
    }
}
