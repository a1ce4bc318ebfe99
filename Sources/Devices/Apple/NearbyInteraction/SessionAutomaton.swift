package import DeviceKit

/// The life of one NISession as a pure value: what happens goes in, what is to be done comes out.
///
/// Apple's documents give the states; what they leave open is in the parameters.
package struct SessionAutomaton: Equatable, Sendable {
    /// Where a session is in its life.
    package enum State: Equatable, Sendable {
        /// It was never run.
        case idle
        /// It was run and there is no outcome yet.
        case pending(Stage, wasRunning: Bool)
        /// It runs; `isMeasured` from the first measurement on.
        case running(isMeasured: Bool)
        case suspended
        /// The suspension ended; the app may run it again.
        case suspendEnded
        /// Its object was removed; the app may run it again.
        case removed
        case paused
        /// It ended for good.
        case invalid
    }

    /// What a pending session waits for.
    package enum Stage: Equatable, Sendable {
        /// The system's checks, the user's permission among them.
        case clearance
        /// The system's resources.
        case resources
        case radio
    }

    package enum Event: Equatable, Sendable {
        case run
        case pause
        case invalidate
        /// All checks passed.
        case cleared
        case resourcesReady
        /// The radio started (0) or refused (any other status).
        case radio(status: UInt8)
        case round(UWBMeasurement?)
        /// Nothing was measured for too long.
        case silence
        /// The accessory said that it ended.
        case peerEnded
        /// The accessory's Nearby Interaction Service holds other data.
        case mismatch
        /// The session is suspended; `isSystem` where the system wants it, else because the app left the
        /// foreground.
        case suspend(isSystem: Bool)
        /// Nothing suspends it any more.
        case suspensionEnded
        /// The accessory cannot be had.
        case unavailable
        case fail(NIError.Code)
    }

    package enum Action: Equatable, Sendable {
        /// Make the system's checks.
        case check
        /// Get the resources, which takes a while.
        case prepare
        case startRadio
        /// Stop the radio, and forget the timers of a run.
        case stop
        /// Watch for silence: the window for the first measurement begins.
        case awaitFirst
        /// Watch for silence: from now on since the last measurement.
        case awaitNext
        case call(Callback)
    }

    package enum Callback: Equatable, Sendable {
        case didStartRunning
        case didGenerate
        /// `didUpdate`; nil is a miss.
        case didUpdate(UWBMeasurement?)
        /// `didUpdateAlgorithmConvergence`, which the camera brings about and no event of the automaton.
        case didUpdateConvergence(NIAlgorithmConvergenceStatus)
        case didRemove(NINearbyObject.RemovalReason)
        case wasSuspended
        case suspensionEnded
        case didInvalidate(NIError.Code)
    }

    package private(set) var state = State.idle
    private let parameters: NearbyInteractionParameters

    /// A session that was never run.
    package init(_ parameters: NearbyInteractionParameters) { self.parameters = parameters }

    /// Takes an event; what does not concern the state changes nothing.
    package mutating func handle(_ event: Event) -> [Action] {
        if state == .invalid { return [] }
        switch event {
        case .run: return run()
        case .pause: return pause()
        case .invalidate: return invalidate()
        case .fail(let code): return fail(code)
        case .cleared: return advance(from: .clearance, to: .resources, doing: .prepare)
        case .resourcesReady: return advance(from: .resources, to: .radio, doing: .startRadio)
        case .radio(let status): return radioAnswered(status: status)
        case .round(let measurement): return round(measurement)
        case .silence: return remove(.timeout)
        case .peerEnded: return remove(.peerEnded)
        case .mismatch: return mismatch()
        case .unavailable: return removeAtStart()
        case .suspend(let isSystem): return suspend(isSystem: isSystem)
        case .suspensionEnded: return endSuspension()
        }
    }
}

// The app's calls.
extension SessionAutomaton {
    private mutating func run() -> [Action] {
        switch state {
        case .invalid: return []
        // Not valid, says the documentation; the outcome is that it is suspended.
        case .suspended: return [.call(.wasSuspended)]
        case .idle, .suspendEnded, .removed, .paused:
            state = .pending(.clearance, wasRunning: false)
            return [.check]
        case .pending(_, let wasRunning):
            state = .pending(.clearance, wasRunning: wasRunning)
            return [.stop, .check]
        case .running:
            state = .pending(.clearance, wasRunning: true)
            return [.stop, .check]
        }
    }

