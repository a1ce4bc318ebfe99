import Choices
import DeviceLink
import Orchestration
import Simulation

/// What it takes to say that two events race.
///
/// That a run holds where one event waits for another proves little: it may have waited long enough for anything
/// that happens in between. So the event is put behind one of those after the other, until the outcome changes; it is
/// played before and behind that one at the same time, so that nothing but the order of the two is different; and it
/// is held against their neighbours, where the order must not matter. What is moved in time, or takes longer, is
/// halved instead, until one nanosecond decides.
extension Explainer {
    /// Nil where a swap that passes does not prove which two events race.
    mutating func prove(_ swap: Swap, passingIn passing: Study) throws -> Proven? {
        switch swap.ground {
        case .waiting(let event):
            return event == swap.first
                ? try proveFirst(event, passingIn: passing)
                : try proveSecond(event, passingIn: passing)
                    ?? proveDelay(of: event, passingIn: passing)
        case .moving(let crossing): return try prove(crossing)
        }
    }

    /// The first one of a swap is put behind what comes next, up to the second one.
    private mutating func proveFirst(_ event: EventID, passingIn passing: Study) throws -> Proven? {
        guard let own = words.step(of: event) else { return nil }
        let others = passing.overtakers(of: event).filter { other in
            words.step(of: other).map { $0 > own } ?? true
        }
        return try proveFirst(event, behind: others, of: itself)
    }

    private mutating func proveFirst(
        _ event: EventID, behind others: [EventID], of breaking: Sibling
    ) throws -> Proven? {
        var line = Line(event: event, others: others, base: breaking)
        line.known[-1] = .fails
        guard let place = try boundary(in: &line, toHolding: true) else { return nil }
        return try proven(line, at: place, first: event, second: others[place])
    }

    /// The second one of a swap need not wait any more for what it waited for.
    private mutating func proveSecond(_ event: EventID, passingIn passing: Study) throws -> Proven?
    {
        let others = failing.overtakers(of: event)
        var base = itself
        base.schedule.afters.removeAll { $0.event == event }
        var line = Line(event: event, others: others, base: base)
        line.known[-1] = .holds
        guard let place = try boundary(in: &line, toHolding: false) else { return nil }
        return try proven(line, at: place, first: others[place], second: event)
    }

    /// What waits need not wait for that one event: how long it takes is halved between the run that breaks and the one
    /// that holds.
    private mutating func proveDelay(of event: EventID, passingIn passing: Study) throws -> Proven?
    {
        guard let breaks = failing.delay(of: event), let holds = passing.delay(of: event),
            breaks != holds
        else { return nil }
        let what = "a delay of \(words.words(event))"
        return try prove(halving: what, from: breaks, to: holds) { explainer, time in
            var sibling = explainer.itself
            sibling.schedule.afters.removeAll { $0.event == event }
            sibling.schedule.delay(event, by: time)
            return sibling
        }
    }

    /// The time that a decision decides is halved between its own and none at all.
    mutating func prove(_ decision: RecordedDecision) throws -> Proven? {
        guard decision.isTime else { return nil }
        let what = "\"\(decision.identity)\""
        return try prove(halving: what, from: decision.value, to: 0) { explainer, time in
            var sibling = explainer.itself
            sibling.schedule.decisions = sibling.schedule.decisions.map {
                $0 == decision ? RecordedDecision(identity: $0.identity, value: time) : $0
            }
            return sibling
        }
    }

    private mutating func proven(
        _ line: Line, at place: Int, first: EventID, second: EventID, isLast: Bool = false
    ) throws -> Proven? {
        var line = line
        guard let (ahead, outcome) = try inOldOrder(line, at: place) else { return nil }
        guard isOld(outcome, of: line, at: place) else {
            // What waited was in time, but not what comes of it: that races with the one in question.
            switch outcome {
            case .fails where second == line.event && !isLast:
                let others = ahead.words.atOnce(behind: first)
                return try proveFirst(first, behind: others, of: ahead.sibling)
            case .holds where first == line.event && !isLast:
                return try proveEffect(of: first, before: second, in: ahead)
            default: return nil
            }
        }
        guard let neighbours = try neighbours(of: place, in: &line) else { return nil }
        let behind = try played(line.sibling(place))
        let (breaking, passing) = first == line.event ? (ahead, behind) : (behind, ahead)
        let outcomes = [outcome, line.known[place], line.known[place - 1]]
        let otherwise = outcomes.lazy.compactMap { $0?.other }.first
        let isUnasked = outcomes.contains(.unasked) ? true : nil
        return Proven(
            first: first, second: second,
            proof: Explanation.Proof(
                movesFirst: first == line.event, otherwise: otherwise, isUnasked: isUnasked,
                neighbours: neighbours),
            breaking: otherwise == nil && isUnasked == nil
                ? breaking : Played(sibling: itself, words: words),
            passing: passing)
    }

