import Basics
import Bluetooth
import Choices
import DeviceLink

/// How links are made, what they tell their hosts, and how they end.
extension BluetoothAir {
    mutating func open(
        central: Int, peripheral: Int, _ parameters: ConnectionParameters,
        in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        let id = takeLinkNumber()
        let slot = freeSlots.popLast() ?? links.count
        let owner = Decisions.Owner(linkLabel(central, peripheral, in: surroundings))
        let handles = Sides(
            central: takeHandle(of: central), peripheral: takeHandle(of: peripheral))
        let anchorPhase = decisions.below(UInt64(parameters.interval) * 1_250_000, owner, 0, .phase)
        let link = Link(
            id: id, owner: owner, central: central, peripheral: peripheral, parameters: parameters,
            anchor: surroundings.now + 1_250_000 + anchorPhase, lastGood: surroundings.now,
            handles: handles)
        if slot == links.count { links.append(link) } else { links[slot] = link }
        outbox.append(
            .open(
                slot: slot, link: id, central: central, peripheral: peripheral, label: owner.label))
        outbox.append(
            .trace(
                .airConnected, device: central, surroundings.fields(ofLink: id, to: peripheral)))
        for side in [Side.central, .peripheral] { announce(slot, to: side, in: surroundings) }
        scheduleSupervision(slot, in: surroundings, drawing: &decisions)
    }

    /// The next number of a link: connections on the network are counted with those of Bluetooth.
    package mutating func takeLinkNumber() -> Int {
        nextLink += 1
        return nextLink - 1
    }

    private mutating func linkLabel(
        _ central: Int, _ peripheral: Int, in surroundings: Surroundings
    ) -> String {
        let pair = String(
            joining: surroundings.life(of: central), "-", surroundings.life(of: peripheral))
        connections[pair, default: 0] += 1
        return String(joining: "link ", pair, " ", String(connections[pair, default: 0]))
    }

    private mutating func takeHandle(of device: Int) -> UInt16 {
        let handle = controllers[device].nextHandle
        controllers[device].nextHandle = handle == 0x0EFF ? 0x0040 : handle + 1
        return handle
    }

    private mutating func announce(_ slot: Int, to side: Side, in surroundings: Surroundings) {
        let link = links[slot]
        let (device, peer) = (link.device(side), link.device(side.other))
        controllers[device].handles.append(
            Controller.Handle(
                value: link.handles[side], link: link.id, slot: slot, side: side, peer: peer))
        if surroundings.conditions(from: peer, to: device).isHeld {
            outbox.append(.hold(link: slot, side))
        }
        tell(
            .connectionComplete(
                status: 0, handle: link.handles[side], isCentral: side == .central,
                peer: address(of: peer, in: surroundings), link.parameters),
            slot, side, at: surroundings.now + .microseconds(352), in: surroundings)
    }

    /// Hands an event to one side's host within its window.
    mutating func tell(
        _ event: BluetoothEvent, _ slot: Int, _ side: Side, at moment: UInt64,
        in surroundings: Surroundings
    ) {
        let (device, peer) = (links[slot].device(side), links[slot].device(side.other))
        guard !links[slot].isGone[side], surroundings.isAlive(device) else { return }
        let conditions = surroundings.conditions(from: peer, to: device)
        let earliest = moment + conditions.extraDelay
        outbox.append(
            .tell(
                event, device: device, in: .toHost(link: slot, side), earliest: earliest,
                latest: earliest + conditions.hostDelay))
    }

    // MARK: The end

    /// A host asks for the end of a link.
    mutating func disconnect(
        _ handle: UInt16, of device: Int, reason: UInt8, in surroundings: Surroundings
    ) {
        guard let known = controllers[device].handle(handle), known.slot >= 0 else { return }
        let link = links[known.slot]
        let peer = known.side == .central ? link.peripheral : link.central
        outbox.append(
            .trace(
                .airDisconnecting, device: device,
                surroundings.fields(ofLink: link.id, to: peer)
                    + [Field("reason", .number(Int64(reason)))]))
        links[known.slot].dropQueued(by: known.side)
        send(.terminate(reason), as: known, at: surroundings.now)
    }

    /// A side's controller has forgotten a link; the other side finds out by the supervision timeout.
    mutating func forget(
        _ handle: Controller.Handle, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) {
        examine(
            handle.slot, before: links[handle.slot].firstEvent(from: surroundings.now),
            in: surroundings, drawing: &decisions)
        links[handle.slot].isGone[handle.side] = true
        scheduleSupervision(handle.slot, in: surroundings, drawing: &decisions)
    }

    /// The end of a link: both hosts are told why.
    package mutating func end(
        _ slot: Int, central: UInt8, peripheral: UInt8, at moment: UInt64,
        in surroundings: Surroundings
    ) {
        let link = links[slot]
        outbox.append(
            .trace(
                .airDisconnected, device: link.central,
                surroundings.fields(ofLink: link.id, to: link.peripheral)
                    + [Field("reason", .number(Int64(central)))]))
        for (side, reason) in [(Side.central, central), (.peripheral, peripheral)] {
            tell(
                .disconnectionComplete(handle: link.handles[side], reason: reason), slot, side,
                at: moment, in: surroundings)
            leave(slot, side)
        }
        outbox.append(.close(slot: slot, link: link.id))
        links[slot].close()
        freeSlots.append(slot)
    }

    /// A handle keeps its meaning until its host knows that the link has ended.
    private mutating func leave(_ slot: Int, _ side: Side) {
        let device = links[slot].device(side)
        let place = controllers[device].handles.firstIndex { $0.slot == slot }
        guard let place else { return }
        let known = controllers[device].handles.remove(at: place)
        guard !links[slot].isGone[side] else { return }
        controllers[device].handles.append(
            Controller.Handle(
                value: known.value, link: known.link, slot: -1, side: known.side, peer: known.peer))
    }

    /// A host knows that a link has ended: its handle means nothing any more.
    package mutating func forgetHandle(_ value: UInt16, of device: Int) {
        controllers[device].handles.removeAll { $0.value == value && $0.slot < 0 }
    }
}
