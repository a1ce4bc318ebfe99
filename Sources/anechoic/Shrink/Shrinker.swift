import Foundation
import Orchestration
import Reports
import Simulation
import Topologies

/// Makes a failing scenario smaller as long as it fails in the same way.
///
/// Whole parts of the topology go first, the biggest before the others; then what differs from the plain
/// schedule, many at a time and fewer and fewer (delta debugging; Zeller, Hildebrandt 2002), to a fixed
/// point.
final class Shrinker {
    /// When it is enough, though it may be smaller yet.
    struct Budget {
        var replays = 2_000
        /// By the wall clock.
        var seconds = 60.0
        /// Whether somebody wants no more.
        var isStopped: () -> Bool = { false }
    }

    private(set) var scenario: Scenario
    /// How often a candidate was played.
    private(set) var replays = 0
    /// Whether the budget was enough for the fixed point.
    private(set) var isMinimal = false
    /// How it fails.
    let fingerprint: String
    private let play: (Scenario) throws -> Outcome?
    private let budget: Budget
    private let clock = ContinuousClock()
    private let begin: ContinuousClock.Instant
    /// What was tried already, by its hash: a scenario may have ten thousands of decisions.
    private var known: [Int: Bool] = [:]

    /// What became of a scenario.
    struct Outcome {
        let fingerprint: String?
        /// The decisions of its schedule that never came up.
        let unused: [String]
    }

    /// A shrinker of what fails with `fingerprint`; `play` plays a scenario, and gives nil where it is
    /// none that can be played.
    init(
        _ scenario: Scenario, fingerprint: String, budget: Budget = Budget(),
        play: @escaping (Scenario) throws -> Outcome?
    ) {
        self.scenario = scenario
        self.fingerprint = fingerprint
        self.budget = budget
        self.play = play
        begin = clock.now
    }

    /// Shrinks to a fixed point, or as far as the budget goes.
    func shrink() throws {
        while !isExhausted {
            let before = scenario
            try cutLength()
            try dropParts()
            try dropSchedule()
            guard scenario == before else { continue }
            isMinimal = !isExhausted
            return
        }
    }

    /// The wall-clock time that it has taken, in seconds.
    var seconds: Double { (clock.now - begin) / .seconds(1) }

    private var isExhausted: Bool {
        replays >= budget.replays || seconds >= budget.seconds || budget.isStopped()
    }

    /// Takes a candidate over if it fails in the same way.
    private func accept(_ candidate: Scenario) throws -> Bool {
        guard candidate != scenario, !isExhausted, known[candidate.hashValue] != false else {
            return false
        }
        replays += 1
        let outcome = try play(candidate)
        let isGood = outcome?.fingerprint == fingerprint
        known[candidate.hashValue] = isGood
        guard isGood, let outcome else { return false }
        scenario = candidate
        // What never came up is not part of it.
        let unused = Set(outcome.unused)
        scenario.schedule.decisions.removeAll { unused.contains($0.identity) }
        return true
    }

    // MARK: The schedule

    private func dropSchedule() throws {
        try minimize(\.schedule.decisions)
        try minimize(\.schedule.afters)
    }

    /// Leaves out of a list whatever is not needed: halves first, then quarters, at last each by itself.
    private func minimize<Element: Equatable>(
        _ list: WritableKeyPath<Scenario, [Element]>
    ) throws {
        var candidate = scenario
        candidate[keyPath: list] = []
        if try accept(candidate) { return }
        var size = scenario[keyPath: list].count / 2
        while size > 0 {
            var start = 0
            while start < scenario[keyPath: list].count, !isExhausted {
                var candidate = scenario
                let end = min(start + size, candidate[keyPath: list].count)
                candidate[keyPath: list].removeSubrange(start..<end)
                if try !accept(candidate) { start = end }
            }
            size /= 2
        }
    }

    // MARK: The topology

    /// Ends the run at the first of these times at which it still fails.
    private func cutLength() throws {
        for length in ["1s", "2s", "5s", "10s", "20s", "30s"] {
            guard let parts = TopologyParts(scenario.task.text) else { return }
            let text = parts.text(with: "length", length)
            // Those that follow are longer than what it has.
            if text == scenario.task.text { return }
            if try accept(text: text) { return }
        }
    }

    private func dropParts() throws {
        guard var parts = TopologyParts(scenario.task.text) else { return }
        // Where something is left out of a list the rest moves up; the next round looks at it again.
        for path in parts.paths where parts.has(path) {
            guard try accept(text: parts.text(without: path)),
                let rest = TopologyParts(scenario.task.text)
            else { continue }
            parts = rest
        }
    }

    private func accept(text: String) throws -> Bool {
        var candidate = scenario
        candidate.task.text = text
        return try accept(candidate)
    }

    // MARK: The certificate

    /// Everything that is left, by name, and whether it still fails in the same way without it, which
    /// nothing does; nil where the budget was too small to come so far.
    func certificate() throws -> [(item: String, failsWithout: Bool)]? {
        guard isMinimal else { return nil }
        var certificate: [(item: String, failsWithout: Bool)] = []
        func check(_ item: String, _ change: (inout Scenario) -> Void) throws {
            var candidate = scenario
            change(&candidate)
            var fails = known[candidate.hashValue]
            if fails == nil {
                replays += 1
                fails = try play(candidate)?.fingerprint == fingerprint
            }
            certificate.append((item, fails ?? false))
        }
        if let parts = TopologyParts(scenario.task.text) {
            for path in parts.paths {
                try check("\(path)") { $0.task.text = parts.text(without: path) }
            }
        }
        for (place, after) in scenario.schedule.afters.enumerated() {
            try check(after.sentence) { $0.schedule.afters.remove(at: place) }
        }
        for (place, decision) in scenario.schedule.decisions.enumerated() {
            try check(decision.sentence) { $0.schedule.decisions.remove(at: place) }
        }
        return certificate
    }
}

extension After {
    /// For people.
    var sentence: String { "\"\(event.text)\" only after \"\(after.text)\"" }
}

extension RecordedDecision {
    /// For people.
    var sentence: String { "\(identity) = \(value)" }
}