    /// What comes of an event at once is first where it fails.
    private mutating func proveEffect(
        of event: EventID, before second: EventID, in ahead: Played
    ) throws -> Proven? {
        let others = ahead.words.atOnce(behind: event, becauseOfIt: true)
        var line = Line(event: second, others: others, base: ahead.sibling)
        line.known[-1] = .holds
        guard let place = try boundary(in: &line, toHolding: false) else { return nil }
        return try proven(line, at: place, first: others[place], second: second, isLast: true)
    }

    // MARK: One moment, or one delay

    /// A time is halved between that where it breaks and that where it holds, until they are one nanosecond apart: what
    /// comes in another order then is the race, for nothing else is different.
    ///
    /// Where that nanosecond costs more, as when a message misses its connection event, it is the first order that is
    /// another one where the failure shows, in the trace or else in what reaches the device. Nil where none is, because
    /// it is a matter of time and not of order.
    mutating func prove(
        halving what: String, from breaks: UInt64, to holds: UInt64,
        _ sibling: (Explainer, UInt64) -> Sibling
    ) throws -> Proven? {
        var (breaks, holds) = (breaks, holds)
        func outcome(at time: UInt64) throws -> Outcome {
            var sibling = sibling(self, time)
            return try self.outcome(of: &sibling)
        }
        guard try outcome(at: breaks) == .fails, try outcome(at: holds) == .holds else {
            return nil
        }
        while max(breaks, holds) - min(breaks, holds) > 1 {
            let middle = min(breaks, holds) + (max(breaks, holds) - min(breaks, holds)) / 2
            switch try outcome(at: middle) {
            case .holds: holds = middle
            case .fails: breaks = middle
            case .otherwise, .unasked, .undecided: return nil
            }
        }
        let here = try played(sibling(self, breaks))
        let there = try played(sibling(self, holds))
        let effect = here.words.effect(notIn: there.words)
        guard
            let (first, second) = here.words.firstTurnedRound(in: there.words)
                ?? effect.map({ ($0.first.id, $0.second.id) })
                ?? here.words.firstTurnedRoundWhereItShows(in: there.words)
        else { return nil }
        return Proven(
            first: first, second: second,
            proof: Explanation.Proof(
                movesFirst: false, otherwise: nil, neighbours: [],
                moved: Explanation.Moved(what: what, breaks: breaks, holds: holds)),
            breaking: here, passing: there)
    }

    // MARK: An event behind one other after another

    /// An event, and those behind which it can be put, in the order in which they happen.
    struct Line {
        let event: EventID
        let others: [EventID]
        /// Where it waits for none of them.
        let base: Sibling
        /// What became of it behind which of them, -1 for none; looked up only.
        var known: [Int: Outcome] = [:]

        /// The event behind the one at a place, as soon as that has happened.
        func sibling(_ place: Int) -> Sibling { place < 0 ? base : sibling(behind: others[place]) }

        /// The event behind another one, as soon as that has happened.
        func sibling(behind other: EventID) -> Sibling {
            var sibling = base
            sibling.schedule.afters.removeAll { $0.event == event }
            sibling.schedule.afters.append(After(event: event, after: other))
            sibling.schedule.delay(event, by: 0)
            return sibling
        }
    }

    private mutating func outcome(at place: Int, in line: inout Line) throws -> Outcome {
        if let known = line.known[place] { return known }
        var sibling = line.sibling(place)
        let outcome = try outcome(of: &sibling)
        line.known[place] = outcome
        return outcome
    }

    /// The first place at which it holds, where it has failed in some way before it, or the other way round; nil where the
    /// last place is not so.
    private mutating func boundary(in line: inout Line, toHolding: Bool) throws -> Int? {
        var (open, closed) = (-1, line.others.count - 1)
        guard closed >= 0, try isThere(closed, in: &line, holding: toHolding) else { return nil }
        while closed - open > 1 {
            let middle = (open + closed) / 2
            if try isThere(middle, in: &line, holding: toHolding) {
                closed = middle
            } else {
                open = middle
            }
        }
        let before = try outcome(at: open, in: &line)
        return (toHolding ? before.isFailure : before == .holds) ? closed : nil
    }

