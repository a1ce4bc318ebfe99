internal import Bluetooth
internal import DeviceLink

/// How links are made, and what they tell their hosts.
extension World {
    mutating func open(central: Int, peripheral: Int, _ parameters: ConnectionParameters) {
        let id = bluetooth.nextLink
        bluetooth.nextLink += 1
        let slot = bluetooth.freeSlots.popLast() ?? bluetooth.links.count
        let owner = Decisions.Owner(linkLabel(central, peripheral))
        let handles = Sides(
            central: takeHandle(of: central), peripheral: takeHandle(of: peripheral))
        let anchorPhase = decisions.below(UInt64(parameters.interval) * 1_250_000, owner, 0, .phase)
        let link = Link(
            id: id, owner: owner, central: central, peripheral: peripheral, parameters: parameters,
            anchor: now + 1_250_000 + anchorPhase, lastGood: now, handles: handles,
            toHost: Sides(
                central: agenda.open(String(joining: owner.label, " to central"), device: central),
                peripheral: agenda.open(
                    String(joining: owner.label, " to peripheral"), device: peripheral)),
            eventChannel: agenda.open(String(joining: owner.label, " events")),
            supervisionChannel: agenda.open(String(joining: owner.label, " supervision")),
            updateChannel: agenda.open(String(joining: owner.label, " update")))
        if slot == bluetooth.links.count {
            bluetooth.links.append(link)
        } else {
            bluetooth.links[slot] = link
        }
        emit(
            .airConnected, on: central,
            fields: [
                Field("link", .number(Int64(id))), Field("peer", .text(devices[peripheral].name)),
            ])
        observer.linkUp(
            link: id, central: devices[central].name, peripheral: devices[peripheral].name,
            peripheralIncarnation: devices[peripheral].incarnation,
            isBonded: devices[central].stored.contains {
                $0.key == "bond/\(devices[peripheral].address)"
            })
        for side in [Side.central, .peripheral] { announce(slot, to: side) }
        scheduleSupervision(slot)
    }

    private mutating func linkLabel(_ central: Int, _ peripheral: Int) -> String {
        let pair = String(joining: life(of: central), "-", life(of: peripheral))
        bluetooth.connections[pair, default: 0] += 1
        return String(
            joining: "link ", pair, " ", String(bluetooth.connections[pair, default: 0]))
    }

    private mutating func takeHandle(of device: Int) -> UInt16 {
        let handle = bluetooth.controllers[device].nextHandle
        bluetooth.controllers[device].nextHandle = handle == 0x0EFF ? 0x0040 : handle + 1
        return handle
    }

    private mutating func announce(_ slot: Int, to side: Side) {
        let link = bluetooth.links[slot]
        let (device, peer) = (link.device(side), link.device(side.other))
        let conditions = bluetooth.conditions(from: peer, to: device)
        bluetooth.controllers[device].handles.append(
            Controller.Handle(
                value: link.handles[side], link: link.id, slot: slot, side: side,
                peer: peer))
        if conditions.isHeld { hold(link.toHost[side], from: peer, to: device) }
        tell(
            .connectionComplete(
                status: 0, handle: link.handles[side], isCentral: side == .central,
                peer: devices[peer].address, link.parameters),
            slot, side, at: now + .microseconds(352))
    }

    /// Hands an event to one side's host within its window.
    mutating func tell(
        _ event: BluetoothEvent, _ slot: Int, _ side: Side, at moment: UInt64
    ) {
        let (device, peer) = (
            bluetooth.links[slot].device(side), bluetooth.links[slot].device(side.other)
        )
        guard !bluetooth.links[slot].isGone[side], devices[device].isAlive else { return }
        let conditions = bluetooth.conditions(from: peer, to: device)
        deliver(
            .bluetooth(event), to: device, in: bluetooth.links[slot].toHost[side],
            earliest: moment + conditions.extraDelay,
            latest: moment + conditions.extraDelay + conditions.hostDelay)
    }
}
