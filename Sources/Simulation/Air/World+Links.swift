internal import DeviceLink
internal import Topologies

/// Connections: connection events, what they carry, and how links end.
extension World {
    // MARK: Making a link

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
                central: agenda.open("\(owner.label) to central", device: central),
                peripheral: agenda.open("\(owner.label) to peripheral", device: peripheral)),
            eventChannel: agenda.open("\(owner.label) events"),
            supervisionChannel: agenda.open("\(owner.label) supervision"),
            updateChannel: agenda.open("\(owner.label) update"))
        if slot == bluetooth.links.count {
            bluetooth.links.append(link)
        } else {
            bluetooth.links[slot] = link
        }
        emit(
            "air.connected", on: central,
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
        let pair =
            "\(devices[central].name)/\(devices[central].incarnation)-"
            + "\(devices[peripheral].name)/\(devices[peripheral].incarnation)"
        bluetooth.connections[pair, default: 0] += 1
        return "link \(pair) \(bluetooth.connections[pair, default: 0])"
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
    private mutating func tell(
        _ event: BluetoothEvent, _ slot: Int, _ side: Side, at moment: UInt64
    ) {
        let link = bluetooth.links[slot]
        guard !link.isGone[side], devices[link.device(side)].isAlive else { return }
        let conditions = bluetooth.conditions(
            from: link.device(side.other), to: link.device(side))
        deliver(
            .bluetooth(event), to: link.device(side), in: link.toHost[side],
            earliest: moment + conditions.extraDelay,
            latest: moment + conditions.extraDelay + conditions.hostDelay)
    }

    // MARK: Carrying

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
        bluetooth.links[known.slot].queues[known.side].append(pdu)
        scheduleEvent(known.slot)
    }

    /// Plans the next connection event at which the link has something to carry.
    private mutating func scheduleEvent(_ slot: Int) {
        let link = bluetooth.links[slot]
        guard !link.isScheduled, link.hasQueued else { return }
        var event = link.firstEvent(from: now + 1)
        if link.queues.peripheral.isEmpty {
            event = link.nextListening(from: event)
        }
        bluetooth.links[slot].isScheduled = true
        agenda.add(
            .air(.connectionEvent(link: slot)), to: link.eventChannel,
            earliest: link.moment(event), latest: link.moment(event))
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
            let link = bluetooth.links[slot]
            let conditions = bluetooth.conditions(
                from: link.device(side), to: link.device(side.other))
            let count = min(conditions.capacity, link.queues[side].count)
            guard count > 0 else { continue }
            let carried = link.queues[side].prefix(count)
            bluetooth.links[slot].queues[side].removeFirst(count)
            for pdu in carried {
                moment += pdu.airTime
                arrive(pdu, slot, from: side, at: moment)
                if bluetooth.links[slot].id == 0 { return }
            }
            acknowledge(slot, side, carried.count { $0.isData }, at: moment)
        }
    }

    /// Completed packets are reported in lots of half the controller's buffers.
    private mutating func acknowledge(_ slot: Int, _ side: Side, _ count: Int, at moment: UInt64) {
        bluetooth.links[slot].completed[side] += UInt16(count)
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

    // MARK: Loss and supervision

    /// Whether a connection event fails.
    ///
    /// Link-layer acknowledgements need both directions, so that a one-way partition fails the
    /// whole event.
    private mutating func isLost(_ slot: Int, _ event: UInt64) -> Bool {
        let link = bluetooth.links[slot]
        if link.isGone.central || link.isGone.peripheral { return true }
        guard canHear(link, at: link.moment(event)) else { return true }
        let loss = bluetooth.conditions(from: link.central, to: link.peripheral).loss
        return decisions.happens(
            loss.numerator, outOf: loss.denominator, link.owner, link.earlierEvents + event, .loss)
    }

    private func canHear(_ link: Link, at moment: UInt64) -> Bool {
        let there = bluetooth.conditions(from: link.central, to: link.peripheral)
        let back = bluetooth.conditions(from: link.peripheral, to: link.central)
        guard !there.isPartitioned, !back.isPartitioned else { return false }
        return Geometry.distance(
            devices[link.central].motion.position(at: moment),
            devices[link.peripheral].motion.position(at: moment)) <= topology.air.bluetoothRange
    }

    /// Whether every event of a link is good until something is changed.
    private func isUntroubled(_ link: Link) -> Bool {
        !link.isGone.central && !link.isGone.peripheral
            && bluetooth.conditions(from: link.central, to: link.peripheral).loss.numerator == 0
            && devices[link.central].motion.isStill(after: link.lastGood)
            && devices[link.peripheral].motion.isStill(after: link.lastGood)
            && canHear(link, at: now)
    }

    /// Examines which of the idle events before one were lost.
    private mutating func examine(_ slot: Int, before event: UInt64) {
        let link = bluetooth.links[slot]
        guard event > link.examined else { return }
        if isUntroubled(link) {
            bluetooth.links[slot].lastGood = link.moment(event - 1)
        } else {
            for idle in link.examined..<event where !isLost(slot, idle) {
                bluetooth.links[slot].lastGood = link.moment(idle)
            }
        }
        bluetooth.links[slot].examined = event
    }

    /// Looks ahead for the moment at which a link dies of silence, at most 1,024 events at a time.
    mutating func scheduleSupervision(_ slot: Int) {
        let link = bluetooth.links[slot]
        agenda.removeAll(in: link.supervisionChannel)
        guard !isUntroubled(link) else { return }
        var lastGood = link.lastGood
        var moment = link.moment(link.examined)
        for event in link.examined..<link.examined + 1_024 {
            moment = link.moment(event)
            if moment >= lastGood + link.timeout {
                moment = lastGood + link.timeout
                break
            }
            if !isLost(slot, event) { lastGood = moment }
        }
        moment = max(moment, now)
        agenda.add(
            .air(.supervision(link: slot)), to: link.supervisionChannel, earliest: moment,
            latest: moment)
    }

    mutating func supervise(_ slot: Int) {
        examine(slot, before: bluetooth.links[slot].firstEvent(from: now))
        let link = bluetooth.links[slot]
        guard now >= link.lastGood + link.timeout else { return scheduleSupervision(slot) }
        let reasons = [Side.central, .peripheral].map { side in
            link.queues[side].contains { $0.isTermination } ? UInt8(0x16) : 0x08
        }
        end(slot, central: reasons[0], peripheral: reasons[1], at: now)
    }

    /// Changes what the air is like: idle events so far are judged by what held until now.
    mutating func changeAir(_ change: (inout World) -> Void) {
        let slots = bluetooth.links.indices.filter { bluetooth.links[$0].id != 0 }
        for slot in slots {
            examine(slot, before: bluetooth.links[slot].firstEvent(from: now))
        }
        change(&self)
        for slot in slots where bluetooth.links[slot].id != 0 { scheduleSupervision(slot) }
    }

    // MARK: Ending a link

    mutating func disconnect(_ handle: UInt16, of device: Int, reason: UInt8) {
        guard let known = bluetooth.controllers[device].handle(handle), known.slot >= 0 else {
            return
        }
        bluetooth.links[known.slot].queues[known.side] = []
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
            "air.disconnected", on: link.central,
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

    // MARK: What the trace shows

    /// What the trace shows of a controller's event when its host gets it.
    mutating func noteDelivery(of event: BluetoothEvent, to device: Int) {
        switch event {
        case .connectionComplete(0, let handle, let isCentral, _, let parameters):
            note(
                "link.up", handle, of: device,
                [
                    Field("role", .text(isCentral ? "central" : "peripheral"))
                ], parameters)
        case .disconnectionComplete(let handle, let reason):
            note("link.down", handle, of: device, [Field("reason", .number(Int64(reason)))])
            bluetooth.controllers[device].handles.removeAll { $0.value == handle && $0.slot < 0 }
        case .encryptionChange(let status, let handle, let isEncrypted):
            note("link.encrypted", handle, of: device, [Field("status", .number(Int64(status)))])
            guard status == 0, let known = bluetooth.controllers[device].handle(handle) else {
                return
            }
            observer.encryptionChanged(
                link: known.link, at: devices[device].name, to: isEncrypted)
        case .connectionUpdateComplete(let status, let handle, let parameters):
            note(
                "link.updated", handle, of: device,
                [
                    Field("status", .number(Int64(status)))
                ], parameters)
        case .acl(let handle, let frame):
            guard let known = bluetooth.controllers[device].handle(handle) else { return }
            observe(frame, known, of: device, .received, isSpoilt: false)
        case .connectionComplete, .advertisingReport, .completedPackets, .longTermKeyRequest:
            break
        }
    }

    private mutating func note(
        _ kind: String, _ handle: UInt16, of device: Int, _ fields: [Field],
        _ parameters: ConnectionParameters? = nil
    ) {
        guard let known = bluetooth.controllers[device].handle(handle) else { return }
        var all = [
            Field("link", .number(Int64(known.link))),
            Field("peer", .text(devices[known.peer].name)),
        ]
        all += fields
        if let parameters {
            all.append(Field("interval", .number(Int64(parameters.interval) * 1_250_000)))
            all.append(Field("latency", .number(Int64(parameters.latency))))
            all.append(Field("timeout", .number(Int64(parameters.timeout) * 10_000_000)))
        }
        emit(kind, on: device, fields: all)
    }

    private mutating func observe(
        _ frame: [UInt8], _ handle: Controller.Handle, of device: Int, _ phase: AirObserver.Phase,
        isSpoilt: Bool
    ) {
        var seen: [AirObserver.ObservedEvent] = []
        observer.frame(
            frame, link: handle.link, at: devices[device].name, phase: phase, isSpoilt: isSpoilt,
            into: &seen)
        for event in seen {
            emit(event.kind, on: device, fields: event.fields)
        }
    }
}

extension Link {
    var hasQueued: Bool { !queues.central.isEmpty || !queues.peripheral.isEmpty }

    /// The first event from `event` on at which the peripheral listens although it has nothing to
    /// say: every (latency + 1)-th after the last that carried something, and the one right after it.
    func nextListening(from event: UInt64) -> UInt64 {
        guard event > lastActive + 1 else { return event }
        let step = UInt64(parameters.latency) + 1
        let skipped = (event - lastActive + step - 1) / step
        return lastActive + skipped * step
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
