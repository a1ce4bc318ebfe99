internal import Bluetooth
internal import DeviceLink

/// Connection events: what a link carries.
extension World {
    /// Queues what a host asks its controller to send.
    ///
    /// - Throws: `Breach` where the controller has no buffer left for it.
    mutating func request(
        _ pdu: LinkPDU, on handle: UInt16, of device: Int
    ) throws(Breach) {
        if let known = bluetooth.controllers[device].handle(handle), known.slot >= 0 {
            try bluetooth.links[known.slot].checkRoom(for: pdu, by: known.side)
        }
        send(pdu, on: handle, of: device)
    }

    /// Queues something for the other side of a connection.
    ///
    /// What is meant for a link that is no more is lost, as in a controller.
    mutating func send(_ pdu: LinkPDU, on handle: UInt16, of device: Int) {
        guard let known = bluetooth.controllers[device].handle(handle), known.slot >= 0 else {
            return
        }
        var pdu = pdu
        if case .data(let frame) = pdu {
            let carried = spoil(frame, of: device, on: known)
            observe(carried.bytes, known, of: device, .sent, isSpoilt: carried.isSpoilt)
            pdu = .data(carried.bytes)
        }
        bluetooth.links[known.slot].queue(pdu, by: known.side)
        scheduleEvent(known.slot)
    }

    /// Plans the next connection event at which the link has something to carry.
    private mutating func scheduleEvent(_ slot: Int) {
        guard !bluetooth.links[slot].isScheduled, bluetooth.links[slot].hasQueued else { return }
        bluetooth.links[slot].isScheduled = true
        let moment = bluetooth.links[slot].nextMeeting(after: now)
        agenda.add(
            .air(.connectionEvent(link: slot)), to: bluetooth.links[slot].eventChannel,
            earliest: moment, latest: moment)
    }

    mutating func connectionEvent(_ slot: Int) {
        bluetooth.links[slot].isScheduled = false
        let event = bluetooth.links[slot].firstEvent(from: now)
        examine(slot, before: event)
        if !isLost(slot, event) {
            bluetooth.links[slot].lastGood = now
            bluetooth.links[slot].lastActive = event
            bluetooth.links[slot].examined = event + 1
            carry(slot)
        }
        if bluetooth.links[slot].id != 0 { scheduleEvent(slot) }
    }

    private mutating func carry(_ slot: Int) {
        var moment = now
        for side in [Side.central, .peripheral] {
            let conditions = bluetooth.conditions(
                from: bluetooth.links[slot].device(side),
                to: bluetooth.links[slot].device(side.other))
            var dataCount = 0
            // Nothing is copied: this runs for every connection event.
            for _ in 0..<min(conditions.capacity, bluetooth.links[slot].queues[side].count) {
                let pdu = bluetooth.links[slot].queues[side].removeFirst()
                if pdu.isData { dataCount += 1 }
                moment += pdu.airTime
                arrive(pdu, slot, from: side, at: moment)
                if bluetooth.links[slot].id == 0 { return }
            }
            bluetooth.links[slot].frames[side] -= dataCount
            acknowledge(slot, side, dataCount, at: moment)
        }
    }

    /// Completed packets are reported in lots of half the controller's buffers.
    private mutating func acknowledge(_ slot: Int, _ side: Side, _ count: Int, at moment: UInt64) {
        bluetooth.links[slot].completed[side] += UInt16(clamping: count)
        let completed = bluetooth.links[slot].completed[side]
        guard completed >= aclBufferCount / 2 else { return }
        bluetooth.links[slot].completed[side] = 0
        tell(
            .completedPackets(
                handle: bluetooth.links[slot].handles[side], count: completed),
            slot, side, at: moment)
    }

