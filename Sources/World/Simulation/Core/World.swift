import Airs
import Basics
package import Choices
package import DeviceLink
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

    /// What the run is like, and what follows from what happens.
    ///
    /// Who looks after each action reads it here: to ask the world for a part of it, another module would copy both.
    package internal(set) var state: WorldState
    var scheduler: any Scheduler
    /// Whether it takes the first head at once.
    private(set) var isPlain = false
    /// Whether nobody has to look at more than the first head.
    private(set) var looksAtFirst = false
    /// Turns that were granted and not yet answered, in the order of their picks.
    var outstanding = Queue<Turn>()
    package internal(set) var turnCount: UInt32 = 0
    private var endChannel: Int?
    /// Why the run is over; nil while it goes on.
    package private(set) var ended: RunEnding?
    var pause: Place?
    /// Whether a device has broken the contract: nothing happens until the shell gives the run up.
    private var isAccusing = false

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
        let device: Int
        let owner: Decisions.Owner
        let moment: Pending<Occurrence>.Moment
        let event: DeviceEvent
        var answers: [Answer]?
    }

    /// The longest time a run goes on after the topology's length to decide what is open.
    package static let grace: Nanoseconds = .seconds(35)

    package init(
        plan: Plan, scheduler: any Scheduler, decisions: Decisions, options: Options = Options()
    ) {
        self.scheduler = scheduler
        pause = options.pause
        checkpoints = Checkpoints(areWanted: options.keepsCheckpoints)
        state = WorldState(plan.topology, options, drawing: decisions)
        if options.notesSchedule {
            notes = ScheduleNotes()
            state.decisions.recording = .besideTheOrder
        }
        if options.notesOrder { orderNotes = OrderNotes() }
    }

    /// Takes what happened and says what to do.
    package mutating func handle(_ event: Event) -> [Action] {
        state.actions.removeFew()
        switch event {
        case .begin:
            begin()
            advance()
        case .answered(let device, let answers):
            note(answers, of: device)
            advance()
        case .lagged(let longest):
            state.emit(.runLag, fields: [Field("longest", .number(Int64(clamping: longest)))])
        case .consulted(let isOpen):
            if isOpen { scheduleEndCheck(after: .milliseconds(250)) } else { end(.finished) }
            advance()
        case .resumed(let next):
            pause = next
            advance()
        case .abandoned(let device, let reason): abandon(device, because: reason)
        }
        return state.actions
    }

    /// The shell has taken the events and packets so far.
    package mutating func forgetTaken() {
        state.trace.removeAll(keepingCapacity: true)
        if !state.packets.isEmpty { state.packets.removeAll(keepingCapacity: true) }
    }

    private mutating func begin() {
        isPlain = scheduler.isPlain
        looksAtFirst = isPlain && notes == nil && !state.decisions.keepsNames
        state.emit(
            .runStarted,
            fields: [
                Field("topology", .text(state.topology.name)),
                Field("length", .number(Int64(state.topology.length))),
            ])
        for index in state.devices.indices {
            let channel = state.agenda.open(EventID.startChannel(of: state.devices[index].name))
            let start = state.devices[index].spec.start
            state.agenda.add(.powerOn(device: index), to: channel, earliest: start, latest: start)
        }
        state.beginScript()
        scheduleEndCheck(after: state.topology.length)
    }

    private mutating func scheduleEndCheck(after delay: Nanoseconds) {
        let channel = endChannel ?? state.agenda.open("end of the run")
        endChannel = channel
        state.agenda.add(
            .checkForEnd, to: channel, earliest: state.now + delay, latest: state.now + delay)
    }

    /// Goes on until a device has to take its turn, the shell has to answer, or the run is over.
    private mutating func advance() {
        while ended == nil, !isAccusing {
            guard let first = outstanding.indices.first else {
                if let pause, isAt(pause) { return state.actions.append(.pause) }
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
        state.agenda.present = moment.order
        if state.options.countsEvents { eventCounts[owner.key, default: 0] += 1 }
        if state.options.keepsSteps {
            steps.append(
                StepRecord(
                    digest: state.digest.value, time: VirtualTime(nanoseconds: state.now),
                    event: "\(owner.label) #\(moment.ordinal)", device: device,
                    order: moment.order, cause: moment.cause))
        }
        if state.step == checkpoints.due { checkpoints.take(state.digest.value) }
        state.step += 1
        state.digest.mix(state.now)
        state.digest.mix(owner.key.value ^ moment.ordinal)
    }

    /// The end of a turn: its answers take effect, in order.
    private mutating func finish(_ turn: Turn, _ answers: [Answer]) {
        beginStep(turn.owner, turn.moment, on: turn.device)
        state.noteDelivery(of: turn.event, to: turn.device)
        state.devices[turn.device].hasTurn = false
        let kept = min(state.devices[turn.device].killAfterAnswers ?? .max, answers.count)
        state.digest.mix(UInt64(kept))
        for index in 0..<kept {
            do throws(Breach) {
                try state.apply(answers[index], of: turn.device)
            } catch {
                isAccusing = true
                return state.actions.append(.accuse(device: turn.device, error, answer: index))
            }
        }
        if state.devices[turn.device].killAfterAnswers != nil { state.kill(turn.device) }
    }

    private mutating func note(_ answers: [Answer], of device: Int) {
        guard
            let index = outstanding.indices.first(where: {
                outstanding[$0].device == device && outstanding[$0].answers == nil
            })
        else { preconditionFailure("an answer of a device that has no turn") }
        outstanding[index].answers = answers
    }

    mutating func checkForEnd() -> Bool {
        if !state.script.hasEnded {
            state.script.end()
            state.emit(.scriptEnded)
        }
        if state.now >= state.topology.length + Self.grace {
            end(.cut)
        } else {
            state.actions.append(.consult)
        }
        return false
    }

    private mutating func abandon(_ device: Int?, because reason: String) {
        guard ended == nil else { return }
        if let device {
            state.emit(.deviceDied, on: device, fields: [Field("cause", .text(reason))])
        }
        end(.abandoned)
    }

    mutating func end(_ reason: RunEnding) {
        ended = reason
        state.emit(.runEnded, fields: [Field("reason", .text(reason.rawValue))])
        state.actions.append(.end(reason, at: VirtualTime(nanoseconds: state.now)))
    }
}

// What the shell may see of it.
extension World {
    /// The moment, in nanoseconds of virtual time.
    package var now: UInt64 { state.now }
    package var digest: Digest { state.digest }
    package var decisions: Decisions { state.decisions }
    /// What became of each step of the topology so far, in their order.
    package var stepNotes: [StepNote] { state.script.stepNotes }
    /// The random faults of this run, in the order in which they were drawn.
    package var drawnFaults: [DrawnFault] { state.script.drawn }

    package func name(of device: Int) -> String { state.devices[device].name }

    /// Whether a device has a process that takes turns, or would if it were not frozen.
    package func isAlive(_ device: Int) -> Bool { state.devices[device].isAlive }
}
