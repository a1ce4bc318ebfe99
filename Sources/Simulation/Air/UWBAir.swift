internal import DeviceLink
internal import Scenarios

/// The state of the UWB radios: every session that is on.
struct UWBAir: Sendable {
    struct Session: Sendable {
        package let device: Int
        let handle: UInt32
        let parameters: UWBParameters
        package let owner: Decisions.Owner
        /// The channel of its rounds.
        let rounds: Int
        /// The channel to its host.
        let toHost: Int
    }

    /// Sessions by slot; nil where one has ended.
    var sessions: [Session?] = []
    /// Starts that were refused, until their hosts hear of it.
    var refused: [(device: Int, handle: UInt32, sessionID: UInt32)] = []
    /// How often each device started a session, for the labels.
    ///
    /// Looked up only.
    var starts: [Int: Int] = [:]

    /// How many sessions of a device's radio are on, or refused and not told so yet.
    func count(of device: Int) -> Int {
        sessions.reduce(0) { $0 + ($1?.device == device ? 1 : 0) }
            + refused.reduce(0) { $0 + ($1.device == device ? 1 : 0) }
    }

    /// The session that two-way ranges with this one, if its radio is on.
    func partner(of session: Session) -> Session? {
        sessions.lazy.compactMap { $0 }.first {
            $0.device != session.device && $0.parameters.matches(session.parameters)
        }
    }
}

extension UWBParameters {
    /// Whether two radios with these parameters hear one another: equal but for their roles and
    /// addresses, which mirror one another.
    func matches(_ other: UWBParameters) -> Bool {
        sessionID == other.sessionID && address == other.peer && peer == other.address
            && channel == other.channel && preamble == other.preamble && stsIV == other.stsIV
            && slotsPerRound == other.slotsPerRound && slotDuration == other.slotDuration
            && interval == other.interval && isInitiator != other.isInitiator
    }
}

extension World {
    /// The time a radio needs to start.
    private static let startTime: Nanoseconds = .milliseconds(2)

    /// Lets a request to the UWB radio take effect.
    ///
    /// - Throws: `Breach` where the radio would have too many sessions.
    mutating func perform(_ command: UWBCommand, of device: Int) throws(Breach) {
        switch command {
        case .start(let handle, let parameters):
            try startRanging(device, handle, parameters)
        case .stop(let handle): stopRanging(device, handle)
        }
    }

    private mutating func startRanging(
        _ device: Int, _ handle: UInt32, _ parameters: UWBParameters
    ) throws(Breach) {
        stopRanging(device, handle)
        let running = uwb.count(of: device)
        guard running < LinkLimits.uwbSessions else {
            throw Breach(
                at: 0, expected: "at most \(LinkLimits.uwbSessions) UWB sessions at a time",
                found: "one more")
        }
        emit(
            .uwbStarting, on: device,
            fields: [
                Field("handle", .number(Int64(handle))),
                Field("session-id", .number(Int64(parameters.sessionID))),
                Field("address", .number(Int64(parameters.address))),
                Field("peer-address", .number(Int64(parameters.peer))),
            ])
        uwb.starts[device, default: 0] += 1
        let label = String(
            joining: "uwb ", life(of: device), " ", String(uwb.starts[device, default: 0]))
        let toHost = agenda.open(String(joining: label, " to host"), device: device)
        let refusal = refusal(by: devices[device].name)
        deliver(
            .uwb(.started(session: handle, status: refusal == nil ? 0 : 1)), to: device, in: toHost,
            earliest: now + Self.startTime, latest: now + Self.startTime + topology.air.hostDelay)
        if let refusal {
            agenda.retire(toHost)
            uwb.refused.append((device, handle, parameters.sessionID))
            return use(refusal)
        }
        let session = UWBAir.Session(
            device: device, handle: handle, parameters: parameters,
            owner: Decisions.Owner(label),
            rounds: agenda.open(String(joining: label, " rounds")), toHost: toHost)
        let slot = uwb.sessions.firstIndex { $0 == nil } ?? uwb.sessions.count
        if slot == uwb.sessions.count {
            uwb.sessions.append(session)
        } else {
            uwb.sessions[slot] = session
        }
        scheduleRound(
            slot,
            after: Self.startTime
                + decisions.below(
                    session.interval, session.owner, 0, .phase))
    }

    /// The fault by which a device's radio refuses its next start.
    private func refusal(by device: String) -> Disturbance.ID? {
        script.active.first { disturbance in
            if case .refuseUWB(device, _) = disturbance.verb { true } else { false }
        }?.id
    }

    private mutating func scheduleRound(_ slot: Int, after delay: UInt64) {
        guard let session = uwb.sessions[slot] else { return }
        agenda.add(
            .air(.round(session: slot)), to: session.rounds, earliest: now + delay,
            latest: now + delay)
    }

    private mutating func stopRanging(_ device: Int, _ handle: UInt32) {
        guard
            let slot = uwb.sessions.firstIndex(where: {
                $0?.device == device && $0?.handle == handle
            })
        else { return }
        stopRanging(slot)
    }

    /// Ends all sessions of a device's radio.
    mutating func stopRanging(of device: Int) {
        for slot in uwb.sessions.indices where uwb.sessions[slot]?.device == device {
            stopRanging(slot)
        }
    }

    private mutating func stopRanging(_ slot: Int) {
        guard let session = uwb.sessions[slot] else { return }
        uwb.sessions[slot] = nil
        agenda.close(session.rounds)
        agenda.removeAll(in: session.toHost)
        agenda.close(session.toHost)
        emit(
            .uwbStopped, on: session.device,
            fields: [
                Field("handle", .number(Int64(session.handle))),
                Field("session-id", .number(Int64(session.parameters.sessionID))),
            ])
    }

