import Basics
package import Choices
package import DeviceLink
package import Scenarios

/// The UWB radios: which sessions are on, and what their rounds measure.
///
/// It knows of the run what it is handed, and answers with effects. They wait in an outbox whose capacity is
/// kept, because an array that is returned would be allocated for each round.
package struct UWBAir: Sendable {
    /// What follows from a request or a round; the sequence counts.
    package enum Effect: Equatable, Sendable {
        case trace(EventKind, device: Int, [Field])
        /// A slot gets a session, whose channels begin with this label.
        case open(slot: Int, device: Int, label: String)
        /// The session of a slot is over: nothing of it reaches its host any more.
        case close(slot: Int)
        /// The next round of a slot's session, at a moment.
        case schedule(slot: Int, at: UInt64)
        /// The host of a slot's session is told something, between two moments.
        case tell(slot: Int, device: Int, UWBEvent, earliest: UInt64, latest: UInt64)
        /// The host of a slot's session is told, between two moments, that its peer has ended it.
        case end(slot: Int, device: Int, handle: UInt32, earliest: UInt64, latest: UInt64)
        /// A start was refused: the fault that made the radio refuse has struck, and its host is told.
        case refuse(device: Int, label: String, UWBEvent, earliest: UInt64, latest: UInt64)
    }

    package struct Session: Sendable {
        package let device: Int
        package let handle: UInt32
        package let parameters: UWBParameters
        /// When its host asked for it.
        let begun: UInt64
        /// In how many intervals it ranges once.
        fileprivate(set) var stride: UInt64 = 1
        let owner: Decisions.Owner
    }

    private static let startTime: Nanoseconds = .milliseconds(2)

    let air: Air
    /// Sessions by slot; nil where one has ended.
    private(set) var slots: [Session?] = []
    /// Starts that were refused, until their hosts hear of it.
    private var refused: [(device: Int, handle: UInt32, sessionID: UInt32)] = []
    /// How often each device started a session, for the labels.
    ///
    /// Looked up only.
    private var starts: [Int: Int] = [:]

    /// What has to be done.
    var outbox = Queue<Effect>()

    /// Radios on this air, all off.
    package init(_ air: Air) { self.air = air }

    /// Whether something has to be done.
    package var hasEffects: Bool { !outbox.isEmpty }

    /// The effect that has to be done next; there must be one.
    package mutating func takeEffect() -> Effect { outbox.takeFirst() }

    package var sessions: [Session] { slots.compactMap { $0 } }

    /// The session of a slot; nil where it has ended.
    package func session(at slot: Int) -> Session? { slots[slot] }

    /// The session that two-way ranges with this one, if its radio is on.
    package func partner(of session: Session) -> Session? {
        partnerSlot(of: session).flatMap { slots[$0] }
    }
}

// MARK: Sessions

extension UWBAir {
    /// Lets a request of a host take effect; with a `refusal`, a status of UCI, the radio refuses a start.
    ///
    /// - Throws: `Breach` where the radio would have too many sessions.
    package mutating func perform(
        _ command: UWBCommand, of device: Int, refusal: UInt8?, in surroundings: Surroundings,
        drawing decisions: inout Decisions
    ) throws(Breach) {
        switch command {
        case .stop(let handle), .end(let handle):
            let ratio = air.uwbEndHeard ?? (command.isEnd ? Ratio(1, 1) : .zero)
            tellEnd(of: handle, on: device, ratio, at: surroundings.now, drawing: &decisions)
            stop(handle, of: device)
        case .stride(let handle, let intervals):
            guard let slot = place(of: handle, on: device) else { break }
            slots[slot]?.stride = UInt64(intervals)
        case .start(let handle, let parameters):
            stop(handle, of: device)
            try checkCount(of: device)
            outbox.append(Self.starting(handle, parameters, of: device))
            starts[device, default: 0] += 1
            let label = String(
                joining: "uwb ", surroundings.life(of: device), " ",
                String(starts[device, default: 0]))
            let session = Session(
                device: device, handle: handle, parameters: parameters,
                begun: surroundings.now, owner: Decisions.Owner(label))
            if let refusal {
                refuse(session, with: refusal, at: surroundings.now)
            } else {
                start(session, at: surroundings.now, drawing: &decisions)
            }
        }
    }