    private mutating func isThere(
        _ place: Int, in line: inout Line, holding: Bool
    ) throws -> Bool {
        let outcome = try outcome(at: place, in: &line)
        return holding ? outcome == .holds : outcome.isFailure
    }

    /// The run in which both happen at the time of the other one, but in their old sequence, and what becomes of it.
    ///
    /// The event that is waited for takes no time: nothing happens after the latest moment of an event that waits. The
    /// other one may never happen where this one is first, which then prevents it.
    private mutating func inOldOrder(_ line: Line, at place: Int) throws -> (Played, Outcome)? {
        let other = line.others[place]
        let two = try played(line.sibling(place)).words
        // No delay is longer than what else is pending can wait, so it waits for whatever comes last before the other one.
        guard let step = two.step(of: other), step > 0, let last = two.event(at: step - 1) else {
            return nil
        }
        let before = line.sibling(behind: last)
        let one = try played(before).words
        guard let own = one.step(of: line.event), one.study.picks.indices.contains(own) else {
            return nil
        }
        let time = two.study.steps[step].time
        let change = Int64(time.nanoseconds) - Int64(one.study.steps[own].time.nanoseconds)
        guard let delay = UInt64(exactly: Int64(one.study.picks[own].delay) + change) else {
            return nil
        }
        var sibling = before
        sibling.schedule.delay(other, by: 0)
        sibling.schedule.delay(line.event, by: delay)
        var ahead = try played(sibling)
        if !ahead.words.isAhead(line.event, of: other, at: time) {
            // At one time a step of the script comes first.
            sibling.schedule.afters.append(After(event: other, after: line.event))
            ahead = try played(sibling)
        }
        guard ahead.words.isAhead(line.event, of: other, at: time) else { return nil }
        return (ahead, try outcome(of: &sibling))
    }

    /// Whether an outcome is that of a place before, so that the sequence matters and not the time.
    private func isOld(_ outcome: Outcome, of line: Line, at place: Int) -> Bool {
        line.known[place - 1] == .holds ? outcome == .holds : outcome.isFailure
    }

    /// The neighbours of a boundary on whose either side the event makes no difference; nil where it does.
    private mutating func neighbours(
        of place: Int, in line: inout Line
    ) throws -> [Explanation.Moment]? {
        var found: [Explanation.Moment] = []
        for other in [place - 1, place + 1] where line.others.indices.contains(other) {
            let before = try outcome(at: other - 1, in: &line)
            let behind = try outcome(at: other, in: &line)
            guard before.isFailure == behind.isFailure else { return nil }
            found.append(words.moment(line.others[other]))
        }
        return found
    }
}

extension EventWords {
    /// What happens behind an event at the same moment, and not because of it, or only what does because of it.
    fileprivate func atOnce(behind event: EventID, becauseOfIt: Bool = false) -> [EventID] {
        guard let own = step(of: event) else { return [] }
        let time = study.steps[own].time
        return study.steps.indices.dropFirst(own + 1).prefix { study.steps[$0].time == time }
            .filter { comes($0, of: own...own) == becauseOfIt }.compactMap { self.event(at: $0) }
    }

    /// Whether an event happens at a moment, and another one behind it at the same moment, or never.
    fileprivate func isAhead(
        _ event: EventID, of other: EventID, at time: VirtualTime
    ) -> Bool {
        guard let own = step(of: event), study.steps[own].time == time else { return false }
        return step(of: other).map { own < $0 && study.steps[$0].time == time } ?? true
    }
}

extension Study {
    /// How much later than it could an event happens, in nanoseconds; nil where it does not.
    fileprivate func delay(of event: EventID) -> UInt64? {
        picks.first { $0.event == event }?.delay
    }
}

extension Schedule {
    /// An event happens so much later than it could, in nanoseconds, whatever was decided of that.
    fileprivate mutating func delay(_ event: EventID, by time: UInt64) {
        let identity = "\(event.text) delay"
        decisions.removeAll { $0.identity == identity }
        guard time > 0 else { return }
        decisions.append(RecordedDecision(identity: identity, value: time))
    }
}