    /// One ranging round.
    ///
    /// The initiator's clock drives a pair; a radio alone hears nothing.
    mutating func range(_ slot: Int) {
        guard let session = uwb.sessions[slot] else { return }
        let ordinal = agenda.channels[session.rounds].nextOrdinal
        let partner = uwb.partner(of: session)
        if session.parameters.isInitiator || partner == nil {
            let measurement = partner.map { measure(session, $0, ordinal: ordinal) } ?? nil
            report(measurement, to: session, from: partner)
            if let partner { report(measurement, to: partner, from: session) }
        }
        scheduleRound(slot, after: session.interval)
    }

    /// The distance a round measures; nil for a miss.
    private mutating func measure(
        _ session: UWBAir.Session, _ partner: UWBAir.Session, ordinal: UInt64
    ) -> Int64? {
        let there = bluetooth.conditions(from: session.device, to: partner.device)
        let back = bluetooth.conditions(from: partner.device, to: session.device)
        guard !there.isPartitioned, !back.isPartitioned else { return nil }
        let distance = Geometry.distance(
            devices[session.device].motion.position(at: now),
            devices[partner.device].motion.position(at: now))
        guard distance <= topology.air.uwbRange else { return nil }
        let loss = there.uwbLoss
        guard
            !decisions.happens(
                loss.numerator, outOf: loss.denominator, session.owner, ordinal, .loss)
        else { return nil }
        return max(0, distance + noise(session.owner, ordinal))
    }

    /// A symmetric error: decision 0 is none, then 1, -1, 2, -2, … millimetres.
    private mutating func noise(_ owner: Decisions.Owner, _ ordinal: UInt64) -> Int64 {
        let bound = UInt64(max(topology.air.uwbNoise, 0))
        let draw = Int64(decisions.below(2 * bound + 1, owner, ordinal, .noise))
        return draw % 2 == 1 ? (draw + 1) / 2 : -(draw / 2)
    }

    private mutating func report(
        _ distance: Int64?, to session: UWBAir.Session, from partner: UWBAir.Session?
    ) {
        var measurement: UWBMeasurement?
        if let distance, let partner {
            measurement = self.measurement(distance, at: session.device, of: partner.device)
        }
        deliver(
            .uwb(.round(session: session.handle, measurement)), to: session.device,
            in: session.toHost, earliest: now + session.roundTime,
            latest: now + session.roundTime + topology.air.hostDelay)
    }

    private func measurement(_ distance: Int64, at device: Int, of peer: Int) -> UWBMeasurement {
        let here = devices[device].motion.position(at: now)
        let there = devices[peer].motion.position(at: now)
        let (x, y, z) = (there.x - here.x, there.y - here.y, there.z - here.z)
        let azimuth = Geometry.normalized(
            Geometry.arcTangent(y: x, x: y) - Int64(devices[device].spec.heading))
        let ahead = Int64(Geometry.squareRoot(UInt64(x * x + y * y)))
        let elevation = Geometry.arcTangent(y: z, x: ahead)
        let view = Int64(topology.air.uwbFieldOfView)
        let isObstructed = bluetooth.conditions(from: peer, to: device).isObstructed
        let isSeen = abs(azimuth) <= view && abs(elevation) <= view && !isObstructed
        return UWBMeasurement(
            distance: UInt32(clamping: distance), azimuth: isSeen ? Int16(azimuth) : nil,
            elevation: isSeen ? Int16(elevation) : nil, isLineOfSight: !isObstructed)
    }

    /// What the trace shows of the UWB radio's event when its host gets it.
    mutating func noteDelivery(of event: UWBEvent, to device: Int) {
        switch event {
        case .started(let handle, 0):
            emit(
                .uwbStarted, on: device,
                fields: [
                    Field("handle", .number(Int64(handle))),
                    Field("session-id", .number(sessionID(device, handle))),
                ])
        case .started(let handle, let status):
            let index = uwb.refused.firstIndex { $0.device == device && $0.handle == handle }
            let session = index.map { uwb.refused.remove(at: $0).sessionID } ?? 0
            emit(
                .uwbRefused, on: device,
                fields: [
                    Field("handle", .number(Int64(handle))),
                    Field("session-id", .number(Int64(session))),
                    Field("status", .number(Int64(status))),
                ])
        case .round(let handle, let measurement):
            emit(
                .uwbRound, on: device,
                fields: [
                    Field("handle", .number(Int64(handle))),
                    Field("session-id", .number(sessionID(device, handle))),
                    Field("outcome", .text(measurement == nil ? "missed" : "measured")),
                    Field("distance", measurement.map { .number(Int64($0.distance)) } ?? .none),
                ])
        }
    }

    private func sessionID(_ device: Int, _ handle: UInt32) -> Int64 {
        let session = uwb.sessions.lazy.compactMap { $0 }.first {
            $0.device == device && $0.handle == handle
        }
        return Int64(session?.parameters.sessionID ?? 0)
    }
}

extension UWBAir.Session {
    /// The ranging interval in nanoseconds, at least a millisecond.
    var interval: UInt64 { max(1, UInt64(parameters.interval)) * 1_000_000 }

    /// The length of a round in nanoseconds (1200 RSTU = 1 ms).
    var roundTime: UInt64 {
        UInt64(parameters.slotsPerRound) * UInt64(parameters.slotDuration) * 2_500 / 3
    }
}
