internal import DeviceLink
internal import Topologies
internal import Traces

/// What is to be done, what is being done, and what waits for a trigger.
struct Script: Sendable {
    /// One thing to do: a step of the file, or a random fault.
    struct Item: Sendable {
        let verb: Verb
        let text: String
    }

    /// A step that waits for an event of the trace.
    struct Trigger: Sendable {
        let pattern: EventPattern
        let delay: UInt64
        let item: Int
        let channel: Int
        var toSkip: Int
        var timesLeft: Int
    }

    /// A message that the next matching send of a device is spoilt with.
    struct Spoiling: Sendable {
        let device: Int
        let message: String?
        let how: Corruption
        var left: Int
        let item: Int
    }

    var items: [Item] = []
    var triggers: [Trigger] = []
    var spoilings: [Spoiling] = []
    /// The random faults that were drawn.
    var drawn: [DrawnFault] = []
    /// Faults that have begun and not ended, as the verbs that began them.
    var active: [Verb] = []
    /// Faults that are planned for a fixed time and have not begun.
    var planned = 0
    var hasEnded = false
    var endChannel: Int?
    /// The channels of faults that end by themselves, by item.
    ///
    /// Looked up only.
    var endings: [Int: Int] = [:]
    /// The channel of commands to each device, by device and incarnation.
    ///
    /// Looked up only.
    var commands: [String: Int] = [:]
}

extension World {
    /// Puts steps and random faults in their channels.
    mutating func prepareScript() {
        for (index, step) in topology.steps.enumerated() {
            let item = add(step.verb, step.text)
            let channel = agenda.open("step \(index + 1)")
            switch step.moment {
            case .at(let time):
                plan(item, in: channel, at: time)
            case .when(let pattern, let after, let skip, let times):
                script.triggers.append(
                    Script.Trigger(
                        pattern: pattern, delay: after, item: item, channel: channel, toSkip: skip,
                        timesLeft: times))
            }
        }
        guard let faults = topology.randomFaults else { return }
        plan(faults)
        guard faults.heals else { return }
        let end = faults.between.upperBound
        agenda.add(.heal, to: agenda.open("heal"), earliest: end, latest: end)
    }

    mutating func add(_ verb: Verb, _ text: String) -> Int {
        script.items.append(Script.Item(verb: verb, text: text))
        return script.items.count - 1
    }

    mutating func plan(_ item: Int, in channel: Int, at time: UInt64) {
        guard time <= topology.length else { return }
        if script.items[item].verb.isFault { script.planned += 1 }
        agenda.add(.verb(item), to: channel, earliest: time, latest: time)
    }

    /// Lets an event of the trace set off the steps that wait for it.
    mutating func pullTriggers(_ event: TraceEvent) {
        guard !script.triggers.isEmpty, !script.hasEnded else { return }
        for index in script.triggers.indices where script.triggers[index].pattern.matches(event) {
            guard script.triggers[index].toSkip == 0 else {
                script.triggers[index].toSkip -= 1
                continue
            }
            guard script.triggers[index].timesLeft > 0 else { continue }
            script.triggers[index].timesLeft -= 1
            let trigger = script.triggers[index]
            plan(trigger.item, in: trigger.channel, at: now + trigger.delay)
        }
    }

    /// One step of the script or one random fault happens.
    mutating func performStep(_ number: Int) {
        let item = script.items[number]
        emit("script.step", fields: [Field("step", .text(item.text))])
        if item.verb.isFault {
            script.planned -= 1
            emit(item.verb.kind, on: index(of: item.verb.target), fields: item.verb.fields)
        }
        if item.verb.isLasting { script.active.append(item.verb) }
        perform(item.verb, item: number)
        if let duration = item.verb.duration { scheduleEnd(of: number, after: duration) }
        if let began = item.verb.ended { endActive(began) }
        if item.verb.isFault { noteFaultsStopped() }
    }

    private mutating func scheduleEnd(of item: Int, after duration: UInt64) {
        let channel = script.endings[item] ?? agenda.open("end of fault \(item + 1)")
        script.endings[item] = channel
        agenda.add(
            .fault(ended: item), to: channel, earliest: now + duration, latest: now + duration)
    }

    /// A fault with a duration is over.
    mutating func endFault(_ index: Int) {
        let verb = script.items[index].verb
        guard let reverse = verb.reverse else { return }
        emit(
            reverse.isFault ? reverse.kind : verb.kind, on: self.index(of: reverse.target),
            fields:
                reverse.fields + [Field("ended", true)])
        perform(reverse, item: index)
        endActive(verb)
        if verb.isFault { noteFaultsStopped() }
    }

    /// A fault that was armed for something has been used up by it.
    mutating func faultUsed(_ verb: Verb) {
        endActive(verb)
        if verb.isFault { noteFaultsStopped() }
    }

    /// Every disturbance ends, and what is armed for later is disarmed.
    mutating func heal() {
        for verb in script.active {
            guard let reverse = verb.reverse else { continue }
            emit(reverse.kind, on: index(of: reverse.target), fields: reverse.fields)
            perform(reverse, item: 0)
        }
        script.active = []
        script.spoilings = []
        uwb.refusals = [:]
        noteFaultsStopped()
    }

    private mutating func endActive(_ verb: Verb) {
        guard let index = script.active.lastIndex(where: { $0.isEnded(by: verb) }) else { return }
        script.active.remove(at: index)
    }

    private mutating func noteFaultsStopped() {
        guard script.active.isEmpty, script.planned == 0 else { return }
        emit("faults.stopped")
    }

    func index(of device: String?) -> Int? {
        devices.firstIndex { $0.name == device }
    }
}
