package import AccessoryProtocol
package import NearbyInteraction
package import Vocabulary

/// How far the app has got with one accessory, and what it does next: a pure value.
///
/// The way is initialize → accessory configuration data → run → shareable data → configureAndStart →
/// accessoryUwbDidStart. An attempt that fails is made again after a wait, with new configuration data
/// (R4 3.4.1), until the policy's bound.
package struct Handshake: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        /// There is no link on which the accessory could answer.
        case offline
        /// Nothing is wanted.
        case idle
        /// The next attempt waits for its time.
        case waiting
        /// The next attempt waits for another session to close.
        case limited
        case initializing
        /// The session was run with the accessory's configuration data.
        case configuring
        case starting
        case ranging
        case suspended
        /// No attempt will follow, unless the user wants one.
        case gaveUp
    }

    /// What the link, the accessory, the session and the user do.
    package enum Event: Equatable, Sendable {
        case subscribed
        /// The link ended, or could not be used, for the reason that Core Bluetooth gave, if it gave any.
        case lost(String? = nil)
        case switchedOff
        case received(Message)
        /// The accessory sent something that is no message.
        case unreadable
        /// The accessory's configuration data cannot be used.
        case configurationRejected
        case requestTimedOut
        case retryDue
        case sessionClosed
        /// The user wants to range.
        case start
        /// The user wants no more.
        case stop
        /// The session generated shareable data.
        case shareable([UInt8])
        case updated(isMeasured: Bool)
        case removed(NINearbyObject.RemovalReason)
        case suspended
        case suspensionEnded
        case invalidated(NIError.Code)
    }

    package enum Step: Equatable, Sendable {
        /// Send a message and wait for the answer.
        case send(Message)
        /// Wait for configuration data, which comes whenever the app subscribes: anew, if it has done so before.
        case listen
        /// Nothing is waited for any more.
        case answered
        /// Run the session with this configuration data.
        case run([UInt8])
        case pause
        /// Invalidate the session and let go of it.
        case invalidate
        /// Make a new session in place of the invalidated one.
        case renew
        /// Come back after so many seconds.
        case retry(after: Double)
        /// Do not come back.
        case cancelRetry
        case connect
        case disconnect
        /// Tell that ranging is wanted.
        case started
        /// Tell that ranging is over.
        case stopped
        case attempt(Int)
        /// Tell that no attempt will follow.
        case gaveUp(String)
    }

    package internal(set) var state = State.offline
    /// Attempts since one succeeded for long enough.
    package internal(set) var attempts = 0
    /// Whether `stop` was sent and not answered.
    var isStopping = false
    /// Whether the next attempt only waits for that answer.
    var startsWhenStopped = false
    var mayRange = false
    /// Whether the user, or the app by itself, wants to range.
    var isWanted: Bool
    var hasLink = false
    /// The first and the last measurement of this attempt, in seconds.
    var measured: (first: Double, last: Double)?
    var configuration: [UInt8] = []
    var shareable: [UInt8] = []
    /// Configuration data that came before the app knew that it is subscribed.
    var early: [UInt8]?
    let asksFirst: Bool
    let policy: RetryPolicy
    let defects: [AppDefect]

    /// A handshake with an accessory that was not connected yet.
    package init(
        _ policy: RetryPolicy, startsByItself: Bool = true, asksFirst: Bool = true,
        defects: [AppDefect] = []
    ) {
        self.policy = policy
        self.asksFirst = asksFirst
        self.defects = defects
        isWanted = startsByItself
    }

    func has(_ defect: AppDefect) -> Bool { defects.contains(defect) }

    /// Takes an event at a moment, in seconds since whenever.
    package mutating func handle(_ event: Event, at now: Double) -> [Step] {
        if has(.disconnectsWhenSurprised), isSurprise(event) { return [.disconnect] }
        switch event {
        case .subscribed: return subscribed()
        case .lost(let why): return lost(why)
        case .switchedOff: return switchedOff()
        case .received(let message): return received(message)
        case .unreadable, .requestTimedOut: return unanswered()
        case .configurationRejected: return configurationRejected()
        case .retryDue: return retry()
        case .sessionClosed: return sessionClosed()
        case .start: return start()
        case .stop: return stop()
        case .shareable(let data): return generated(data)
        case .updated(let isMeasured):
            return updated(isMeasured: isMeasured, at: now)
        case .removed(let reason): return removed(reason)
        case .suspended: return suspended()
        case .suspensionEnded: return suspensionEnded()
        case .invalidated(let code): return invalidated(code)
        }
    }

    package static func == (left: Handshake, right: Handshake) -> Bool {
        left.state == right.state && left.attempts == right.attempts
            && left.isStopping == right.isStopping && left.mayRange == right.mayRange
    }
}

