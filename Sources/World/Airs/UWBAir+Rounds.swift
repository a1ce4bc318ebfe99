import Basics
package import Choices
import DeviceLink
import Scenarios

// MARK: Rounds

extension UWBAir {
    /// One ranging round of the session in a slot.
    ///
    /// The initiator's clock drives a pair; a radio alone hears nothing.
    package mutating func range(
        _ slot: Int, round: UInt64, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) {
        guard let session = slots[slot] else { return }
        let partner = partnerSlot(of: session)
        if let partner, let peer = slots[partner] {
            if session.parameters.isInitiator {
                let distance = measure(session, peer, round, in: surroundings, drawing: &decisions)
                report(distance, to: slot, from: peer, in: surroundings)
                report(distance, to: partner, from: session, in: surroundings)
            }
        } else {
            report(nil, to: slot, from: nil, in: surroundings)
        }
        // It may come to range in every second block only.
        let age = surroundings.now - session.begun
        let own = air.uwbStrideAfter.map { age >= $0 } == true ? 2 : session.stride
        let blocks = max(own, partner.flatMap { slots[$0]?.stride } ?? 1)
        outbox.append(.schedule(slot: slot, at: surroundings.now + session.interval * blocks))
    }

    /// The slot of the session that two-way ranges with this one, if its radio is on.
    func partnerSlot(of session: Session) -> Int? {
        slots.firstIndex {
            guard let other = $0 else { return false }
            return other.device != session.device && other.parameters.matches(session.parameters)
        }
    }

    /// The distance a round measures, in millimetres; nil for a miss.
    private func measure(
        _ session: Session, _ partner: Session, _ round: UInt64, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) -> Int64? {
        let there = surroundings.radioConditions(from: session.device, to: partner.device)
        guard surroundings.canHear(session.device, partner.device) else { return nil }
        let distance = Geometry.distance(
            surroundings.position(of: session.device), surroundings.position(of: partner.device))
        let isExtended = session.parameters.isExtended && partner.parameters.isExtended
        let range = there.reach(of: air.uwbRange)
        let reach = isExtended ? max(range, there.reach(of: air.uwbExtendedRange)) : range
        guard distance <= reach else { return nil }
        let loss = there.missedRounds
        guard
            !decisions.happens(loss.numerator, outOf: loss.denominator, session.owner, round, .loss)
        else { return nil }
        // What is measured beyond the reach of the first generation is worth less the farther it is.
        var bound = air.uwbNoise
        if distance > range {
            let missed = air.uwbExtendedLoss
            guard
                !decisions.happens(
                    missed.numerator * UInt64(distance - range),
                    outOf: missed.denominator * UInt64(reach - range), session.owner, round, .fading
                )
            else { return nil }
            bound = bound * distance / max(1, range)
        }
        let detour = there.isObstructed ? detour(of: session, round, drawing: &decisions) : 0
        return max(0, distance + detour + noise(of: session, round, bound, drawing: &decisions))
    }

    /// How much longer than the straight line the way around an obstacle is, in millimetres.
    private func detour(
        of session: Session, _ round: UInt64, drawing decisions: inout Decisions
    ) -> Int64 {
        let (shortest, longest) = (Obstacle.detour.lowerBound, Obstacle.detour.upperBound)
        return Int64(
            shortest + decisions.below(longest - shortest + 1, session.owner, round, .detour))
    }

    /// A symmetric error: decision 0 is none, then 1, -1, 2, -2, … millimetres.
    private func noise(
        of session: Session, _ round: UInt64, _ bound: Int64, drawing decisions: inout Decisions
    ) -> Int64 {
        let bound = UInt64(max(bound, 0))
        let draw = Int64(decisions.below(2 * bound + 1, session.owner, round, .noise))
        return draw % 2 == 1 ? (draw + 1) / 2 : -(draw / 2)
    }

    private mutating func report(
        _ distance: Int64?, to slot: Int, from partner: Session?, in surroundings: Surroundings
    ) {
        guard let session = slots[slot] else { return }
        var measurement: UWBMeasurement?
        if let distance, let partner {
            measurement = view(
                from: session.device, to: partner.device, distance: distance, in: surroundings)
        }
        let moment = surroundings.now + session.roundTime
        outbox.append(
            .tell(
                slot: slot, device: session.device,
                .round(session: session.handle, measurement),
                earliest: moment, latest: moment + air.hostDelay))
    }

    private func view(
        from device: Int, to peer: Int, distance: Int64, in surroundings: Surroundings
    ) -> UWBMeasurement {
        let sight = Sight(from: device, to: peer, in: surroundings)
        let isObstructed = surroundings.radioConditions(from: peer, to: device).isObstructed
        let isSeen =
            isInView(sight) && !isObstructed && surroundings.isUpright(device)
            && isFaced(device, by: peer, in: surroundings)
        let isShown = isSeen || surroundings.hasCamera(device)
        var view = UWBMeasurement(
            distance: UInt32(clamping: distance), azimuth: isShown ? Int16(sight.azimuth) : nil,
            elevation: isShown ? Int16(sight.elevation) : nil, isLineOfSight: !isObstructed)
        if surroundings.hasCamera(device) {
            view.sight = UWBSight(
                isInView: isSeen, horizontal: Int16(sight.horizontal),
                vertical: Int16(sight.vertical), place: RoomPlace(surroundings.position(of: peer)))
        }
        return view
    }
}

// MARK: Line of sight

extension UWBAir {
    /// Whether a direction is measured: within a cone around where the device looks (Apple, *Initiating and maintaining a
    /// session*).
    private func isInView(_ sight: Sight) -> Bool { sight.offAxis <= Int64(air.uwbFieldOfView) }

    /// Whether the peer looks this way: two Apple devices find each other's direction when their back cameras face each
    /// other, both upright (Apple, *Initiating and maintaining a session*); an accessory looks everywhere.
    private func isFaced(_ device: Int, by peer: Int, in surroundings: Surroundings) -> Bool {
        guard surroundings.hasSystem(device), surroundings.hasSystem(peer) else { return true }
        return surroundings.isUpright(peer)
            && isInView(Sight(from: peer, to: device, in: surroundings))
    }
}
