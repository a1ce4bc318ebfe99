import Bluetooth
package import Choices
import Scenarios

/// Connection events that are lost, and links that die of it.
extension BluetoothAir {
    /// Whether a connection event fails.
    ///
    /// Link-layer acknowledgements need both directions, so that a one-way partition fails the
    /// whole event.
    mutating func isLost(
        _ slot: Int, _ event: UInt64, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) -> Bool {
        // Looked at where it stands, and by nothing that copies the air: this runs for every connection event.
        let isGone = links[slot].isGone
        if isGone.central || isGone.peripheral { return true }
        let (central, peripheral) = (links[slot].central, links[slot].peripheral)
        guard
            surroundings.canHear(
                central, peripheral, at: links[slot].moment(event), within: air.bluetoothRange)
        else { return true }
        let loss = surroundings.conditions(from: central, to: peripheral).loss
        return decisions.happens(
            loss.numerator, outOf: loss.denominator, links[slot].owner,
            links[slot].earlierEvents + event, .loss)
    }

    /// Whether every event of a link is good until something is changed.
    private func isUntroubled(_ link: Link, in surroundings: Surroundings) -> Bool {
        !link.isGone.central && !link.isGone.peripheral
            && surroundings.conditions(from: link.central, to: link.peripheral).loss.numerator == 0
            && surroundings.isStill(link.central, after: link.lastGood)
            && surroundings.isStill(link.peripheral, after: link.lastGood)
            && surroundings.canHear(
                link.central, link.peripheral, at: surroundings.now, within: air.bluetoothRange)
    }

    /// Examines which of the idle events before one were lost.
    mutating func examine(
        _ slot: Int, before event: UInt64, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) {
        guard event > links[slot].examined else { return }
        let link = links[slot]
        if isUntroubled(link, in: surroundings) {
            links[slot].lastGood = link.moment(event - 1)
        } else {
            for idle in link.examined..<event
            where !isLost(slot, idle, in: surroundings, drawing: &decisions) {
                links[slot].lastGood = link.moment(idle)
            }
        }
        links[slot].examined = event
    }

    /// Looks ahead for the moment at which a link dies of silence, at most 1,024 events at a time.
    mutating func scheduleSupervision(
        _ slot: Int, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        let link = links[slot]
        outbox.append(.cancel(.supervision(link: slot)))
        guard !isUntroubled(link, in: surroundings) else { return }
        var lastGood = link.lastGood
        var moment = link.moment(link.examined)
        for event in link.examined..<link.examined + 1_024 {
            moment = link.moment(event)
            if moment >= lastGood + link.timeout {
                moment = lastGood + link.timeout
                break
            }
            if !isLost(slot, event, in: surroundings, drawing: &decisions) { lastGood = moment }
        }
        moment = max(moment, surroundings.now)
        outbox.append(
            .schedule(.supervision(link: slot), in: .supervision(link: slot), at: moment))
    }

    mutating func supervise(
        _ slot: Int, in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        examine(
            slot, before: links[slot].firstEvent(from: surroundings.now), in: surroundings,
            drawing: &decisions)
        let link = links[slot]
        guard surroundings.now >= link.lastGood + link.timeout else {
            return scheduleSupervision(slot, in: surroundings, drawing: &decisions)
        }
        let reasons = [Side.central, .peripheral].map { side in
            link.queues[side].contains { $0.isTermination } ? UInt8(0x16) : 0x08
        }
        end(
            slot, central: reasons[0], peripheral: reasons[1], at: surroundings.now,
            in: surroundings)
    }

    /// Judges idle events so far by what has held until now; to be called before that changes.
    package mutating func airWillChange(
        in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        for slot in links.indices where links[slot].isOpen {
            examine(
                slot, before: links[slot].firstEvent(from: surroundings.now), in: surroundings,
                drawing: &decisions)
        }
    }

    /// Looks ahead anew; to be called after a change.
    package mutating func airDidChange(
        in surroundings: Surroundings, drawing decisions: inout Decisions
    ) {
        for slot in links.indices where links[slot].isOpen {
            scheduleSupervision(slot, in: surroundings, drawing: &decisions)
        }
    }
}
