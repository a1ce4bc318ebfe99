import Bluetooth
import Choices
package import DeviceLink

/// Connection events: what a link carries.
extension BluetoothAir {
    /// Queues what a host asks its controller to send, but for frames; what is meant for a link that is no
    /// more is lost, as in a controller.
    ///
    /// - Throws: `Breach` where the controller has no buffer left for it.
    mutating func request(
        _ pdu: LinkPDU, on handle: UInt16, of device: Int, at now: UInt64
    ) throws(Breach) {
        guard let known = try checkRoom(for: pdu, on: handle, of: device) else { return }
        send(pdu, as: known, at: now)
    }

    /// The connection on which a host sends something; nil for one that is no more.
    ///
    /// - Throws: `Breach` where the controller has no buffer left for it.
    package func checkRoom(
        for pdu: LinkPDU, on handle: UInt16, of device: Int
    ) throws(Breach) -> Controller.Handle? {
        guard let known = controllers[device].handle(handle), known.slot >= 0 else { return nil }
        try links[known.slot].checkRoom(for: pdu, by: known.side)
        return known
    }

    /// Queues something for the other side of a connection that is on.
    package mutating func send(_ pdu: LinkPDU, as known: Controller.Handle, at now: UInt64) {
        links[known.slot].queue(pdu, by: known.side)
        scheduleEvent(known.slot, at: now)
    }

    /// Plans the next connection event at which the link has something to carry.
    private mutating func scheduleEvent(_ slot: Int, at now: UInt64) {
        guard !links[slot].isScheduled, links[slot].hasQueued else { return }
        links[slot].isScheduled = true
        let moment = links[slot].nextMeeting(after: now)
        outbox.append(
            .schedule(.connectionEvent(link: slot), in: .events(link: slot), at: moment))
    }

    mutating func connectionEvent(
        _ slot: Int, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        links[slot].isScheduled = false
        let event = links[slot].firstEvent(from: surroundings.now)
        examine(slot, before: event, in: surroundings, drawing: &decisions)
        if !isLost(slot, event, in: surroundings, drawing: &decisions) {
            links[slot].lastGood = surroundings.now
            links[slot].lastActive = event
            links[slot].examined = event + 1
            carry(slot, in: surroundings)
        }
        if links[slot].isOpen { scheduleEvent(slot, at: surroundings.now) }
    }

    private mutating func carry(_ slot: Int, in surroundings: Surroundings) {
        var moment = surroundings.now
        for side in [Side.central, .peripheral] {
            let conditions = surroundings.conditions(
                from: links[slot].device(side),
                to: links[slot].device(side.other))
            var dataCount = 0
            // Nothing is copied: this runs for every connection event.
            for _ in 0..<min(conditions.capacity, links[slot].queues[side].count) {
                let pdu = links[slot].queues[side].removeFirst()
                if pdu.isData { dataCount += 1 }
                moment += pdu.airTime
                arrive(pdu, slot, from: side, at: moment, in: surroundings)
                if !links[slot].isOpen { return }
            }
            links[slot].frames[side] -= dataCount
            acknowledge(slot, side, dataCount, at: moment, in: surroundings)
        }
    }

    /// Completed packets are reported whenever they fill half of the controller's buffers; at once to a host behind
    /// HCI, which may wait until all of its packets have left.
    private mutating func acknowledge(
        _ slot: Int, _ side: Side, _ count: Int, at moment: UInt64, in surroundings: Surroundings
    ) {
        links[slot].completed[side] += UInt16(clamping: count)
        let completed = links[slot].completed[side]
        guard
            completed >= aclBufferCount / 2
                || count > 0 && surroundings.isBehindHCI(links[slot].device(side))
        else { return }
        links[slot].completed[side] = 0
        tell(
            .completedPackets(
                handle: links[slot].handles[side], count: completed),
            slot, side, at: moment, in: surroundings)
    }

    /// Something reaches the other side's link layer.
    private mutating func arrive(
        _ pdu: LinkPDU, _ slot: Int, from side: Side, at moment: UInt64,
        in surroundings: Surroundings
    ) {
        let handle = links[slot].handles[side.other]
        switch pdu {
        case .data(let frame):
            tell(.acl(handle: handle, frame), slot, side.other, at: moment, in: surroundings)
        case .terminate(let reason):
            end(
                slot, central: side == .central ? 0x16 : reason,
                peripheral: side == .central ? reason : 0x16, at: moment, in: surroundings)
        case .encryptionRequest(let key, let random, let diversifier):
            links[slot].offeredKey = key
            tell(
                .longTermKeyRequest(handle: handle, random: random, diversifier: diversifier), slot,
                side.other, at: moment, in: surroundings)
        case .encryptionReply(let key): encrypt(slot, key, at: moment, in: surroundings)
        case .update(let parameters):
            links[slot].newParameters = parameters
            let instant = surroundings.now + 6 * links[slot].interval
            outbox.append(
                .schedule(.update(link: slot), in: .updates(link: slot), at: instant))
        }
    }

