import AccessoryProtocol

// The link and the accessory's messages.
extension Handshake {
    mutating func subscribed() -> [Step] {
        hasLink = true
        isStopping = false
        mayRange = false
        guard state != .gaveUp else { return [] }
        if has(.keepsConfiguration), isWanted, !configuration.isEmpty {
            state = .configuring
            return [.started, .run(configuration)]
        }
        state = .idle
        return isWanted ? [.started] + begin() : []
    }

    /// The link is gone and the session with it.
    ///
    /// It is wanted again at once where the handshake was complete, and else, after a wait, until
    /// the bound.
    mutating func lost(_ why: String?) -> [Step] {
        let before = state
        var steps = end()
        if has(.abandonsLostLink) { return steps }
        switch before {
        case .gaveUp:
            state = .gaveUp
            return steps
        case .idle, .ranging, .suspended:
            // One that is suspended was excused when that began.
            if before == .ranging { excuseAttempt() }
            return steps + [.connect]
        case .offline: attempts += 1
        case .waiting, .limited, .initializing, .configuring, .starting: break
        }
        guard attempts < policy.attempts || has(.unboundedRetries) else {
            state = .gaveUp
            return steps + [.gaveUp("the link was lost" + (why.map { ": \($0)" } ?? ""))]
        }
        let delay = has(.unboundedRetries) ? 0 : policy.delay(after: attempts)
        steps.append(.retry(after: delay))
        return steps
    }

    /// Nothing can be done until Bluetooth is switched on, and nobody is to blame.
    mutating func switchedOff() -> [Step] {
        let isFinal = state == .gaveUp
        switch state {
        case .initializing, .configuring, .starting, .ranging: excuseAttempt()
        case .offline, .idle, .waiting, .limited, .suspended, .gaveUp: break
        }
        let steps = end()
        if isFinal { state = .gaveUp }
        return steps
    }

    private mutating func end() -> [Step] {
        state = .offline
        hasLink = false
        early = nil
        isStopping = false
        startsWhenStopped = false
        mayRange = false
        let isKept = has(.keepsSessionAfterDisconnect)
        return [.answered, .cancelRetry] + (isKept ? [] : [.invalidate])
    }

    mutating func received(_ message: Message) -> [Step] {
        switch message {
        case .accessoryConfigurationData(let data):
            if state == .initializing { return configured(by: data) }
            if !hasLink { early = data }
            return []
        case .accessoryUwbDidStart:
            guard state == .starting else { return [] }
            state = .ranging
            return [.answered]
        case .accessoryUwbDidStop: return didStop()
        case .iOSNotify, .getReserved, .setReserved: return []
        // These go the other way.
        case .initialize, .configureAndStart, .stop: return unanswered()
        }
    }

    /// Whether the accessory sent what the app does not wait for.
    func isSurprise(_ event: Event) -> Bool {
        switch event {
        case .unreadable: true
        case .received(.accessoryConfigurationData): state != .initializing
        case .received(.accessoryUwbDidStart): state != .starting
        case .received(.accessoryUwbDidStop): state != .starting && !isStopping
        case .received(.iOSNotify): state != .ranging
        default: false
        }
    }

    private mutating func didStop() -> [Step] {
        let disconnect: [Step] = has(.disconnectsOnDidStop) ? [.disconnect] : []
        guard !isStopping else { return [.answered] + stopEnded() + disconnect }
        switch state {
        case .starting:
            mayRange = false
            return [.pause] + fail("the accessory could not start") + disconnect
        case .ranging:
            mayRange = false
            guard measured != nil else {
                return [.pause] + fail("the accessory stopped at once") + disconnect
            }
            // The accessory ended it on purpose: nothing to repeat.
            state = .idle
            return [.pause, .stopped] + disconnect
        case .offline, .idle, .waiting, .limited, .initializing, .configuring, .suspended, .gaveUp:
            return disconnect
        }
    }

    /// The accessory has stopped, or cannot be asked to.
    private mutating func stopEnded() -> [Step] {
        isStopping = false
        mayRange = false
        return startsWhenStopped ? begin() : []
    }

    /// A request has no answer, or none that can be read: the attempt failed.
    mutating func unanswered() -> [Step] {
        if isStopping { return stopUnanswered() }
        switch state {
        case .initializing: return fail("initialize was not answered")
        case .starting: return [.pause] + fail("configureAndStart was not answered")
        case .offline, .idle, .waiting, .limited, .configuring, .ranging, .suspended, .gaveUp:
            return []
        }
    }

    private mutating func stopUnanswered() -> [Step] {
        isStopping = false
        mayRange = false
        switch state {
        case .waiting, .limited:
            attempts += 1
            guard attempts < policy.attempts else { return giveUp("stop was not answered") }
            return [.answered] + (startsWhenStopped ? begin() : [])
        case .offline, .idle, .initializing, .configuring, .starting, .ranging, .suspended, .gaveUp:
            return [.answered]
        }
    }
}
