import Airs
import DeviceLink

extension WorldState {
    /// Lets one answer take effect.
    ///
    /// - Throws: `Breach` where the device would have more of something than it may; what the values
    ///   themselves may be was checked where they came in.
    @inline(__always)
    mutating func apply(_ answer: Answer, of device: Int) throws(Breach) {
        switch answer {
        case .bluetooth(let command):
            if options.captures { keep(.command(command), of: device) }
            try perform(command, of: device)
        case .uwb(let command): try perform(command, of: device)
        case .camera(let interval): switchCamera(of: device, to: interval)
        case .network(let command): try perform(command, of: device)
        case .setTimer(let name, let after, let slack):
            try setTimer(name, of: device, after: after, slack: slack)
        case .cancelTimer(let name):
            holdings[device].cancelTimer(name, in: &agenda)
        case .post(let queue, let item):
            try post(item, to: queue, of: device)
        case .store(let key, let value):
            try holdings[device].store(key, value)
        case .observe(let kind, let fields):
            if options.captures, EventKind(named: kind)?.isUCIPacket == true,
                case .bytes(let packet)? = fields.first(where: { $0.name == "packet" })?.value
            {
                keep(.uci(packet), of: device)
            }
            emit(named: kind, on: device, fields: devices.resolved(fields))
        }
    }

    private mutating func setTimer(
        _ name: String, of device: Int, after: Nanoseconds, slack: Nanoseconds
    ) throws(Breach) {
        let channel = try holdings[device].setTimer(
            name, of: device, life(of: device), in: &agenda)
        let earliest = (VirtualTime(nanoseconds: now) + after).nanoseconds
        deliver(
            .timer(name: name), to: device, in: channel, earliest: earliest,
            latest: (VirtualTime(nanoseconds: earliest) + slack).nanoseconds)
    }

    private mutating func post(_ item: UInt32, to queue: String, of device: Int) throws(Breach) {
        let channel = try holdings[device].post(
            to: queue, of: device, life(of: device), in: &agenda)
        let earliest = now + devices[device].queueWait
        deliver(
            .queue(name: queue, item: item), to: device, in: channel, earliest: earliest,
            latest: earliest + topology.air.queueDelay)
    }

    /// A device and which of its lives it is, as labels name it: `ben/0`.
    func life(of device: Int) -> String { devices[device].life }

    mutating func keep(_ packet: World.HostControllerRecord.Packet, of device: Int) {
        packets.append(
            World.HostControllerRecord(
                device: device, time: VirtualTime(nanoseconds: now), packet: packet))
    }

    /// What the trace and the capture show of an event at the moment its device gets it.
    mutating func noteDelivery(of event: DeviceEvent, to device: Int) {
        if options.tracesTurns {
            emit(.deviceTurn, on: device, fields: [Field("event", .text(event.name))])
        }
        guard case .bluetooth(let event) = event else {
            if case .uwb(let event) = event { noteDelivery(of: event, to: device) }
            if case .network(let event) = event { noteDelivery(of: event, to: device) }
            if case .command(Self.endOfSession, let session) = event {
                noteEnd(of: session, on: device)
            }
            return
        }
        if options.captures { keep(.event(event), of: device) }
        noteDelivery(of: event, to: device)
    }
}

extension DeviceEvent {
    /// A word for the trace.
    var name: String {
        switch self {
        case .boot: "boot"
        case .timer(let name): "timer " + name
        case .queue(let name, _): "queue " + name
        case .command(let name, _): "command " + name
        case .bluetooth: "bluetooth"
        case .uwb: "uwb"
        case .camera: "camera"
        case .network: "network"
        }
    }
}

extension [DeviceState] {
    /// An observation that names a peripheral by its address names it by its device instead.
    fileprivate func resolved(_ fields: [Field]) -> [Field] {
        var fields = fields
        for index in fields.indices where fields[index].name == Field.peripheral {
            guard case .text(let address) = fields[index].value else { continue }
            fields[index] = Field(Field.peer, .text(name(meantBy: address) ?? address))
        }
        return fields
    }
}
