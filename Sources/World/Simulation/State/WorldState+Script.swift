import Airs
import DeviceLink
import Scenarios
import Traces
import Vocabulary

/// What the script asks for, done.
extension WorldState {
    mutating func beginScript() { perform(script.begin(drawing: &decisions)) }

    mutating func perform(_ event: Script.Event) {
        perform(script.handle(event, in: surroundings))
    }

    /// Lets an event of the trace set off the steps that wait for it.
    mutating func pullTriggers(_ event: TraceEvent) {
        if script.hasTriggers { perform(script.handle(event)) }
    }

    /// A frame as it leaves its host: spoilt where a fault says so.
    mutating func spoil(
        _ frame: [UInt8], of device: Int, on handle: Controller.Handle
    ) -> (bytes: [UInt8], isSpoilt: Bool) {
        guard script.spoils(device),
            let message = observer.message(
                in: frame, link: handle.link, from: devices[device].name),
            let spoilt = script.spoil(
                (message.name, message.range), in: frame, of: device, drawing: &decisions)
        else { return (frame, false) }
        noteFaultsStopped()
        return (spoilt, true)
    }

    /// The same for a message as it is sent on the network.
    mutating func spoil(
        _ bytes: [UInt8], of device: Int, on handle: NetworkHandle
    ) -> (bytes: [UInt8], isSpoilt: Bool) {
        guard script.spoils(device),
            let name = observer.name(of: bytes, link: handle.link, from: devices[device].name),
            let spoilt = script.spoil(
                name, bytes, room: LinkLimits.block - bytes.count, of: device, drawing: &decisions)
        else { return (bytes, false) }
        noteFaultsStopped()
        return (spoilt, true)
    }

    /// The UWB radio of a device has refused a start.
    mutating func noteRefusal(by device: Int) {
        guard let refusal = script.refusal(by: devices[device].name) else { return }
        script.use(refusal.id)
        noteFaultsStopped()
    }

    private mutating func noteFaultsStopped() {
        if script.areFaultsOver { emit(.faultsStopped) }
    }

    private mutating func perform(_ effects: [Script.Effect]) {
        for effect in effects { perform(effect) }
    }

    private mutating func perform(_ effect: Script.Effect) {
        switch effect {
        case .trace(let kind, let device, let fields): emit(kind, on: device, fields: fields)
        case .schedule(let event, let channel, let moment):
            agenda.add(
                .script(event), to: scriptChannel(channel), earliest: moment, latest: moment)
        case .change(let from, let to, let there, let back):
            changeAir { world in
                world.ways.set(there, from: from, to: to)
                world.ways.set(back, from: to, to: from)
            }
        case .hold(let from, let to, let isHeld):
            ways.hold(isHeld, from: from, to: to)
            if isHeld { hold(from: from, to: to) } else { release(from: from, to: to) }
        case .keepQueues(let device, let wait): devices[device].queueWait = wait
        case .move(let device, let position, let duration):
            changeAir { $0.devices[device].motion.move(to: position, at: $0.now, over: duration) }
        case .turn(let device, let heading, let pitch, let duration):
            devices[device].turning.turn(
                to: Aim(heading: Int64(heading), pitch: Int64(pitch)), at: now, over: duration)
        case .rotate(let device, let isUpright): devices[device].isUpright = isUpright
        case .light(let device, let lux): devices[device].light = lux
        case .disconnect(let first, let second, let reason, let item):
            let links = endLinks(between: first, and: second, reason: reason)
            let connections = endConnections(between: first, and: second)
            if links || connections { script.noteHit(of: item) }
        case .kill(let device, afterAnswers: 0): kill(device)
        case .kill(let device, let answers): devices[device].killAfterAnswers = answers
        case .restart(let device): restart(device)
        case .freeze(let device): freeze(device)
        case .thaw(let device): thaw(device)
        case .command(let device, let name, let arguments): command(device, name, arguments)
        case .faultsMayBeOver: noteFaultsStopped()
        }
    }

    private mutating func command(_ device: Int, _ name: String, _ arguments: [Pair]) {
        guard devices[device].isAlive else { return }
        // The radios hear of it, and the device from its own.
        if name == VerbName.peerEnded.rawValue {
            let peer = arguments.first { $0.name == VerbSetting.Name.peer.rawValue }
            return endSessions(
                of: device, with: peer.flatMap { surroundings.device(named: $0.value) })
        }
        let channel = scriptChannel("commands to \(life(of: device))", reaching: device)
        deliver(
            .command(name: name, arguments: arguments), to: device, in: channel, earliest: now,
            latest: now + topology.air.queueDelay)
    }

    /// The agenda's channel of this name, which is opened when something waits there for the first time.
    private mutating func scriptChannel(_ name: String, reaching device: Int? = nil) -> Int {
        if let channel = scriptChannels[name] { return channel }
        let channel = agenda.open(name, device: device)
        scriptChannels[name] = channel
        return channel
    }
}
