internal import Bluetooth
internal import DeviceLink
internal import Scenarios

extension World {
    /// Does what a step or a random fault says.
    ///
    /// - Returns: Whether it hit anything; what is armed for later has hit nothing yet.
    mutating func begin(_ verb: Verb, _ id: Disturbance.ID) -> Bool {
        script.active.removeAll { $0.isReplaced(by: verb) || $0.verb.isUndone(by: verb) }
        if verb.isLasting { script.active.append(Disturbance(id, verb)) }
        switch verb {
        case .disconnect(let pair, let reason): return disconnect(pair, reason: reason)
        case .loss(let pair, _, _), .uwbLoss(let pair, _, _), .delay(let pair, _, _),
            .throttle(let pair, _, _), .partition(let pair, _, _), .repair(let pair),
            .obstruct(let pair, on: true):
            return refreshAir(pair)
        case .obstruct(let pair, on: false):
            clear(pair)
            return refreshAir(pair)
        case .hold(let pair), .release(let pair): return refreshHold(pair)
        case .busy(let device, _, _): return refreshQueues(of: device)
        case .corrupt(let device, let message, let how, _):
            guard let index = index(of: device) else { return false }
            script.spoilings.append(
                Script.Spoiling(device: index, message: message, how: how, disturbance: id))
            return false
        case .refuseUWB: return false
        case .move(let device, _, _), .kill(let device, _), .restart(let device),
            .freeze(let device), .thaw(let device), .command(let device, _, _):
            return index(of: device).map { perform(verb, on: $0) } ?? false
        }
    }

    /// Does what one verb says to one device.
    private mutating func perform(_ verb: Verb, on device: Int) -> Bool {
        let wasAlive = devices[device].isAlive
        switch verb {
        case .move(_, let position, let duration):
            changeAir { $0.devices[device].motion.move(to: position, at: $0.now, over: duration) }
            return true
        case .kill(_, let answers):
            if answers == 0 { kill(device) } else { devices[device].killAfterAnswers = answers }
            return wasAlive
        case .restart:
            let isDoomed = devices[device].killAfterAnswers != nil
            restart(device)
            return !wasAlive || isDoomed
        case .freeze:
            let isHit = wasAlive && !devices[device].isFrozen
            freeze(device)
            return isHit
        case .thaw:
            let isHit = devices[device].isFrozen
            thaw(device)
            return isHit
        case .command(_, let name, let arguments):
            command(device, name, arguments)
            return wasAlive
        default: return false
        }
    }

    /// Ends a disturbance; what another one of its sort holds up stays as it is.
    mutating func end(_ id: Disturbance.ID) {
        let verb = script.items[id.item].verb
        script.active.removeAll { $0.id == id }
        switch verb {
        case .loss(let pair, _, _), .uwbLoss(let pair, _, _), .delay(let pair, _, _),
            .throttle(let pair, _, _), .partition(let pair, _, _), .obstruct(let pair, _):
            _ = refreshAir(pair)
        case .hold(let pair): _ = refreshHold(pair)
        case .busy(let device, _, _): _ = refreshQueues(of: device)
        case .corrupt: script.spoilings.removeAll { $0.disturbance == id }
        case .kill(let device, _), .freeze(let device), .command(let device, _, _):
            guard let undo = verb.undo, let index = index(of: device),
                !script.active.contains(where: { $0.verb.isUndone(by: undo) })
            else { return }
            _ = perform(undo, on: index)
        case .disconnect, .release, .repair, .move, .restart, .thaw, .refuseUWB: break
        }
    }

    /// What holds between two devices, or in one, once a disturbance with an end of its own is over, as
    /// a verb says it; nil for a verb that has none.
    func rest(of verb: Verb, without id: Disturbance.ID) -> Verb? {
        if case .busy(let device, _, _) = verb {
            return .busy(device, by: queueWait(of: device, without: id), duration: nil)
        }
        guard let pair = verb.pair, let first = index(of: pair.first),
            let second = index(of: pair.second)
        else { return nil }
        let rest = conditions(from: first, to: second, without: id)
        return switch verb {
        case .loss: .loss(pair, rest.loss, duration: nil)
        case .uwbLoss: .uwbLoss(pair, rest.uwbLoss, duration: nil)
        case .delay: .delay(pair, by: rest.extraDelay, duration: nil)
        case .throttle: .throttle(pair, to: rest.capacity, duration: nil)
        default: nil
        }
    }

    private mutating func disconnect(_ pair: DevicePair, reason: UInt8) -> Bool {
        guard let first = index(of: pair.first), let second = index(of: pair.second) else {
            return false
        }
        return endLinks(between: first, and: second, reason: reason)
    }

    /// Also what the topology has put between two devices is gone, and for good.
    private mutating func clear(_ pair: DevicePair) {
        guard let first = index(of: pair.first), let second = index(of: pair.second) else { return }
        ways.clear(between: first, and: second)
    }

    private mutating func command(_ device: Int, _ name: String, _ arguments: [Pair]) {
        guard devices[device].isAlive else { return }
        let label = "commands to \(devices[device].name)/\(devices[device].incarnation)"
        let channel = script.commands[label] ?? agenda.open(label, device: device)
        script.commands[label] = channel
        deliver(
            .command(name: name, arguments: arguments), to: device, in: channel, earliest: now,
            latest: now + topology.air.queueDelay)
    }

    // MARK: Spoilt messages

    /// A frame as it leaves its host: spoilt where a fault says so.
    mutating func spoil(
        _ frame: [UInt8], of device: Int, on handle: Controller.Handle
    ) -> (bytes: [UInt8], isSpoilt: Bool) {
        guard script.spoilings.contains(where: { $0.device == device }),
            let message = observer.message(
                in: frame, link: handle.link, from: devices[device].name),
            let spoiling = script.spoilings.first(where: {
                $0.device == device && ($0.message ?? message.name) == message.name
            })
        else { return (frame, false) }
        let value = spoilt(
            Array(frame[message.range]), spoiling, room: LinkLimits.block - frame.count)
        use(spoiling.disturbance)
        var bytes =
            Array(frame[..<message.range.lowerBound]) + value + frame[message.range.upperBound...]
        let length = UInt16(bytes.count - 4)
        bytes[0] = UInt8(truncatingIfNeeded: length)
        bytes[1] = UInt8(truncatingIfNeeded: length >> 8)
        return (bytes, true)
    }

    /// A message that is at most `room` bytes longer, which is what a frame has left.
    private mutating func spoilt(
        _ value: [UInt8], _ spoiling: Script.Spoiling, room: Int
    ) -> [UInt8] {
        let id = spoiling.disturbance
        let owner = Decisions.Owner("spoilt message \(id.item + 1)")
        let left = script.active.first { $0.id == id }?.left ?? 0
        let key = Keyed(decisions.number(owner, UInt64(left), .spoil))
        switch spoiling.how {
        case .garbage:
            var garbage = key.bytes(value.count)
            // No message begins with such a byte: garbage never looks like a message by chance.
            if !garbage.isEmpty { garbage[0] |= 0xC0 }
            return garbage
        case .truncate(let length):
            return Array(value.prefix(length))
        case .extend(let length):
            return value + key.bytes(max(0, min(length, room)))
        case .flip:
            guard !value.isEmpty else { return value }
            var flipped = value
            let bit = Int(key.below(UInt64(value.count * 8)))
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            return flipped
        }
    }
}
