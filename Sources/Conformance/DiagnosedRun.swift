internal import Diagnosis
internal import Foundation
internal import Notation
internal import Orchestration
internal import Reports

/// The first failing run of a promise, made smaller and explained; its files stand beside its replay file.
package struct DiagnosedRun: Encodable {
    /// The promise that the run breaks first.
    let promise: String
    /// The file that repeats the run.
    let replay: String
    /// The smaller topology; nil where there is none.
    package private(set) var topology: String?
    /// How much was there, and is left.
    private(set) var before: Scenario.Size?
    private(set) var after: Scenario.Size?
    /// What races in it, or what it takes to pass.
    private(set) var reason: String?
    /// Why it is not smaller, or not explained.
    private(set) var trouble: String?

    /// Nothing is known yet.
    private init(promise: String, replay: String) {
        self.promise = promise
        self.replay = replay
    }

    /// How often candidates may be played, for each run: a program takes a second for a hundred.
    private static let (shrinks, explanations, random) = (1_000, 300, 50)
    /// The most seconds that one run may take to become smaller.
    private static let most = 60.0

    /// Makes runs smaller and explains them, one after another, as long as the `seconds` last.
    ///
    /// A run is known by the promise that it breaks first, and by the file that repeats it. A turn may take
    /// `watchdog` milliseconds.
    static func all(
        _ runs: [(promise: String, replay: String)], within seconds: Double, watchdog: UInt64
    ) -> [DiagnosedRun] {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        return runs.map { run in
            var diagnosed = DiagnosedRun(promise: run.promise, replay: run.replay)
            let left = (end - clock.now) / .seconds(1)
            if left > 0, !Interruption.isHere {
                diagnosed.diagnose(within: min(left, most), watchdog: watchdog)
            }
            return diagnosed
        }
    }

    private mutating func diagnose(within seconds: Double, watchdog: UInt64) {
        do {
            let failure = try FailingRun(replay, watchdog: watchdog)
            var smaller: String?
            try failure.leaving(ShrunkRun.parts, in: nil, or: "shrunk") { folder in
                var budget = Shrinker.Budget(replays: Self.shrinks)
                budget.seconds = seconds
                let run = try ShrunkRun(of: failure, into: folder, budget: budget)
                before = run.shrunk.before
                after = run.shrunk.shrinker.scenario.size
                topology = "\(folder.path)/topology.yaml"
                guard run.isRepeated else {
                    trouble = "the smaller run did not repeat by processes"
                    return
                }
                smaller = "\(folder.path)/replay.json"
            }
            if let smaller, !Interruption.isHere {
                try explain(try FailingRun(smaller, watchdog: watchdog))
            }
        } catch is Interruption {} catch { trouble = sentence(for: error) }
    }

    private mutating func explain(_ failure: FailingRun) throws {
        try failure.leaving(ExplainedFailure.parts, in: nil, or: "explained") { folder in
            let explained = try ExplainedFailure(
                of: failure, into: folder, replays: Self.explanations, runs: Self.random)
            trouble = explained.doubt
            let explanation = explained.explanation
            reason = [explanation.headline, explanation.remedy].compactMap(\.self)
                .joined(separator: ": ")
        }
    }

    /// What a person reads below the story of the run.
    var lines: [String] {
        var lines: [String] = []
        if let topology, let before, let after {
            lines.append("smaller: \(topology) (\(before.text(becoming: after)))")
        }
        if let reason { lines.append("why: \(reason)") }
        if let trouble { lines.append(trouble) }
        if topology == nil, trouble == nil {
            lines.append(
                "the time for it was over; make it smaller with: anechoic shrink \(replay)")
        }
        return lines
    }
}
