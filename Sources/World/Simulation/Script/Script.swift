import Airs
import Choices
import DeviceLink
import Scenarios
import Traces

/// The script: what is to be done to a run, what is being done, and what waits for a trigger.
///
/// It knows of the run what it is handed, and answers with effects, which the world carries out in
/// sequence. Whether something goes on follows from ``active``, so that the end of one leaves the
/// others.
struct Script: Sendable {
    /// What it asks the world to wake it for.
    enum Event: Equatable, Sendable {
        /// A step of the topology, or a random fault: an item.
        case step(Int)
        /// The end of a fault that has a duration: the item that began it.
        case end(of: Int)
        /// Every disturbance ends.
        case heal
    }

    /// What follows from an event; the sequence counts.
    enum Effect: Equatable, Sendable {
        case trace(EventKind, device: Int?, [Field])
        /// Something to be woken for, in the channel of this name, at a moment.
        case schedule(Event, channel: String, at: UInt64)
        /// What the two ways between two devices are like from now on.
        case change(from: Int, to: Int, there: Conditions, back: Conditions)
        /// What a host is told of its links to another device waits from now on, or does no more.
        case hold(from: Int, to: Int, isHeld: Bool)
        /// How much longer a device's queues keep what is posted to them, in nanoseconds.
        case keepQueues(of: Int, UInt64)
        case move(Int, to: Position, over: UInt64)
        case turn(Int, heading: Int32, pitch: Int32, over: UInt64)
        /// A device is held upright, or on its side.
        case rotate(Int, isUpright: Bool)
        /// It is so bright where a device is.
        case light(Int, lux: UInt32)
        /// The links between two devices end; an item has hit if there are any.
        case disconnect(Int, Int, reason: UInt8, item: Int)
        /// A process dies after so many answers of its next turn; 0: at once.
        case kill(Int, afterAnswers: Int)
        case restart(Int)
        case freeze(Int)
        case thaw(Int)
        case command(Int, name: String, arguments: [Pair])
        /// The last fault may be over by now: what is traced before may have planned another.
        case faultsMayBeOver
    }

    /// One thing to do: a step of the file, or a random fault.
    struct Item: Sendable {
        let verb: Verb
        let text: String
        /// The name of the channel in which it waits.
        let channel: String
        /// The item whose disturbance it ends, and of no other one.
        let ends: Int?
        var note = StepNote()
        /// How often what it began has ended as it was meant to.
        var endings = 0
    }

    /// A step that waits for an event of the trace.
    private struct Trigger: Sendable {
        let pattern: EventPattern
        let delay: UInt64
        let item: Int
        var toSkip: Int
        var timesLeft: Int
    }

    let topology: Topology
    var items: [Item] = []
    private var triggers: [Trigger] = []
    /// The random faults that were drawn.
    private(set) var drawn: [DrawnFault] = []
    /// What has begun and not ended, in the order in which it began.
    var active: [Disturbance] = []
    var spoilings: [Spoiling] = []
    /// The pairs between which the topology's own obstacle is gone, for good.
    var cleared: [DevicePair] = []
    /// Faults that are planned for a fixed time and have not begun.
    var planned = 0
    /// Whether the topology's length is over: nothing is begun any more.
    private(set) var hasEnded = false

    init(_ topology: Topology) { self.topology = topology }

    /// What became of each step of the topology so far, in their order.
    var stepNotes: [StepNote] { items.prefix(topology.steps.count).map(\.note) }

    /// The faults that go on, in the order in which they began.
    var faults: [Verb] { active.map(\.verb).filter(\.isFault) }

    /// What an item is in words: its text in the topology, or which random fault it is.
    func text(of item: Int) -> String { items[item].text }

    /// Whether no fault goes on and none is planned.
    var areFaultsOver: Bool { planned == 0 && !active.contains(where: \.verb.isFault) }

    /// Whether a step waits for an event of the trace.
    var hasTriggers: Bool { !triggers.isEmpty && !hasEnded }

    /// The topology's length is over.
    mutating func end() { hasEnded = true }
}

/// What is planned.
extension Script {
    /// Plans the steps and draws the random faults.
    mutating func begin(drawing decisions: inout Decisions) -> [Effect] {
        var effects: [Effect] = []
        for (place, step) in topology.steps.enumerated() {
            let item = add(step.verb, step.text, in: "step \(place + 1)", ends: step.ends)
            switch step.moment {
            case .at(let time): effects += plan(item, at: time)
            case .when(let pattern, let after, let skip, let times):
                triggers.append(
                    Trigger(
                        pattern: pattern, delay: after, item: item, toSkip: skip, timesLeft: times))
            }
        }
        guard let faults = topology.randomFaults else { return effects }
        effects += plan(faults, drawing: &decisions)
        if faults.heals {
            effects.append(
                .schedule(.heal, channel: "heal", at: topology.timeOfRandomFaults.upperBound))
        }
        return effects
    }

    /// Lets an event of the trace set off the steps that wait for it.
    mutating func handle(_ event: TraceEvent) -> [Effect] {
        var effects: [Effect] = []
        for index in triggers.indices where triggers[index].pattern.matches(event) {
            guard triggers[index].toSkip == 0 else {
                triggers[index].toSkip -= 1
                continue
            }
            guard triggers[index].timesLeft > 0 else { continue }
            triggers[index].timesLeft -= 1
            let (item, delay) = (triggers[index].item, triggers[index].delay)
            effects += plan(item, at: event.time.nanoseconds + delay)
        }
        return effects
    }

    private mutating func add(
        _ verb: Verb, _ text: String, in channel: String, ends: Int? = nil
    ) -> Int {
        items.append(Item(verb: verb, text: text, channel: channel, ends: ends))
        return items.count - 1
    }

    private mutating func plan(_ item: Int, at time: UInt64) -> [Effect] {
        guard time <= topology.length else {
            items[item].note.late += 1
            return []
        }
        if items[item].verb.isFault { planned += 1 }
        return [.schedule(.step(item), channel: items[item].channel, at: time)]
    }

    /// Plans a random fault, and its end where that is a verb of its own.
    mutating func plan(
        _ deed: Deed, from start: UInt64, for length: UInt64, label: String
    ) -> [Effect] {
        let channel = "\(label) at \(start)"
        let verb = Verb(deed)
        let item = add(verb, label, in: channel)
        var fault = TimedFault(deed, start: start, length: verb.duration ?? 0)
        var effects = plan(item, at: start)
        if verb.duration == nil, let undo = verb.undo {
            let end = min(start + length, topology.length)
            fault.length = end - start
            effects += plan(add(undo, "end of \(label)", in: channel, ends: item), at: end)
        }
        drawn.append(DrawnFault(fault: fault, channel: channel, item: item))
        return effects
    }
}
