import Airs
import Bluetooth
import DeviceLink

/// What the Bluetooth air asks for, done.
extension WorldState {
    /// Lets a host's request to its controller take effect.
    ///
    /// - Throws: `Breach` where the controller has no room for it.
    mutating func perform(_ command: BluetoothCommand, of device: Int) throws(Breach) {
        if case .acl(let handle, let frame) = command {
            return try send(frame, on: handle, of: device)
        }
        var cancelled = 0
        if case .cancelConnect = command {
            cancelled = bluetoothChannels.attempts[device].map { agenda.count(in: $0) } ?? 0
        }
        if case .setAddress(let address) = command { devices[device].show(address) }
        // What came before a breach has happened.
        defer { doWhatBluetoothAsks() }
        try bluetooth.perform(
            command, of: device, cancelled: cancelled, in: surroundings, drawing: &decisions)
    }

    private mutating func send(
        _ frame: [UInt8], on handle: UInt16, of device: Int
    ) throws(Breach) {
        guard let known = try bluetooth.checkRoom(for: .data(frame), on: handle, of: device) else {
            return
        }
        let carried = spoil(frame, of: device, on: known)
        observe(carried.bytes, known, of: device, .sent, isSpoilt: carried.isSpoilt)
        bluetooth.send(.data(carried.bytes), as: known, at: now)
        doWhatBluetoothAsks()
    }

    mutating func perform(_ event: BluetoothAir.Event) {
        bluetooth.handle(event, in: surroundings, drawing: &decisions)
        doWhatBluetoothAsks()
    }

    /// A device is switched on: its controller is idle.
    mutating func resetController(of device: Int) {
        bluetooth.resetController(of: device, in: surroundings, drawing: &decisions)
        doWhatBluetoothAsks()
    }

    mutating func hostDied(_ device: Int) {
        if devices[device].spec.hasSystem {
            bluetooth.appDied(of: device, at: now)
        } else {
            bluetooth.controllerDied(of: device, in: surroundings, drawing: &decisions)
        }
        doWhatBluetoothAsks()
    }

    /// Ends the links between two devices; says whether there were any.
    mutating func endLinks(between first: Int, and second: Int, reason: UInt8) -> Bool {
        let slots = bluetooth.slots(between: first, and: second)
        for slot in slots {
            bluetooth.end(slot, central: reason, peripheral: reason, at: now, in: surroundings)
        }
        doWhatBluetoothAsks()
        return !slots.isEmpty
    }

    /// Changes what the air is like: idle events so far are judged by what held until now.
    mutating func changeAir(_ change: (inout WorldState) -> Void) {
        bluetooth.airWillChange(in: surroundings, drawing: &decisions)
        change(&self)
        bluetooth.airDidChange(in: surroundings, drawing: &decisions)
        doWhatBluetoothAsks()
    }

    private mutating func doWhatBluetoothAsks() {
        while bluetooth.hasEffects { perform(bluetooth.takeEffect()) }
    }

    private mutating func perform(_ effect: consuming BluetoothAir.Effect) {
        switch consume effect {
        case .trace(let kind, let device, let fields): emit(kind, on: device, fields: fields)
        case .schedule(let event, let channel, let moment):
            agenda.add(
                .bluetooth(event), to: index(of: channel), earliest: moment, latest: moment)
        case .cancel(let channel): agenda.removeAll(in: index(of: channel))
        case .tell(let event, let device, let channel, let earliest, let latest):
            deliver(
                .bluetooth(event), to: device, in: index(of: channel), earliest: earliest,
                latest: latest)
        case .hold(let slot, let side):
            let link = bluetooth.link(at: slot)
            hold(
                bluetoothChannels.links[slot].toHost[side], from: link.device(side.other),
                to: link.device(side))
        case .open(let slot, let link, let central, let peripheral, let label):
            bluetoothChannels.open(slot, between: central, and: peripheral, label, in: &agenda)
            observer.linkUp(
                link: link, central: devices[central].name, peripheral: devices[peripheral].name,
                peripheralIncarnation: devices[peripheral].incarnation,
                isBonded: holdings[central].stored.contains {
                    $0.key == BondKey.of(devices[peripheral].address)
                })
        case .close(let slot, let link):
            observer.linkDown(link: link)
            bluetoothChannels.close(slot, in: &agenda)
        }
    }
}

// Channels of the agenda.
extension WorldState {
    /// The agenda's channel, which is opened when something waits there for the first time.
    private mutating func index(of channel: BluetoothAir.Channel) -> Int {
        switch channel {
        case .events(let slot): return bluetoothChannels.links[slot].events
        case .supervision(let slot): return bluetoothChannels.links[slot].supervision
        case .updates(let slot): return bluetoothChannels.links[slot].updates
        case .toHost(let slot, let side): return bluetoothChannels.links[slot].toHost[side]
        case .advertising(let device):
            return agenda.channel(
                in: &bluetoothChannels.advertising[device], "advertising ",
                devices[device].name, reaching: nil)
        case .reports(let device):
            return agenda.channel(
                in: &bluetoothChannels.reports[device], "reports to ",
                devices[device].name, reaching: device)
        case .attempts(let device):
            return agenda.channel(
                in: &bluetoothChannels.attempts[device], "attempts of ",
                devices[device].name, reaching: device)
        }
    }

    // MARK: What is held

    /// Holds everything that the second device's host is told of its links to the first.
    mutating func hold(from first: Int, to second: Int) {
        for slot in bluetooth.slots(between: first, and: second) {
            let side: Side = bluetooth.link(at: slot).central == second ? .central : .peripheral
            hold(bluetoothChannels.links[slot].toHost[side], from: first, to: second)
        }
        holdNetwork(from: first, to: second)
    }

    /// Keeps what the host of a device is to be told of a link.
    mutating func hold(_ channel: Int, from first: Int, to second: Int) {
        bluetoothChannels.hold(channel, from: first, to: second, in: &agenda)
    }

    /// Hands over what was held.
    mutating func release(from first: Int, to second: Int) {
        bluetoothChannels.release(
            from: first, to: second, latest: now + topology.air.hostDelay, in: &agenda)
    }
}