// Attempts.
extension Handshake {
    /// Makes an attempt, unless the bound is reached; after the answer to a `stop` that was sent.
    mutating func begin() -> [Step] {
        guard !isStopping else {
            startsWhenStopped = true
            state = .waiting
            return []
        }
        guard attempts < policy.attempts || has(.unboundedRetries) else {
            return giveUp("too many attempts")
        }
        attempts += 1
        measured = nil
        startsWhenStopped = false
        state = .initializing
        if asksFirst { return [.attempt(attempts), .send(.initialize)] }
        guard let early else { return [.attempt(attempts), .listen] }
        return [.attempt(attempts)] + configured(by: early)
    }

    /// Configuration data is there.
    mutating func configured(by data: [UInt8]) -> [Step] {
        (configuration, early) = (data, nil)
        state = .configuring
        return [.answered, .run(data)]
    }

    /// An attempt failed: tries again later, or not.
    mutating func fail(_ reason: String) -> [Step] {
        resetAfterRanging()
        if has(.unboundedRetries) { return repeatAtOnce() }
        guard attempts < policy.attempts else { return giveUp(reason) }
        state = .waiting
        return [.answered] + stopAccessory() + [.retry(after: policy.delay(after: attempts))]
    }

    /// What the vendor's app does: stop and initialize at once, one behind the other.
    mutating func repeatAtOnce() -> [Step] {
        let stop: [Step] = mayRange ? [.send(.stop)] : []
        isStopping = false
        mayRange = false
        attempts = min(attempts, policy.attempts - 1)
        return stop + begin()
    }

    mutating func giveUp(_ reason: String) -> [Step] {
        if has(.triesAfterGivingUp) {
            (attempts, state) = (0, .waiting)
            return [.answered] + stopAccessory()
                + [.gaveUp(reason), .retry(after: policy.longestDelay)]
        }
        state = .gaveUp
        startsWhenStopped = false
        return [.answered, .cancelRetry] + stopAccessory() + [.gaveUp(reason)]
    }

    /// Tells the accessory to stop where it may be ranging and was not told yet.
    mutating func stopAccessory() -> [Step] {
        guard mayRange, !isStopping, hasLink else { return [] }
        isStopping = true
        return [.send(.stop)]
    }

    /// Ranging for long enough makes up for what failed before.
    mutating func resetAfterRanging() {
        if let measured, measured.last - measured.first >= policy.resetAfter { attempts = 0 }
    }

    /// The attempt was interrupted, which is no failure.
    mutating func excuseAttempt() {
        resetAfterRanging()
        attempts = max(0, attempts - 1)
    }

    /// There is room for a session again; the pause between two attempts is kept.
    private mutating func sessionClosed() -> [Step] {
        guard state == .limited else { return [] }
        state = .waiting
        return [.retry(after: policy.delay(after: attempts))]
    }

    private mutating func retry() -> [Step] {
        switch state {
        case .waiting, .limited: begin()
        case .offline: [.connect]
        case .idle, .initializing, .configuring, .starting, .ranging, .suspended, .gaveUp: []
        }
    }
}

// What the user wants.
extension Handshake {
    private mutating func start() -> [Step] {
        if has(.ignoresStart) { return [] }
        isWanted = true
        switch state {
        case .idle, .gaveUp:
            attempts = 0
            guard hasLink else {
                state = .offline
                return [.connect]
            }
            return [.started] + begin()
        case .offline, .waiting, .limited, .initializing, .configuring, .starting, .ranging,
            .suspended:
            return []
        }
    }

    private mutating func stop() -> [Step] {
        let wasWanted = isWanted
        isWanted = false
        switch state {
        case .idle, .gaveUp: return []
        case .offline: return wasWanted ? [.stopped] : []
        case .initializing, .waiting, .limited, .configuring, .starting, .ranging, .suspended:
            state = .idle
            startsWhenStopped = false
            // The answer to a stop that was sent before is waited for all the same.
            let answered: [Step] = isStopping ? [] : [.answered]
            return answered + [.cancelRetry, .pause] + stopAccessory() + [.stopped]
        }
    }
}