    /// Ends all sessions of a device's radio, whose host hears of no refused start any more.
    package mutating func switchOff(_ device: Int) {
        refused.removeAll { $0.device == device }
        for slot in slots.indices where slots[slot]?.device == device {
            stop(slot: slot)
        }
    }

    private func checkCount(of device: Int) throws(Breach) {
        let count =
            slots.reduce(0) { $0 + ($1?.device == device ? 1 : 0) }
            + refused.reduce(0) { $0 + ($1.device == device ? 1 : 0) }
        guard count < LinkLimits.uwbSessions else {
            throw .oneMore(than: LinkLimits.uwbSessions, "UWB sessions at a time")
        }
    }

    private static func starting(
        _ handle: UInt32, _ parameters: UWBParameters, of device: Int
    ) -> Effect {
        let extended = parameters.isExtended ? [Field("extended", true)] : []
        return .trace(
            .uwbStarting, device: device,
            [
                Field("handle", .number(Int64(handle))),
                Field("session-id", .number(Int64(parameters.sessionID))),
                Field("address", .number(Int64(parameters.address))),
                Field("peer-address", .number(Int64(parameters.peer))),
                Field("role", .text(parameters.isInitiator ? "initiator" : "responder")),
                Field("channel", .number(Int64(parameters.channel))),
                Field("preamble", .number(Int64(parameters.preamble))),
                Field("sts-iv", .bytes(parameters.stsIV)),
                Field("slots", .number(Int64(parameters.slotsPerRound))),
                Field("slot-duration", .number(Int64(parameters.slotDuration))),
                Field("interval", .number(Int64(parameters.interval) * 1_000_000)),
            ] + extended)
    }

    private mutating func refuse(_ session: Session, with status: UInt8, at now: UInt64) {
        refused.append((session.device, session.handle, session.parameters.sessionID))
        let moment = now + Self.startTime
        outbox.append(
            .refuse(
                device: session.device, label: session.owner.label,
                .started(session: session.handle, status: status),
                earliest: moment, latest: moment + air.hostDelay))
    }

    private mutating func start(
        _ session: Session, at now: UInt64, drawing decisions: inout Decisions
    ) {
        let slot = slots.firstIndex { $0 == nil } ?? slots.count
        if slot == slots.count { slots.append(session) } else { slots[slot] = session }
        let moment = now + Self.startTime
        let phase = decisions.below(session.interval, session.owner, 0, .phase)
        outbox.append(.open(slot: slot, device: session.device, label: session.owner.label))
        outbox.append(
            .tell(
                slot: slot, device: session.device, .started(session: session.handle, status: 0),
                earliest: moment, latest: moment + air.hostDelay))
        outbox.append(.schedule(slot: slot, at: moment + phase))
    }

    private mutating func stop(_ handle: UInt32, of device: Int) {
        if let slot = place(of: handle, on: device) { stop(slot: slot) }
    }

    private func place(of handle: UInt32, on device: Int) -> Int? {
        slots.firstIndex { $0?.device == device && $0?.handle == handle }
    }

    /// The script ends the sessions that a device has with a peer, or with all: both radios say so in-band.
    package mutating func endSessions(of device: Int, with peer: Int?, at now: UInt64) {
        for session in sessions where session.device == device {
            guard let other = partner(of: session), peer == nil || peer == other.device else {
                continue
            }
            for end in [session, other] { tell(end, ofEndAt: now) }
        }
    }

