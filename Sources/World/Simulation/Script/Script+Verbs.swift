internal import DeviceLink
internal import Scenarios

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
        if case .obstruct(let pair, on: false) = verb { cleared.append(pair) }
        if let pair = verb.pair {
            guard let places = surroundings.places(of: pair) else { return (false, []) }
            return begin(verb, between: places, id, in: surroundings)
        }
        guard let device = verb.target.flatMap({ surroundings.device(named: $0) }) else {
            return (false, [])
        }
        return begin(verb, on: device, id, in: surroundings)
    }

    private func begin(
        _ verb: Verb, between places: (first: Int, second: Int), _ id: Disturbance.ID,
        in surroundings: Surroundings
    ) -> (isHit: Bool, effects: [Effect]) {
        switch verb {
        case .disconnect(_, let reason):
            (
                false,
                [.disconnect(places.first, places.second, reason: reason, item: id.item)]
            )
        case .hold, .release: refreshHold(places, in: surroundings)
        case .loss, .uwbLoss, .delay, .throttle, .partition, .repair, .obstruct:
            refreshAir(places, in: surroundings)
        case .move, .turn, .rotate, .light, .kill, .restart, .freeze, .thaw, .busy, .corrupt,
            .refuseUWB, .command:
            preconditionFailure("a verb that is done to one device")
        }
    }

    private mutating func begin(
        _ verb: Verb, on device: Int, _ id: Disturbance.ID, in surroundings: Surroundings
    ) -> (isHit: Bool, effects: [Effect]) {
        let isAlive = surroundings.isAlive(device)
        switch verb {
        case .busy: return refreshQueues(of: device, in: surroundings)
        case .corrupt(_, let message, let how, _):
            spoilings.append(
                Spoiling(device: device, message: message, how: how, disturbance: id))
            return (false, [])
        case .refuseUWB: return (false, [])
        case .move(_, let position, let duration):
            return (true, [.move(device, to: position, over: duration)])
        case .turn(_, let heading, let pitch, let duration):
            return (true, [.turn(device, heading: heading, pitch: pitch, over: duration)])
        case .rotate(_, let isUpright):
            return (surroundings.hasSystem(device), [.rotate(device, isUpright: isUpright)])
        case .light(_, let lux):
            return (surroundings.hasSystem(device), [.light(device, lux: lux)])
        case .kill(_, let answers): return (isAlive, [.kill(device, afterAnswers: answers)])
        case .restart: return (!isAlive || surroundings.isDoomed(device), [.restart(device)])
        case .freeze: return (isAlive && !surroundings.isFrozen(device), [.freeze(device)])
        case .thaw: return (surroundings.isFrozen(device), [.thaw(device)])
        case .command(_, let name, let arguments):
            return (isAlive, [.command(device, name: name, arguments: arguments)])
        case .disconnect, .loss, .uwbLoss, .delay, .throttle, .hold, .release, .partition, .repair,
            .obstruct:
            preconditionFailure("a verb that is done to a pair")
        }
    }

    /// Ends a disturbance; what another one of its sort holds up stays as it is.
    mutating func end(_ id: Disturbance.ID, in surroundings: Surroundings) -> [Effect] {
        let verb = items[id.item].verb
        active.removeAll { $0.id == id }
        switch verb {
        case .loss(let pair, _, _), .uwbLoss(let pair, _, _), .delay(let pair, _, _),
            .throttle(let pair, _, _), .partition(let pair, _, _), .obstruct(let pair, _):
            return surroundings.places(of: pair).map { refreshAir($0, in: surroundings).effects }
                ?? []
        case .hold(let pair):
            return surroundings.places(of: pair).map { refreshHold($0, in: surroundings).effects }
                ?? []
        case .busy(let name, _, _):
            return surroundings.device(named: name).map {
                refreshQueues(of: $0, in: surroundings).effects
            } ?? []
        case .corrupt:
            spoilings.removeAll { $0.disturbance == id }
            return []
        case .kill, .freeze, .command:
            guard let undo = verb.undo, !active.contains(where: { $0.verb.isUndone(by: undo) }),
                let device = undo.target.flatMap({ surroundings.device(named: $0) })
            else { return [] }
            return begin(undo, on: device, id, in: surroundings).effects
        case .disconnect, .release, .repair, .move, .turn, .rotate, .light, .restart, .thaw,
            .refuseUWB:
            return []
        }
    }

    /// What holds between two devices, or in one, once a disturbance with an end of its own is over, as
    /// a verb says it; nil for a verb that has none.
    func rest(of verb: Verb, without id: Disturbance.ID, in surroundings: Surroundings) -> Verb? {
        if case .busy(let device, _, _) = verb {
            return .busy(device, by: queueWait(of: device, without: id), duration: nil)
        }
        guard let pair = verb.pair, let places = surroundings.places(of: pair) else { return nil }
        let rest = conditions(from: places.first, to: places.second, without: id, in: surroundings)
        return switch verb {
        case .loss: .loss(pair, rest.loss, duration: nil)
        case .uwbLoss: .uwbLoss(pair, rest.uwbLoss, duration: nil)
        case .delay: .delay(pair, by: rest.extraDelay, duration: nil)
        case .throttle: .throttle(pair, to: rest.capacity, duration: nil)
        default: nil
        }
    }
}
