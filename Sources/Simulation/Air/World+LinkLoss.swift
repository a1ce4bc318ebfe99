internal import Bluetooth
internal import DeviceLink
internal import Scenarios

/// Connection events that are lost, and links that die of it.
extension World {
    /// Whether a connection event fails.
    ///
    /// Link-layer acknowledgements need both directions, so that a one-way partition fails the
    /// whole event.
    mutating func isLost(_ slot: Int, _ event: UInt64) -> Bool {
        // Looked at where it stands: this runs for every connection event.
        let isGone = bluetooth.links[slot].isGone
        if isGone.central || isGone.peripheral { return true }
        let (central, peripheral) = (
            bluetooth.links[slot].central, bluetooth.links[slot].peripheral
        )
        guard canHear(central, peripheral, at: bluetooth.links[slot].moment(event)) else {
            return true
        }
        let loss = bluetooth.conditions(from: central, to: peripheral).loss
        return decisions.happens(
            loss.numerator, outOf: loss.denominator, bluetooth.links[slot].owner,
            bluetooth.links[slot].earlierEvents + event, .loss)
    }

    private func canHear(_ central: Int, _ peripheral: Int, at moment: UInt64) -> Bool {
        let there = bluetooth.conditions(from: central, to: peripheral)
        let back = bluetooth.conditions(from: peripheral, to: central)
        guard !there.isPartitioned, !back.isPartitioned else { return false }
        return Geometry.distance(
            devices[central].motion.position(at: moment),
            devices[peripheral].motion.position(at: moment)) <= topology.air.bluetoothRange
    }

    /// Whether every event of a link is good until something is changed.
    private func isUntroubled(_ link: Link) -> Bool {
        !link.isGone.central && !link.isGone.peripheral
            && bluetooth.conditions(from: link.central, to: link.peripheral).loss.numerator == 0
            && devices[link.central].motion.isStill(after: link.lastGood)
            && devices[link.peripheral].motion.isStill(after: link.lastGood)
            && canHear(link.central, link.peripheral, at: now)
    }

    /// Examines which of the idle events before one were lost.
    mutating func examine(_ slot: Int, before event: UInt64) {
        guard event > bluetooth.links[slot].examined else { return }
        let link = bluetooth.links[slot]
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
}