    private mutating func tell(_ session: Session, ofEndAt now: UInt64) {
        guard let slot = place(of: session.handle, on: session.device) else { return }
        outbox.append(
            .end(
                slot: slot, device: session.device, handle: session.handle,
                earliest: now + session.roundTime,
                latest: now + session.interval + air.hostDelay))
    }

    /// The peer may hear of it in its next round: "best effort, not guaranteed", says Apple of `peerEnded`.
    private mutating func tellEnd(
        of handle: UInt32, on device: Int, _ ratio: Ratio, at now: UInt64,
        drawing decisions: inout Decisions
    ) {
        guard ratio != .zero,
            let slot = place(of: handle, on: device),
            let session = slots[slot], let peer = partner(of: session),
            decisions.happens(ratio.numerator, outOf: ratio.denominator, session.owner, 0, .end)
        else { return }
        tell(peer, ofEndAt: now)
    }

    private mutating func stop(slot: Int) {
        guard let session = slots[slot] else { return }
        slots[slot] = nil
        outbox.append(.close(slot: slot))
        outbox.append(
            .trace(
                .uwbStopped, device: session.device,
                Self.fields(session.handle, Int64(session.parameters.sessionID))))
    }
}

// MARK: What hosts get

extension UWBAir {
    /// The kind and the fields of the trace's event for what a host gets at this moment.
    package mutating func delivered(_ event: UWBEvent, to device: Int) -> (EventKind, [Field]) {
        switch event {
        case .started(let handle, 0):
            return (.uwbStarted, Self.fields(handle, sessionID(device, handle)))
        case .started(let handle, let status):
            let fields = Self.fields(handle, takeRefused(device, handle))
            return (.uwbRefused, fields + [Field("status", .number(Int64(status)))])
        case .round(let handle, let measurement):
            var fields = [
                Field("handle", .number(Int64(handle))),
                Field("session-id", .number(sessionID(device, handle))),
                Field("outcome", .text(measurement == nil ? "missed" : "measured")),
                Field("distance", measurement.map { .number(Int64($0.distance)) } ?? .none),
            ]
            if let azimuth = measurement?.azimuth, let elevation = measurement?.elevation {
                fields.append(Field("azimuth", .number(Int64(azimuth))))
                fields.append(Field("elevation", .number(Int64(elevation))))
            }
            return (.uwbRound, fields)
        }
    }

    /// The fields of the trace's event for a host that learns that its peer has ended a session.
    package func ended(_ handle: UInt32, on device: Int) -> [Field] {
        Self.fields(handle, sessionID(device, handle))
    }

    private static func fields(_ handle: UInt32, _ sessionID: Int64) -> [Field] {
        [Field("handle", .number(Int64(handle))), Field("session-id", .number(sessionID))]
    }

    /// The session id of a refused start, of which its host knows now.
    private mutating func takeRefused(_ device: Int, _ handle: UInt32) -> Int64 {
        let index = refused.firstIndex { $0.device == device && $0.handle == handle }
        return index.map { Int64(refused.remove(at: $0).sessionID) } ?? 0
    }

    private func sessionID(_ device: Int, _ handle: UInt32) -> Int64 {
        let session = slots.lazy.compactMap { $0 }.first {
            $0.device == device && $0.handle == handle
        }
        return Int64(session?.parameters.sessionID ?? 0)
    }
}

extension UWBCommand {
    /// Whether the peer is to know.
    fileprivate var isEnd: Bool {
        if case .end = self { true } else { false }
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

extension UWBAir.Session {
    /// The ranging interval in nanoseconds, at least a millisecond.
    package var interval: UInt64 { max(1, UInt64(parameters.interval)) * 1_000_000 }

    /// The length of a round in nanoseconds (1200 RSTU = 1 ms).
    var roundTime: UInt64 {
        UInt64(parameters.slotsPerRound) * UInt64(parameters.slotDuration) * 2_500 / 3
    }
}
