import Airs
import Basics
import Choices
import DeviceLink
import Scenarios

/// The lives of devices.
extension WorldState {
    /// Switches a device on, for the first time or again.
    mutating func start(_ device: Int) {
        guard !devices[device].isAlive else { return }
        devices[device].start()
        let spec = devices[device].spec
        let incarnation = devices[device].incarnation
        if devices[device].starts == 1 { shareBonds(of: device) }
        let owner = Decisions.Owner(String(joining: "device ", life(of: device)))
        let reset = Reset(
            name: spec.name, model: spec.model, incarnation: incarnation,
            key: decisions.number(owner, 0, .key), address: devices[device].address,
            parameters: spec.parameters, defects: spec.defects, stored: holdings[device].stored)
        resetController(of: device)
        actions.append(.start(device: device, reset))
        emit(
            .deviceStarted, on: device,
            fields: [
                Field("incarnation", .number(Int64(incarnation))),
                Field("address", .text(devices[device].addressText)),
                Field("role", .text(devices[device].role.rawValue)),
            ])
        let channel = agenda.open(String(joining: "boot ", life(of: device)), device: device)
        deliver(.boot, to: device, in: channel, earliest: now, latest: now)
    }

    /// Starts a device again; one that was to die in its next turn dies now.
    mutating func restart(_ device: Int) {
        if devices[device].killAfterAnswers != nil { kill(device) }
        start(device)
    }

    /// Kills a device's process.
    ///
    /// What it had pending is dropped.
    mutating func kill(_ device: Int) {
        guard devices[device].isAlive else { return }
        thaw(device)
        devices[device].isAlive = false
        devices[device].killAfterAnswers = nil
        actions.append(.kill(device: device))
        emit(.deviceDied, on: device, fields: [Field("cause", "killed")])
        script.processDied(of: devices[device].name)
        for channel in agenda.channels(of: device) { agenda.removeAll(in: channel) }
        holdings[device].processDied()
        hostDied(device)
        leaveNetwork(device)
        stopRanging(of: device)
        switchCamera(of: device, to: 0)
    }

    /// Stops a device's process between turns; its controllers live on.
    mutating func freeze(_ device: Int) {
        guard devices[device].isAlive, !devices[device].isFrozen else { return }
        devices[device].isFrozen = true
        agenda.block(device: device)
        actions.append(.freeze(device: device))
        emit(.deviceFrozen, on: device)
    }

    /// Lets a frozen device go on; what waited for it is handed over within the host delay.
    mutating func thaw(_ device: Int) {
        guard devices[device].isFrozen else { return }
        devices[device].isFrozen = false
        agenda.unblock(device: device, latest: now + topology.air.hostDelay)
        actions.append(.thaw(device: device))
        emit(.deviceThawed, on: device)
    }

    /// Hands an event to a device within a window, for its present incarnation.
    mutating func deliver(
        _ event: DeviceEvent, to device: Int, in channel: Int, earliest: UInt64, latest: UInt64
    ) {
        agenda.add(
            .deliver(event, incarnation: devices[device].incarnation), to: channel,
            earliest: earliest, latest: latest)
    }

    /// A bond that the topology gives both sides before the run.
    private mutating func shareBonds(of device: Int) {
        for (index, peer) in devices.enumerated() where index != device {
            let spec = devices[device].spec
            guard spec.bonded.contains(peer.name) || peer.spec.bonded.contains(spec.name) else {
                continue
            }
            let names = [spec.name, peer.name].sorted()
            let owner = Decisions.Owner("bond \(names[0]) \(names[1])")
            let key = Keyed(decisions.number(owner, 0, .key)).bytes(16)
            // Far below what a device may store, with all devices that a topology may have.
            try? holdings[device].store(BondKey.of(peer.address), key)
        }
    }
}

extension DeviceSpec {
    /// What the reset frame calls the model.
    var model: String {
        switch program {
        case .appleDevice(let model): model
        case .accessory(let profile): profile
        case .executable(_, _, let model), .host(_, let model), .dialsIn(let model): model
        }
    }
}
