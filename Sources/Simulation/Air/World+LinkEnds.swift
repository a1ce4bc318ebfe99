internal import Bluetooth
internal import DeviceLink

/// How links end.
extension World {
    mutating func disconnect(_ handle: UInt16, of device: Int, reason: UInt8) {
        guard let known = bluetooth.controllers[device].handle(handle), known.slot >= 0 else {
            return
        }
        bluetooth.links[known.slot].dropQueued(by: known.side)
        send(.terminate(reason), on: handle, of: device)
    }

    /// A side's controller has forgotten a link; the other side finds out by the supervision timeout.
    mutating func forget(_ handle: Controller.Handle) {
        examine(handle.slot, before: bluetooth.links[handle.slot].firstEvent(from: now))
        bluetooth.links[handle.slot].isGone[handle.side] = true
        scheduleSupervision(handle.slot)
    }

    /// The end of a link: both hosts are told why.
    mutating func end(_ slot: Int, central: UInt8, peripheral: UInt8, at moment: UInt64) {
        let link = bluetooth.links[slot]
        emit(
            .airDisconnected, on: link.central,
            fields: [
                Field("link", .number(Int64(link.id))),
                Field("peer", .text(devices[link.peripheral].name)),
                Field("reason", .number(Int64(central))),
            ])
        observer.linkDown(link: link.id)
        for (side, reason) in [(Side.central, central), (.peripheral, peripheral)] {
            let handle = link.handles[side]
            tell(.disconnectionComplete(handle: handle, reason: reason), slot, side, at: moment)
            let isTold = !link.isGone[side]
            let device = link.device(side)
            guard
                let index = bluetooth.controllers[device].handles.firstIndex(where: {
                    $0.slot == slot
                })
            else { continue }
            let known = bluetooth.controllers[device].handles.remove(at: index)
            guard isTold else { continue }
            bluetooth.controllers[device].handles.append(
                Controller.Handle(
                    value: known.value, link: known.link, slot: -1, side: known.side,
                    peer: known.peer))
        }
        for channel in [link.eventChannel, link.supervisionChannel, link.updateChannel] {
            agenda.close(channel)
        }
        for side in [Side.central, .peripheral] { agenda.retire(link.toHost[side]) }
        bluetooth.links[slot] = .none(like: link)
        bluetooth.freeSlots.append(slot)
    }
}