    private mutating func encrypt(
        _ slot: Int, _ key: [UInt8]?, at moment: UInt64, in surroundings: Surroundings
    ) {
        let link = links[slot]
        guard let offered = link.offeredKey else { return }
        links[slot].offeredKey = nil
        guard let key else {
            tell(
                .encryptionChange(
                    status: 0x06, handle: link.handles.central, isEncrypted: link.isEncrypted),
                slot, .central, at: moment, in: surroundings)
            return
        }
        guard key == offered else {
            return end(slot, central: 0x3D, peripheral: 0x3D, at: moment, in: surroundings)
        }
        links[slot].isEncrypted = true
        for side in [Side.central, .peripheral] {
            tell(
                .encryptionChange(
                    status: 0, handle: link.handles[side], isEncrypted: true),
                slot, side, at: moment, in: surroundings)
        }
    }

    /// The instant of a connection update: both sides use the new timing from here on.
    mutating func updateConnection(
        _ slot: Int, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        guard let parameters = links[slot].newParameters else { return }
        let event = links[slot].firstEvent(from: surroundings.now)
        examine(slot, before: event, in: surroundings, drawing: &decisions)
        links[slot].newParameters = nil
        links[slot].parameters = parameters
        links[slot].earlierEvents += event
        links[slot].anchor = surroundings.now + 1_250_000
        links[slot].examined = 0
        links[slot].lastActive = 0
        outbox.append(.cancel(.events(link: slot)))
        links[slot].isScheduled = false
        for side in [Side.central, .peripheral] {
            tell(
                .connectionUpdateComplete(
                    status: 0, handle: links[slot].handles[side], parameters),
                slot, side, at: surroundings.now, in: surroundings)
        }
        scheduleEvent(slot, at: surroundings.now)
        scheduleSupervision(slot, in: surroundings, drawing: &decisions)
    }
}

extension Link {
    mutating func queue(_ pdu: LinkPDU, by side: Side) {
        if pdu.isData { frames[side] += 1 }
        queues[side].append(pdu)
    }

    mutating func dropQueued(by side: Side) {
        queues[side] = []
        frames[side] = 0
    }

    /// Whether the controller of one side has a buffer for something.
    @inline(__always)
    func checkRoom(for pdu: LinkPDU, by side: Side) throws(Breach) {
        guard pdu.isData else {
            guard queues[side].count - frames[side] >= aclBufferCount else { return }
            throw Breach(
                at: 0, expected: "at most \(aclBufferCount) requests under way on a connection",
                found: "one more on handle \(handles[side])")
        }
        guard frames[side] >= aclBufferCount else { return }
        throw Breach(
            at: 0, expected: "at most \(aclBufferCount) frames outstanding on a connection",
            found: "one more on handle \(handles[side])")
    }

    var hasQueued: Bool { !queues.central.isEmpty || !queues.peripheral.isEmpty }

    /// The first event from `event` on at which the peripheral listens although it has nothing to
    /// say: every (latency + 1)-th after the last that carried something, and the one right after it.
    private func nextListening(from event: UInt64) -> UInt64 {
        guard event > lastActive + 1 else { return event }
        let step = UInt64(parameters.latency) + 1
        let skipped = (event - lastActive + step - 1) / step
        return lastActive + skipped * step
    }

    /// When both sides meet next for what is queued.
    func nextMeeting(after now: UInt64) -> UInt64 {
        let event = firstEvent(from: now + 1)
        return moment(queues.peripheral.isEmpty ? nextListening(from: event) : event)
    }
}

extension LinkPDU {
    var isData: Bool { if case .data = self { true } else { false } }
    var isTermination: Bool { if case .terminate = self { true } else { false } }

    /// Preamble, access address, header, CRC and payload at 1 Mbit/s, with the inter-frame space and
    /// the empty packet that acknowledges it (Core Spec Vol 6 Part B 2.1, 4.1).
    var airTime: UInt64 {
        guard case .data(let frame) = self else { return 400_000 }
        return UInt64(frame.count + 10) * 8_000 + 2 * 150_000 + 80_000
    }
}