    /// Something reaches the other side's link layer.
    private mutating func arrive(_ pdu: LinkPDU, _ slot: Int, from side: Side, at moment: UInt64) {
        let handle = bluetooth.links[slot].handles[side.other]
        switch pdu {
        case .data(let frame):
            tell(.acl(handle: handle, frame), slot, side.other, at: moment)
        case .terminate(let reason):
            end(
                slot, central: side == .central ? 0x16 : reason,
                peripheral: side == .central ? reason : 0x16, at: moment)
        case .encryptionRequest(let key):
            bluetooth.links[slot].offeredKey = key
            tell(.longTermKeyRequest(handle: handle), slot, side.other, at: moment)
        case .encryptionReply(let key):
            encrypt(slot, key, at: moment)
        case .update(let parameters):
            bluetooth.links[slot].newParameters = parameters
            let instant = now + 6 * bluetooth.links[slot].interval
            agenda.add(
                .air(.update(link: slot)), to: bluetooth.links[slot].updateChannel,
                earliest: instant, latest: instant)
        }
    }

    private mutating func encrypt(_ slot: Int, _ key: [UInt8]?, at moment: UInt64) {
        let link = bluetooth.links[slot]
        guard let offered = link.offeredKey else { return }
        bluetooth.links[slot].offeredKey = nil
        guard let key else {
            tell(
                .encryptionChange(
                    status: 0x06, handle: link.handles.central, isEncrypted: link.isEncrypted),
                slot, .central, at: moment)
            return
        }
        guard key == offered else { return end(slot, central: 0x3D, peripheral: 0x3D, at: moment) }
        bluetooth.links[slot].isEncrypted = true
        for side in [Side.central, .peripheral] {
            tell(
                .encryptionChange(
                    status: 0, handle: link.handles[side], isEncrypted: true),
                slot, side, at: moment)
        }
    }

    /// The instant of a connection update: both sides use the new timing from here on.
    mutating func updateConnection(_ slot: Int) {
        guard let parameters = bluetooth.links[slot].newParameters else { return }
        let event = bluetooth.links[slot].firstEvent(from: now)
        examine(slot, before: event)
        bluetooth.links[slot].newParameters = nil
        bluetooth.links[slot].parameters = parameters
        bluetooth.links[slot].earlierEvents += event
        bluetooth.links[slot].anchor = now + 1_250_000
        bluetooth.links[slot].examined = 0
        bluetooth.links[slot].lastActive = 0
        agenda.removeAll(in: bluetooth.links[slot].eventChannel)
        bluetooth.links[slot].isScheduled = false
        for side in [Side.central, .peripheral] {
            tell(
                .connectionUpdateComplete(
                    status: 0, handle: bluetooth.links[slot].handles[side], parameters),
                slot, side, at: now)
        }
        scheduleEvent(slot)
        scheduleSupervision(slot)
    }
}

extension Link {
    mutating func queue(_ pdu: LinkPDU, by side: Side) {
        if pdu.isData { frames[side] += 1 }
        queues[side].append(pdu)
    }

    /// Forgets what one side has still to send.
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

    /// What stands in a free slot.
    static func none(like link: Link) -> Link {
        Link(
            id: 0, owner: link.owner, central: 0, peripheral: 0, parameters: link.parameters,
            anchor: 0, lastGood: 0, handles: Sides(both: 0), toHost: Sides(both: 0),
            eventChannel: 0, supervisionChannel: 0, updateChannel: 0)
    }
}

extension LinkPDU {
    var isData: Bool {
        if case .data = self { return true }
        return false
    }

    var isTermination: Bool {
        if case .terminate = self { return true }
        return false
    }

    /// Preamble, access address, header, CRC and payload at 1 Mbit/s, with the inter-frame space and
    /// the empty packet that acknowledges it (Core Spec Vol 6 Part B 2.1, 4.1).
    var airTime: UInt64 {
        guard case .data(let frame) = self else { return 400_000 }
        return UInt64(frame.count + 10) * 8_000 + 2 * 150_000 + 80_000
    }
}
