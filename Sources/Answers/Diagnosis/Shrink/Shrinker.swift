package import Choices
import Foundation

/// Makes a failing scenario smaller as long as it fails in the same way.
///
/// Whole parts of the topology go first, the biggest before the others; then what differs from the plain
/// schedule, many at a time and fewer and fewer (delta debugging; Zeller, Hildebrandt 2002); then what is
/// left is said more plainly; to a fixed point.
package final class Shrinker {
    /// When to stop, although it may become smaller yet.
    package struct Budget {
        package var replays: Int
        /// The most seconds, by the wall clock.
        package var seconds = 60.0
        /// Whether the user has interrupted.
        package var isStopped: () -> Bool = { false }
        /// Hears how many candidates were played, and how many lines the smallest scenario has.
        var onReplay: (_ replays: Int, _ lines: () -> Int) -> Void = { _, _ in }

        package init(replays: Int = 2_000) { self.replays = replays }
    }

    package private(set) var scenario: Scenario
    /// What it was before, the largest first.
    private var earlier: [Scenario] = []
    /// How often a candidate was played.
    package private(set) var replays = 0
    /// Whether the budget was enough for the fixed point.
    private(set) var isMinimal = false
    /// The fingerprint that every smaller scenario has to have.
    package let fingerprint: String
    /// How far the failing run came, at least.
    private let progress: Int
    private let play: (Scenario) throws -> Outcome?
    /// Whether a scenario holds in other orders, as what is shrunk does.
    private let races: (Scenario) throws -> Bool
    /// Events that overtake the one that waits for another, up to that one, in the run of a scenario.
    package let overtakers: (Scenario, After) throws -> [EventID]
    /// The smallest scenario that failed in this way in many more orders, and was refused for that.
    package private(set) var raceless: Scenario?
    private let budget: Budget
    private let clock = ContinuousClock()
    private let begin: ContinuousClock.Instant
    /// Scenarios that were tried, and whether they fail; one with very many decisions is not kept, because it
    /// takes much memory.
    private var known: [Scenario: Bool] = [:]
    private static let mostKept = 2_000

    package struct Outcome {
        package let fingerprint: String?
        /// What of its schedule made no difference.
        let idle: Schedule
        /// How far it came, where that matters.
        var progress = 0
    }

    /// A shrinker of what fails with `fingerprint`, having come so far; `play` plays a scenario, and gives nil
    /// where it is none that can be played.
    package init(
        _ scenario: Scenario, fingerprint: String, progress: Int = 0, budget: Budget = Budget(),
        races: @escaping (Scenario) throws -> Bool = { _ in true },
        overtakers: @escaping (Scenario, After) throws -> [EventID] = { _, _ in [] },
        play: @escaping (Scenario) throws -> Outcome?
    ) {
        self.scenario = scenario
        self.fingerprint = fingerprint
        self.progress = progress
        self.budget = budget
        (self.races, self.overtakers) = (races, overtakers)
        self.play = play
        begin = clock.now
    }

    /// Shrinks to a fixed point, or as far as the budget goes.
    package func shrink() throws {
        while !isExhausted {
            let before = scenario
            try makePlain()
            try cutLength()
            try dropPurposes()
            try makePlain()
            try dropSteps()
            try makePlain()
            try dropParts()
            try dropSchedule()
            try nameOvertakers()
            try weakenFaults()
            try simplifyValues()
            guard scenario == before else { continue }
            isMinimal = !isExhausted
            return
        }
    }

    /// The wall-clock time that it has taken, in seconds.
    package var seconds: Double { (clock.now - begin) / .seconds(1) }

    package var isExhausted: Bool {
        replays >= budget.replays || seconds >= budget.seconds || isStopped
    }

    /// Whether the user has interrupted: what was played last may have been cut off.
    var isStopped: Bool { budget.isStopped() }

    /// Takes a candidate over if it fails in the same way.
    func accept(_ candidate: Scenario) throws -> Bool {
        guard candidate != scenario, !isExhausted, known[candidate] != false else {
            return false
        }
        guard let outcome = try failure(of: candidate) else { return false }
        earlier.append(scenario)
        scenario = candidate
        scenario.schedule.subtract(outcome.idle)
        return true
    }

    /// Goes back to the smallest scenario of which something is true that was true of the first one.
    func goBack(untilTrue isTrue: (Scenario) throws -> Bool) throws {
        guard try !isTrue(scenario), let first = earlier.first, try isTrue(first) else { return }
        var (found, lost) = (0, earlier.count)
        while lost - found > 1 {
            let middle = (found + lost) / 2
            if try isTrue(earlier[middle]) { found = middle } else { lost = middle }
        }
        scenario = earlier[found]
    }

    /// The same with another text.
    func accept(text: String) throws -> Bool { try accept(scenario.with(text)) }

    /// Whether a candidate fails in the same way, whatever the budget says.
    func fails(_ candidate: Scenario) throws -> Bool {
        if let known = known[candidate] { return known }
        return try failure(of: candidate) != nil
    }

    /// The outcome of a candidate that fails in the same way, as far on, and in as few orders; nil for any
    /// other.
    private func failure(of candidate: Scenario) throws -> Outcome? {
        var outcome = try play(candidate)
        if outcome != nil {
            replays += 1
            budget.onReplay(replays) { scenario.size.lines }
        }
        if let played = outcome, played.fingerprint != fingerprint || played.progress < progress {
            outcome = nil
        }
        if outcome != nil, try !races(candidate) {
            outcome = nil
            if raceless.map({ candidate.size.lines < $0.size.lines }) ?? true {
                raceless = candidate
            }
        }
        if candidate.schedule.decisions.count + candidate.schedule.afters.count <= Self.mostKept {
            known[candidate] = outcome != nil
        }
        return outcome
    }

    /// Removes from a list whatever is not needed.
    func minimize(
        _ count: (Scenario) -> Int, without: (Scenario, Range<Int>) -> Scenario
    ) throws {
        try deltaDebug({ count(scenario) }, until: { isExhausted }) {
            try accept(without(scenario, $0))
        }
    }
}

/// Drops of so many items what is not needed: all, halves, then quarters, at last each alone; `drop` says
/// whether these places are gone.
func deltaDebug(
    _ count: () -> Int, until isEnough: () -> Bool, drop: (Range<Int>) throws -> Bool
) throws {
    var size = count()
    while size > 0 {
        var start = 0
        while start < count(), !isEnough() {
            let end = min(start + size, count())
            if try !drop(start..<end) { start = end }
        }
        size = min(size, count() + 1) / 2
    }
}