    private mutating func pause() -> [Action] {
        switch state {
        case .idle, .paused, .invalid: return []
        case .pending, .running, .suspended, .suspendEnded, .removed:
            state = .paused
            return [.stop]
        }
    }

    private mutating func invalidate() -> [Action] {
        state = .invalid
        guard parameters.ownInvalidate == .callsBack else { return [.stop] }
        return [.stop, .call(.didInvalidate(.sessionFailed))]
    }
}

// The way to running.
extension SessionAutomaton {
    private mutating func advance(
        from stage: Stage, to next: Stage, doing action: Action
    ) -> [Action] {
        guard case .pending(stage, let wasRunning) = state else { return [] }
        state = .pending(next, wasRunning: wasRunning)
        return [action]
    }

    private mutating func radioAnswered(status: UInt8) -> [Action] {
        guard case .pending(.radio, let wasRunning) = state else { return [] }
        guard status == 0 else { return refuse() }
        state = .running(isMeasured: false)
        return start(wasRunning: wasRunning)
    }

    private func start(wasRunning: Bool) -> [Action] {
        let isSilent = wasRunning && parameters.rerunStart == .once
        var started: [Action] = isSilent ? [] : [.call(.didStartRunning)]
        if parameters.has(.secondOutcome) { started += started }
        let early: [Action] =
            parameters.has(.updateBeforeShareableData) ? [.call(.didUpdate(nil))] : []
        let again = parameters.has(.sharesTwice) ? [Action.call(.didGenerate)] : []
        let shareable = early + [Action.call(.didGenerate)] + again + [.awaitFirst]
        return parameters.startOrder == .startedFirst ? started + shareable : shareable + started
    }

    private mutating func refuse() -> [Action] {
        if parameters.has(.silentRefusal) {
            state = .removed
            return [.stop]
        }
        guard parameters.radioRefusal == .removed else { return fail(.sessionFailed) }
        return removeAtStart()
    }

    private mutating func removeAtStart() -> [Action] {
        guard case .pending = state else { return [] }
        state = .removed
        return [.stop, .call(.didRemove(.timeout))]
    }
}

// What happens to a running session.
extension SessionAutomaton {
    private mutating func round(_ measurement: UWBMeasurement?) -> [Action] {
        switch state {
        case .running(isMeasured: false):
            guard measurement != nil else { return [] }
            state = .running(isMeasured: true)
            return [.awaitNext, .call(.didUpdate(measurement))]
        case .running(isMeasured: true):
            guard measurement == nil, parameters.has(.zeroForMiss) else {
                return [.call(.didUpdate(measurement))]
            }
            let zero = UWBMeasurement(
                distance: 0, azimuth: nil, elevation: nil, isLineOfSight: false)
            return [.call(.didUpdate(zero))]
        case .suspended:
            return parameters.has(.updateWhileSuspended) ? [.call(.didUpdate(measurement))] : []
        case .idle, .pending, .suspendEnded, .removed, .paused, .invalid: return []
        }
    }

    private mutating func remove(_ reason: NINearbyObject.RemovalReason) -> [Action] {
        guard case .running = state else { return [] }
        if parameters.has(.updatesAfterRemoval) { return [.call(.didRemove(reason))] }
        state = .removed
        return [.stop, .call(.didRemove(reason))]
    }

    private mutating func mismatch() -> [Action] {
        guard case .running = state, parameters.configurationMismatch == .invalidated else {
            return remove(.timeout)
        }
        return fail(.invalidConfiguration)
    }

    private mutating func suspend(isSystem: Bool) -> [Action] {
        switch state {
        case .pending, .running:
            state = .suspended
            let rangesOn = parameters.has(.updateWhileSuspended)
            return (rangesOn ? [] : [.stop]) + [.call(.wasSuspended)]
        case .suspendEnded where isSystem:
            state = .suspended
            return [.call(.wasSuspended)]
        // Leaving the foreground calls back only where there is something to suspend.
        case .suspendEnded, .idle, .suspended, .removed, .paused, .invalid: return []
        }
    }

    private mutating func endSuspension() -> [Action] {
        guard state == .suspended else { return [] }
        state = .suspendEnded
        let started: [Action] = parameters.has(.resumesByItself) ? [.call(.didStartRunning)] : []
        return [.call(.suspensionEnded)] + started
    }

    private mutating func fail(_ code: NIError.Code) -> [Action] {
        var actions: [Action] = [.stop, .call(.didInvalidate(code))]
        if case .running = state, parameters.has(.callbackAfterInvalidation) {
            actions.append(.call(.didRemove(.timeout)))
        }
        state = .invalid
        return actions
    }
}
