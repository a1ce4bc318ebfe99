import AccessoryProtocol
import NearbyInteraction

// The session's callbacks.
extension Handshake {
    mutating func configurationRejected() -> [Step] {
        state == .configuring ? fail("the configuration data is malformed") : []
    }

    /// The accessory gets the data without delay (R4 3.5.1).
    mutating func generated(_ data: [UInt8]) -> [Step] {
        // Whose data it is, the defect does not ask.
        let isOwn = state == .configuring || has(.singleConfiguration)
        guard isOwn, hasLink else { return [] }
        shareable = data
        mayRange = true
        state = .starting
        if has(.keepsShareableData) { return [] }
        return [.send(.configureAndStart(data))]
    }

    /// What is measured has started, whether or not the accessory says so, which R4 does not ask of it.
    mutating func updated(isMeasured: Bool, at now: Double) -> [Step] {
        guard isMeasured else { return [] }
        measured = (measured?.first ?? now, now)
        guard state == .starting else { return [] }
        state = .ranging
        return [.answered]
    }

    mutating func removed(_ reason: NINearbyObject.RemovalReason) -> [Step] {
        if has(.ignoresRemoval) { return [] }
        switch state {
        case .configuring, .starting, .ranging:
            guard reason == .timeout || has(.retriesWhenEnded) else {
                state = .idle
                mayRange = false
                return [.answered, .stopped]
            }
            return fail("the accessory was removed by timeout")
        case .offline, .idle, .waiting, .limited, .initializing, .suspended, .gaveUp: return []
        }
    }

    mutating func suspended() -> [Step] {
        if has(.runsWhileSuspended), state == .ranging {
            state = .configuring
            return [.run(configuration)]
        }
        let steps: [Step]
        switch state {
        // Also while the next configuration data is on its way: a suspended session must not be run.
        case .initializing, .configuring, .starting, .ranging:
            excuseAttempt()
            steps = [.answered]
        // Nor when the wait is over; but that attempt had failed already.
        case .waiting:
            startsWhenStopped = false
            steps = [.cancelRetry]
        case .offline, .idle, .limited, .suspended, .gaveUp: return []
        }
        state = .suspended
        return steps + (has(.rangesThroughSuspension) ? [] : stopAccessory())
    }

    /// The session does not go on by itself: a new one begins, with new configuration data.
    mutating func suspensionEnded() -> [Step] {
        guard state == .suspended, !has(.ignoresSuspensionEnded) else { return [] }
        if has(.resumesOldConfiguration) {
            state = .configuring
            return [.run(configuration)]
        }
        let stop = has(.rangesThroughSuspension) ? [] : stopAccessory()
        return stop + begin()
    }

    mutating func invalidated(_ code: NIError.Code) -> [Step] {
        switch state {
        // Nobody waits for this session: the next attempt gets a new one.
        case .offline, .idle, .gaveUp: return [.renew]
        case .waiting, .limited, .initializing, .configuring, .starting, .ranging, .suspended:
            break
        }
        let leftover = writeAfterInvalidation()
        if code == .userDidNotAllow, has(.retriesWhenDenied) {
            return [.answered, .renew] + repeatAtOnce()
        }
        if code.isFinal { return leftover + giveUp(code.name) }
        guard code.isLimit, !has(.unboundedRetries) else {
            return leftover + [.renew] + fail(code.name)
        }
        guard attempts < policy.attempts else { return leftover + giveUp(code.name) }
        state = .limited
        return leftover + [.answered, .renew] + stopAccessory()
            + [.retry(after: policy.longestDelay)]
    }

    /// What belongs to a dead session is never sent, but with the defect.
    private func writeAfterInvalidation() -> [Step] {
        guard has(.writesAfterInvalidation), hasLink, !shareable.isEmpty else { return [] }
        return [.send(.configureAndStart(shareable))]
    }
}
