import Airs
import Scenarios

/// What each verb does.
extension Script {
    /// A verb begins.
    ///
    /// - Returns: Whether it hits anything; what is armed for later has hit nothing yet, and whether a
    ///   `disconnect` does is known once it is carried out.
    mutating func begin(
        _ verb: Verb, _ id: Disturbance.ID, in surroundings: Surroundings
    ) -> (isHit: Bool, effects: [Effect]) {
        active.removeAll { $0.isReplaced(by: verb) || $0.verb.isUndone(by: verb) }
        if verb.isLasting { active.append(Disturbance(id, verb)) }
        switch verb {
        case .pair(let pair, let verb):
            if verb == .obstruct(on: false) { cleared.append(pair) }
            guard let places = surroundings.places(of: pair) else { return (false, []) }
            return begin(verb, between: places, id, in: surroundings)
        case .device(let name, let verb):
            guard let device = surroundings.device(named: name) else { return (false, []) }
            return begin(verb, on: device, id, in: surroundings)
        }
    }

    private func begin(
        _ verb: PairVerb, between places: (first: Int, second: Int), _ id: Disturbance.ID,
        in surroundings: Surroundings
    ) -> (isHit: Bool, effects: [Effect]) {
        switch verb {
        case .disconnect(let reason):
            (false, [.disconnect(places.first, places.second, reason: reason, item: id.item)])
        case .hold, .release: refreshHold(places, in: surroundings)
        case .loss, .uwbLoss, .delay, .throttle, .partition, .repair, .obstruct:
            refreshAir(places, in: surroundings)
        }
    }

    private mutating func begin(
        _ verb: DeviceVerb, on device: Int, _ id: Disturbance.ID, in surroundings: Surroundings
    ) -> (isHit: Bool, effects: [Effect]) {
        let isAlive = surroundings.isAlive(device)
        switch verb {
        case .busy: return refreshQueues(of: device, in: surroundings)
        case .corrupt(let message, let how, _):
            spoilings.append(
                Spoiling(device: device, message: message, how: how, disturbance: id))
            return (false, [])
        case .refuseUWB: return (false, [])
        case .move(let position, let duration):
            return (true, [.move(device, to: position, over: duration)])
        case .turn(let heading, let pitch, let duration):
            return (true, [.turn(device, heading: heading, pitch: pitch, over: duration)])
        case .rotate(let isUpright):
            return (surroundings.hasSystem(device), [.rotate(device, isUpright: isUpright)])
        case .light(let lux): return (surroundings.hasSystem(device), [.light(device, lux: lux)])
        case .kill(let answers): return (isAlive, [.kill(device, afterAnswers: answers)])
        case .restart: return (!isAlive || surroundings.isDoomed(device), [.restart(device)])
        case .freeze: return (isAlive && !surroundings.isFrozen(device), [.freeze(device)])
        case .thaw: return (surroundings.isFrozen(device), [.thaw(device)])
        case .command(let name, let arguments):
            return (isAlive, [.command(device, name: name, arguments: arguments)])
        }
    }

    /// Ends a disturbance; what another one of its sort holds up stays as it is.
    mutating func end(_ id: Disturbance.ID, in surroundings: Surroundings) -> [Effect] {
        let verb = items[id.item].verb
        active.removeAll { $0.id == id }
        switch verb {
        case .pair(let pair, let ended):
            guard let places = surroundings.places(of: pair) else { return [] }
            return end(ended, between: places, in: surroundings)
        case .device(_, .corrupt):
            spoilings.removeAll { $0.disturbance == id }
            return []
        case .device(let name, .busy):
            guard let device = surroundings.device(named: name) else { return [] }
            return refreshQueues(of: device, in: surroundings).effects
        case .device:
            guard let undo = verb.undo, !active.contains(where: { $0.verb.isUndone(by: undo) })
            else { return [] }
            return undoing(undo, id, in: surroundings)
        }
    }

    private func end(
        _ verb: PairVerb, between places: (first: Int, second: Int), in surroundings: Surroundings
    ) -> [Effect] {
        switch verb {
        case .loss, .uwbLoss, .delay, .throttle, .partition, .obstruct:
            refreshAir(places, in: surroundings).effects
        case .hold: refreshHold(places, in: surroundings).effects
        case .disconnect, .release, .repair: []
        }
    }

    /// What a verb of a device does that ends what another one began.
    private mutating func undoing(
        _ undo: Verb, _ id: Disturbance.ID, in surroundings: Surroundings
    ) -> [Effect] {
        guard case .device(let name, let verb) = undo,
            let device = surroundings.device(named: name)
        else { return [] }
        return begin(verb, on: device, id, in: surroundings).effects
    }

    /// What holds between two devices, or in one, once a disturbance with an end of its own is over, as
    /// a verb says it; nil for a verb that has none.
    func rest(of verb: Verb, without id: Disturbance.ID, in surroundings: Surroundings) -> Verb? {
        switch verb {
        case .device(let device, .busy):
            let wait = queueWait(of: device, without: id)
            return .device(device, .busy(by: wait, duration: nil))
        case .device: return nil
        case .pair(let pair, let verb):
            guard let places = surroundings.places(of: pair) else { return nil }
            let rest = conditions(
                from: places.first, to: places.second, without: id, in: surroundings)
            return verb.rest(in: rest).map { .pair(pair, $0) }
        }
    }
}

extension PairVerb {
    /// What holds of its sort, as a verb says it; nil for one that has no end of its own.
    fileprivate func rest(in conditions: Conditions) -> PairVerb? {
        switch self {
        case .loss: .loss(conditions.loss, duration: nil)
        case .uwbLoss: .uwbLoss(conditions.uwbLoss, duration: nil)
        case .delay: .delay(by: conditions.extraDelay, duration: nil)
        case .throttle: .throttle(to: conditions.capacity, duration: nil)
        case .disconnect, .hold, .release, .partition, .repair, .obstruct: nil
        }
    }
}
