internal import DeviceLink
internal import Topologies

extension World {
    /// Does what a step or a random fault says.
    mutating func perform(_ verb: Verb, item: Int) {
        switch verb {
        case .disconnect(let pair, let reason): disconnect(pair, reason: reason)
        case .loss(let pair, let ratio, _):
            change(pair) {
                $0.loss = ratio; $0.uwbLoss = ratio
            }
        case .delay(let pair, let delay, _): change(pair) { $0.extraDelay = delay }
        case .throttle(let pair, let capacity, _): change(pair) { $0.capacity = capacity }
        case .hold(let pair): hold(pair, true)
        case .release(let pair): hold(pair, false)
        case .partition(let pair, let oneWay, _): partition(pair, oneWay: oneWay, true)
        case .repair(let pair): partition(pair, oneWay: false, false)
        case .move(let device, let position, let duration): move(device, position, duration)
        case .obstruct(let pair, let on): change(pair) { $0.isObstructed = on }
        case .kill(let device, let answers): kill(device, after: answers)
        case .restart(let device): if let index = index(of: device) { restart(index) }
        case .freeze(let device): if let index = index(of: device) { freeze(index) }
        case .thaw(let device): if let index = index(of: device) { thaw(index) }
        case .corrupt(let device, let message, let how, let count):
            guard let index = index(of: device) else { return }
            script.spoilings.append(
                Script.Spoiling(device: index, message: message, how: how, left: count, item: item))
        case .refuseUWB(let device, let count):
            if let index = index(of: device) { uwb.refusals[index, default: 0] += count }
        case .command(let device, let name, let arguments): command(device, name, arguments)
        }
    }

    private mutating func disconnect(_ pair: DevicePair, reason: UInt8) {
        let slots = bluetooth.links.indices.filter { slot in
            let link = bluetooth.links[slot]
            guard link.id != 0 else { return false }
            let names = [devices[link.central].name, devices[link.peripheral].name]
            return names.contains(pair.first) && names.contains(pair.second)
        }
        for slot in slots { end(slot, central: reason, peripheral: reason, at: now) }
    }

    /// Changes what holds between two devices, both ways.
    private mutating func change(_ pair: DevicePair, _ change: (inout Conditions) -> Void) {
        guard let first = index(of: pair.first), let second = index(of: pair.second) else { return }
        changeAir { world in
            world.bluetooth.change(from: first, to: second, change)
            world.bluetooth.change(from: second, to: first, change)
        }
    }

    private mutating func partition(_ pair: DevicePair, oneWay: Bool, _ on: Bool) {
        guard let first = index(of: pair.first), let second = index(of: pair.second) else { return }
        changeAir { world in
            world.bluetooth.change(from: first, to: second) { $0.isPartitioned = on }
            if !oneWay { world.bluetooth.change(from: second, to: first) { $0.isPartitioned = on } }
        }
    }

    /// Holds or releases everything that the second device's host is told of its links to the first.
    private mutating func hold(_ pair: DevicePair, _ on: Bool) {
        guard let first = index(of: pair.first), let second = index(of: pair.second) else { return }
        bluetooth.change(from: first, to: second) { $0.isHeld = on }
        guard on else {
            // Also those of links that ended meanwhile: their host has still to be told.
            for held in bluetooth.held where held.from == first && held.to == second {
                agenda.release(held.channel, latest: now + topology.air.hostDelay)
            }
            return bluetooth.held.removeAll { $0.from == first && $0.to == second }
        }
        for link in bluetooth.links where link.id != 0 {
            let side: Side = link.central == second ? .central : .peripheral
            guard link.device(side) == second, link.device(side.other) == first else { continue }
            hold(link.toHost[side], from: first, to: second)
        }
    }

    /// Keeps what the host of a device is to be told of a link.
    mutating func hold(_ channel: Int, from first: Int, to second: Int) {
        agenda.hold(channel)
        bluetooth.held.append((first, second, channel))
    }

    private mutating func move(_ device: String, _ position: Position, _ duration: UInt64) {
        guard let index = index(of: device) else { return }
        changeAir { $0.devices[index].motion.move(to: position, at: $0.now, over: duration) }
    }

    private mutating func kill(_ device: String, after answers: Int) {
        guard let index = index(of: device) else { return }
        if answers == 0 { kill(index) } else { devices[index].killAfterAnswers = answers }
    }

    private mutating func command(_ device: String, _ name: String, _ arguments: [Pair]) {
        guard let index = index(of: device), devices[index].isAlive else { return }
        let label = "commands to \(device)/\(devices[index].incarnation)"
        let channel = script.commands[label] ?? agenda.open(label, device: index)
        script.commands[label] = channel
        deliver(
            .command(name: name, arguments: arguments), to: index, in: channel, earliest: now,
            latest: now + topology.air.queueDelay)
    }

    // MARK: Spoilt messages

    /// A frame as it leaves its host: spoilt where a fault says so.
    mutating func spoil(
        _ frame: [UInt8], of device: Int, on handle: Controller.Handle
    ) -> (bytes: [UInt8], isSpoilt: Bool) {
        guard let index = script.spoilings.firstIndex(where: { $0.device == device }),
            let message = observer.message(
                in: frame, link: handle.link, from: devices[device].name),
            script.spoilings[index].message == nil
                || script.spoilings[index].message == message.name
        else { return (frame, false) }
        let spoiling = script.spoilings[index]
        script.spoilings[index].left -= 1
        let value = spoilt(Array(frame[message.range]), spoiling)
        if script.spoilings[index].left == 0 {
            script.spoilings.remove(at: index)
            faultUsed(script.items[spoiling.item].verb)
        }
        var bytes =
            Array(frame[..<message.range.lowerBound]) + value + frame[message.range.upperBound...]
        let length = UInt16(bytes.count - 4)
        bytes[0] = UInt8(truncatingIfNeeded: length)
        bytes[1] = UInt8(truncatingIfNeeded: length >> 8)
        return (bytes, true)
    }

    private mutating func spoilt(_ value: [UInt8], _ spoiling: Script.Spoiling) -> [UInt8] {
        let owner = Decisions.Owner("spoilt message \(spoiling.item + 1)")
        let key = Keyed(decisions.number(owner, UInt64(spoiling.left), .spoil))
        switch spoiling.how {
        case .garbage:
            var garbage = key.bytes(value.count)
            // No message begins with such a byte: garbage never looks like a message by chance.
            if !garbage.isEmpty { garbage[0] |= 0xC0 }
            return garbage
        case .truncate(let length):
            return Array(value.prefix(length))
        case .extend(let length):
            return value + key.bytes(length)
        case .flip:
            guard !value.isEmpty else { return value }
            var flipped = value
            let bit = Int(key.below(UInt64(value.count * 8)))
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            return flipped
        }
    }
}
