internal import DeviceLink
internal import Scenarios
internal import Traces

/// What is to be done, what is being done, and what waits for a trigger.
struct Script: Sendable {
    /// One thing to do: a step of the file, or a random fault.
    struct Item: Sendable {
        let verb: Verb
        let text: String
        /// The item whose disturbance it ends, and of no other one.
        let ends: Int?
        /// What became of it.
        var note = StepNote()
        /// How often what it began has ended as it was meant to.
        var endings = 0
    }

    /// A step that waits for an event of the trace.
    struct Trigger: Sendable {
        let pattern: EventPattern
        let delay: UInt64
        package let item: Int
        package let channel: Int
        var toSkip: Int
        var timesLeft: Int
    }

    /// A message that the next matching send of a device is spoilt with.
    struct Spoiling: Sendable {
        package let device: Int
        let message: String?
        let how: Corruption
        let disturbance: Disturbance.ID
    }

    var items: [Item] = []
    var triggers: [Trigger] = []
    var spoilings: [Spoiling] = []
    /// The random faults that were drawn.
    var drawn: [DrawnFault] = []
    /// What has begun and not ended, in the order in which it began.
    var active: [Disturbance] = []
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
    /// What became of each step of the topology so far, in their order.
    package var stepNotes: [StepNote] {
        script.items.prefix(topology.steps.count).map(\.note)
    }

    /// Puts steps and random faults in their channels.
    mutating func prepareScript() {
        for (index, step) in topology.steps.enumerated() {
            let item = add(step.verb, step.text, ends: step.ends)
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

    mutating func add(_ verb: Verb, _ text: String, ends: Int? = nil) -> Int {
        script.items.append(Script.Item(verb: verb, text: text, ends: ends))
        return script.items.count - 1
    }

    mutating func plan(_ item: Int, in channel: Int, at time: UInt64) {
        guard time <= topology.length else {
            script.items[item].note.late += 1
            return
        }
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
        emit(.scriptStep, fields: [Field("step", .text(item.text))])
        if item.verb.isFault {
            script.planned -= 1
            emit(item.verb.kind, on: index(of: item.verb.target), fields: item.verb.fields)
        }
        script.items[number].note.fired += 1
        if let began = item.ends {
            end(nextEnding(of: began))
        } else if begin(item.verb, Disturbance.ID(item: number, time: item.note.fired)) {
            script.items[number].note.hits += 1
        }
        if let duration = item.verb.duration { scheduleEnd(of: number, after: duration) }
        if item.verb.isFault { noteFaultsStopped() }
    }

    private mutating func scheduleEnd(of item: Int, after duration: UInt64) {
        let channel = script.endings[item] ?? agenda.open("end of fault \(item + 1)")
        script.endings[item] = channel
        agenda.add(
            .fault(ended: item), to: channel, earliest: now + duration, latest: now + duration)
    }

    /// A fault with a duration is over, unless something else has ended it before.
    mutating func endFault(_ item: Int) {
        let id = nextEnding(of: item)
        guard script.active.contains(where: { $0.id == id }) else { return }
        emitEnd(of: script.items[item].verb, id)
        end(id)
        noteFaultsStopped()
    }

    /// Which time of an item ends next: they end in the order in which they began.
    private mutating func nextEnding(of item: Int) -> Disturbance.ID {
        defer { script.items[item].endings += 1 }
        return Disturbance.ID(item: item, time: script.items[item].endings)
    }

    /// What the trace has of the end of a fault: the verb that ends it, or what holds without it.
    private mutating func emitEnd(of verb: Verb, _ id: Disturbance.ID) {
        guard let ending = verb.undo ?? rest(of: verb, without: id) else { return }
        emit(
            ending.kind, on: index(of: ending.target),
            fields: ending.fields + (verb.mayEndByItself ? [Field("ended", true)] : []))
    }

    /// Something that was armed has struck; the last time it is used up.
    mutating func use(_ id: Disturbance.ID) {
        guard let place = script.active.firstIndex(where: { $0.id == id }) else { return }
        if !script.active[place].hasStruck { script.items[id.item].note.hits += 1 }
        script.active[place].hasStruck = true
        script.active[place].left -= 1
        guard script.active[place].left == 0 else { return }
        script.active.remove(at: place)
        script.spoilings.removeAll { $0.disturbance == id }
        noteFaultsStopped()
    }

    /// Every fault ends, and what is armed for later is disarmed.
    mutating func heal() {
        for disturbance in script.active where disturbance.verb.isFault {
            emitEnd(of: disturbance.verb, disturbance.id)
            end(disturbance.id)
        }
        noteFaultsStopped()
    }

    private mutating func noteFaultsStopped() {
        guard script.planned == 0, !script.active.contains(where: \.verb.isFault) else { return }
        emit(.faultsStopped)
    }

    func index(of device: String?) -> Int? {
        devices.firstIndex { $0.name == device }
    }
}
