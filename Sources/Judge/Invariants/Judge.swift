import Basics
package import DeviceLink
package import Monitors
import Promises
package import Scenarios
package import Traces

/// Judges one run, event by event: all promises, and what its topology expects.
///
/// Memory stays flat however long the run is. Where the run expects promises to be broken, it holds
/// only if each of them is; what breaks one may break others, so these do not count then.
package struct Judge: Sendable {
    /// Which promises observe a kind of events: found once for all runs, and for a device's own kind
    /// when it is first seen.
    private final class Interest: Sendable {
        let change: Scene.Change?
        /// Whether the run is over with them.
        let isEnd: Bool
        /// Whether it is a message that R4 does not know.
        let isOther: Bool
        let promises: [Int]
        /// For each book, who in it; nil where that is nobody.
        let books: [CompiledProperties.Interest?]

        init(
            change: Scene.Change?, isEnd: Bool, isOther: Bool, promises: [Int],
            books: [CompiledProperties.Interest?]
        ) {
            self.change = change
            self.isEnd = isEnd
            self.isOther = isOther
            self.promises = promises
            self.books = books
        }
    }

    /// What holds at the last event.
    package private(set) var scene = Scene()
    private var promises: [any Promise]
    /// The promises before the first event.
    private let untouched: [any Promise]
    /// The promises of the language: the library's, those of the topology itself, and last what is expected.
    private var books: [PropertyBook]
    private let expectations: [Expectation]
    private let mustViolate: [String]
    /// Promises whose violation is no failure: those, or where there are none those that a known defect may break.
    private let meantToBreak: [String]
    /// The same judge with more patience, once a device that goes by the wall clock is known to be behind; there is
    /// one at most.
    private var lenient: [Judge] = []
    /// How much longer than it says every bound is.
    private var slack = Nanoseconds.zero
    private var interests = KindTable<Interest>()
    /// Which of the promises observe each kind.
    private let observers: [EventKind: [Int]]
    /// No deadline lies before it.
    private var nextDeadline = VirtualTime.never
    private var now = VirtualTime.zero
    private var eventCount: UInt64 = 0
    private var ending: RunEnding?
    /// The ids of messages that R4 does not know, as they came.
    private var otherMessages: [UInt8] = []

    /// A judge of runs of `topology`, one after another, by the promises of a library beside those of
    /// the topology itself.
    package init(_ topology: Topology, library: CompiledProperties) {
        self.init(
            promises: HandwrittenPromises.monitors(
                answersWithin: topology.answerTimes,
                slowest: topology.devices.compactMap(\.answersWithin).max() ?? 0),
            properties: topology.properties.properties.isEmpty
                ? [library] : [library, CompiledProperties(topology.properties)],
            expectations: topology.expectations, mustViolate: topology.mustViolate,
            mayViolate: topology.sideEffects.map(\.promise),
            observers: HandwrittenPromises.observers)
    }

    /// A judge with these promises and expectations.
    package init(
        promises: [any Promise] = HandwrittenPromises.monitors(),
        properties: [CompiledProperties] = [],
        expectations: [Expectation] = [],
        mustViolate: [String] = [], mayViolate: [String] = [],
        observers: [EventKind: [Int]]? = nil
    ) {
        untouched = promises
        (self.promises, self.expectations) = (promises, expectations)
        self.observers = observers ?? HandwrittenPromises.observers(promises)
        let expected = CompiledProperties(
            PropertySet(properties: expectations.map(\.property)), kinds: [])
        books = (properties + [expected]).map(PropertyBook.init)
        self.mustViolate = mustViolate
        meantToBreak = mustViolate.isEmpty ? mayViolate : mustViolate
        for kind in EventKind.allCases { _ = learn(kind.rawValue, as: kind) }
        findNextDeadline()
    }

    /// Forgets what it has seen, for the next run of the topology; capacity is kept.
    package mutating func reset() {
        scene.reset()
        promises = untouched
        for index in books.indices { books[index].reset() }
        (now, eventCount, ending, otherMessages) = (.zero, 0, nil, [])
        lenient = []
        findNextDeadline()
    }

    /// Takes the next event.
    package mutating func observe(_ event: TraceEvent) {
        if event.kind == .runLag { loosen(by: event) }
        for index in lenient.indices { lenient[index].observe(event) }
        eventCount += 1
        now = event.time
        if nextDeadline < event.time { expire(before: event.time) }
        let interest = interests[event.name] ?? learn(event.name, as: event.kind)
        if let change = interest.change { scene.take(event, as: change) }
        for index in interest.promises {
            nextDeadline = min(nextDeadline, promises[index].take(event, in: scene))
        }
        for index in books.indices {
            guard let concerned = interest.books[index] else { continue }
            books[index].observe(event, for: concerned)
            nextDeadline = min(nextDeadline, books[index].nextDeadline)
        }
        if interest.isOther, let id = event.number("id").flatMap(UInt8.init(exactly:)) {
            if !otherMessages.contains(id) { otherMessages.append(id) }
        }
        if interest.isEnd {
            ending = event.text("reason").flatMap(RunEnding.init) ?? .finished
        }
    }

    /// Whether something still waits for a deadline; what was due before `moment`, until which
    /// nothing more happened, is decided first.
    package mutating func awaitsDeadline(at moment: VirtualTime = .zero) -> Bool {
        for index in lenient.indices where lenient[index].awaitsDeadline(at: moment) { return true }
        if nextDeadline < moment { expire(before: moment) }
        for index in books.indices where books[index].awaitsDeadline() { return true }
        return promises.contains { $0.nextDeadline != .never }
    }

    /// What is waited for at `moment`, until which nothing more happened: by deadline, then in the order
    /// of the catalogue.
    package func openObligations(at moment: VirtualTime) -> [OpenObligation] {
        // What was due before is decided in a copy: being looked at changes no run.
        var judge = self
        if judge.nextDeadline < moment { judge.expire(before: moment) }
        let all =
            judge.promises.flatMap(\.openObligations) + judge.books.flatMap(\.openObligations)
        return all.enumerated().sorted {
            ($0.element.deadline ?? .max, $0.offset) < ($1.element.deadline ?? .max, $1.offset)
        }.map(\.element)
    }

    /// The verdict, after the last event; `error` says why the run could not be judged, where a
    /// device or the harness failed.
    package mutating func verdict(error: String? = nil) -> Verdict {
        let strict = ownVerdict(error: error)
        guard !lenient.isEmpty else { return strict }
        var merged = strict.excused(by: lenient[0].ownVerdict(error: error))
        merged.unbroken = unbroken(merged.promises)
        merged.outcome = outcome(of: merged)
        return merged
    }

    private mutating func ownVerdict(error: String?) -> Verdict {
        let ending = self.ending ?? .abandoned
        let isWhole = ending != .abandoned && error == nil
        let expected = books[books.count - 1].findings(isFinal: isWhole)
        let found = books.indices.dropLast().flatMap {
            books[$0].findings(isFinal: ending == .quiescent)
        }
        if ending == .quiescent && error == nil { expire(before: .never) }
        let results =
            promises.map { result(of: $0) }
            + found.map { result(of: $0.property, $0.findings) }
        var verdict = Verdict(
            outcome: .held, error: error, end: now, eventCount: eventCount, promises: results,
            goals: books.flatMap(\.progress),
            expectations: zip(expectations, expected).map {
                Verdict.ExpectationResult($0, $1.findings)
            },
            unbroken: unbroken(results),
            otherMessages: otherMessages.sorted())
        verdict.outcome = outcome(of: verdict)
        return verdict
    }

    /// What is meant to be broken and was not, in sentences.
    private func unbroken(_ results: [Verdict.PromiseResult]) -> [String] {
        mustViolate.compactMap { id in
            let result = results.first { $0.about.id == id }
            return result.map { unbrokenSentence($0) } ?? "There is no promise named \(id)."
        }
    }

    private func unbrokenSentence(_ result: Verdict.PromiseResult) -> String? {
        guard result.outcome != .violated else { return nil }
        return "The topology expects \(result.about.id) to be broken, and it was "
            + "\(result.outcome.rawValue)."
    }

    private func outcome(of verdict: Verdict) -> Outcome? {
        if verdict.error != nil { return nil }
        let others = verdict.promises.filter { !$0.isMeantToBreak }
        // What is meant to break one promise may break others, and leave some undecided.
        let isBroken = mustViolate.isEmpty && others.contains { $0.outcome == .violated }
        if !verdict.unbroken.isEmpty || isBroken
            || verdict.expectations.contains(where: { $0.outcome == .violated })
        {
            return .violated
        }
        let isOpen = mustViolate.isEmpty && others.contains { $0.outcome == .inconclusive }
        return isOpen || verdict.expectations.contains { $0.outcome == .inconclusive }
            ? .inconclusive : .held
    }

    private func result(of promise: any Promise) -> Verdict.PromiseResult {
        let about = type(of: promise).about
        let outcome = Outcome(
            broken: promise.record.violationCount, open: promise.openCount,
            exercised: promise.record.exercised)
        return Verdict.PromiseResult(
            about: about, outcome: outcome, isMeantToBreak: meantToBreak.contains(about.id),
            record: promise.record, closestCall: nil, undecided: promise.openCount,
            bounds: promise.bounds)
    }

    private func result(
        of property: Property, _ findings: Findings
    ) -> Verdict.PromiseResult {
        Verdict.PromiseResult(
            about: property.about, outcome: findings.verdict,
            isMeantToBreak: meantToBreak.contains(property.id),
            record: findings.record(of: property), closestCall: findings.closestCall,
            undecided: findings.open, bounds: [])
    }

    private mutating func learn(_ name: String, as kind: EventKind?) -> Interest {
        let interest = Interest(
            change: kind.flatMap(Scene.change), isEnd: kind == .runEnded,
            isOther: kind == .msgOtherSent,
            promises: kind.flatMap { observers[$0] } ?? [],
            books: books.indices.map { books[$0].interest(in: name) })
        interests.insert(interest, for: name)
        return interest
    }

    /// From now on there is a judge beside this one whose bounds are longer by what devices are behind.
    ///
    /// What they do is noted late by that much at most: a bound that only the longer judge finds kept is undecided.
    private mutating func loosen(by event: TraceEvent) {
        guard slack == 0, let lag = event.number("longest").flatMap(Nanoseconds.init(exactly:))
        else { return }
        if lenient.isEmpty { lenient = [self] }
        lenient[0].slack = max(lenient[0].slack, lag)
        lenient[0].scene.slack = lenient[0].slack
        for index in books.indices { lenient[0].books[index].slack = lenient[0].slack }
    }

    private mutating func expire(before now: VirtualTime) {
        let moment = now - slack
        for index in promises.indices where promises[index].nextDeadline < moment {
            promises[index].expire(before: moment, in: scene)
        }
        for index in books.indices { books[index].expire(before: now) }
        findNextDeadline()
    }

    private mutating func findNextDeadline() {
        nextDeadline = min(
            promises.reduce(.never) { min($0, $1.nextDeadline) },
            books.reduce(.never) { min($0, $1.nextDeadline) })
    }
}

extension Promise {
    /// Takes an event; returns its first deadline.
    fileprivate mutating func take(_ event: TraceEvent, in scene: Scene) -> VirtualTime {
        observe(event, in: scene)
        return nextDeadline
    }
}

extension Topology {
    /// As many messages may wait before one: a request and a stop on each of five links.
    private static let queued: UInt64 = 10

    /// How long each accessory may take over an answer: as its topology says, else as its profile's firmware does.
    fileprivate var answerTimes: SmallMap<String, Nanoseconds> {
        devices.reduce(into: [:]) { times, device in
            if let time = device.answersWithin {
                // And a second for what waits in hosts.
                times[device.name] = time + .seconds(1)
            } else if case .accessory = device.program {
                let handling = device.parameters.filter {
                    $0.name == "handling-time" || $0.name == "handling-slack"
                }.compactMap { Nanoseconds($0.value) }.reduce(VirtualTime.zero) { $0 + $1 }
                times[device.name] =
                    (VirtualTime(nanoseconds: RequestAnswered.firmware)
                    + handling.nanoseconds.times(Self.queued)).nanoseconds
            }
        }
    }
}
