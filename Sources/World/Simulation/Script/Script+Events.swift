import Airs
import DeviceLink
import Scenarios

/// What happens of what was planned.
extension Script {
    /// What it asked to be woken for happens.
    mutating func handle(_ event: Event, in surroundings: Surroundings) -> [Effect] {
        switch event {
        case .step(let item): perform(item, in: surroundings)
        case .end(let item): endFault(item, in: surroundings)
        case .heal: heal(in: surroundings)
        }
    }

    /// One step of the topology or one random fault.
    private mutating func perform(_ number: Int, in surroundings: Surroundings) -> [Effect] {
        let item = items[number]
        var effects = [
            Effect.trace(.scriptStep, device: nil, [Field("step", .text(item.text))])
        ]
        if item.verb.isFault { planned -= 1 }
        if item.verb.isFault || item.verb.isOfUser {
            effects.append(trace(item.verb, in: surroundings))
        }
        items[number].note.fired += 1
        if let began = item.ends {
            effects += end(nextEnding(of: began), in: surroundings)
        } else {
            let id = Disturbance.ID(item: number, time: item.note.fired)
            let (isHit, deeds) = begin(item.verb, id, in: surroundings)
            if isHit { noteHit(of: number) }
            effects += deeds
        }
        if let duration = item.verb.duration {
            effects.append(
                .schedule(
                    .end(of: number), channel: "end of fault \(number + 1)",
                    at: surroundings.now + duration))
        }
        if item.verb.isFault { effects.append(.faultsMayBeOver) }
        return effects
    }

    /// A fault with a duration is over, unless something else has ended it before.
    private mutating func endFault(_ item: Int, in surroundings: Surroundings) -> [Effect] {
        let id = nextEnding(of: item)
        guard active.contains(where: { $0.id == id }) else { return [] }
        return traceOfEnd(of: items[item].verb, id, in: surroundings)
            + end(id, in: surroundings) + [.faultsMayBeOver]
    }

    /// Every fault ends, and what is armed for later is disarmed.
    private mutating func heal(in surroundings: Surroundings) -> [Effect] {
        var effects: [Effect] = []
        for disturbance in active where disturbance.verb.isFault {
            effects += traceOfEnd(of: disturbance.verb, disturbance.id, in: surroundings)
            effects += end(disturbance.id, in: surroundings)
        }
        return effects + [.faultsMayBeOver]
    }

    /// Which time of an item ends next: they end in the order in which they began.
    private mutating func nextEnding(of item: Int) -> Disturbance.ID {
        defer { items[item].endings += 1 }
        return Disturbance.ID(item: item, time: items[item].endings)
    }

    private func trace(_ verb: Verb, and more: [Field] = [], in surroundings: Surroundings)
        -> Effect
    {
        .trace(
            verb.kind, device: verb.device.flatMap { surroundings.device(named: $0) },
            verb.fields + more)
    }

    /// What the trace has of the end of a fault: the verb that ends it, or what holds without it.
    private func traceOfEnd(
        of verb: Verb, _ id: Disturbance.ID, in surroundings: Surroundings
    ) -> [Effect] {
        guard let ending = verb.undo ?? rest(of: verb, without: id, in: surroundings) else {
            return []
        }
        return [
            trace(
                ending, and: verb.mayEndByItself ? [Field("ended", true)] : [], in: surroundings)
        ]
    }

    mutating func noteHit(of item: Int) { items[item].note.hits += 1 }

    /// The process of a device has died: a new one is not frozen and was told nothing.
    mutating func processDied(of device: String) { active.removeAll { $0.dies(with: device) } }

    /// Something that was armed has struck; the last time it is used up.
    mutating func use(_ id: Disturbance.ID) {
        guard let place = active.firstIndex(where: { $0.id == id }) else { return }
        if !active[place].hasStruck { noteHit(of: id.item) }
        active[place].hasStruck = true
        active[place].left -= 1
        guard active[place].left == 0 else { return }
        active.remove(at: place)
        spoilings.removeAll { $0.disturbance == id }
    }

    /// The fault by which a device's UWB radio refuses its next start, and the status with which it does.
    func refusal(by device: String) -> (id: Disturbance.ID, status: UInt8)? {
        for disturbance in active {
            guard case .device(device, .refuseUWB(_, let status)) = disturbance.verb else {
                continue
            }
            return (disturbance.id, status)
        }
        return nil
    }
}
