import Artifacts
import Foundation
import Orchestration
package import Reports

/// A failing run, made smaller and explained; what comes of it stands beside its replay file.
package struct DiagnosedRun: Codable {
    /// The promise that the run breaks first.
    package let promise: String
    /// The file that repeats the run.
    package let replay: String
    /// The smaller topology; nil where there is none.
    package private(set) var topology: String?
    /// What it says.
    private var text: String?
    /// The promises that the smaller run breaks where it goes on for a while.
    package private(set) var breaks: [String]?
    /// How much was there, and is left.
    private(set) var before: Scenario.Size?
    private(set) var after: Scenario.Size?
    /// What races in it, or what it takes to pass.
    package private(set) var reason: String?
    /// Why it is not smaller, or not explained.
    package private(set) var trouble: String?
    /// The command that repeats the run.
    private var command = ""

    private enum CodingKeys: CodingKey {
        case promise, replay, topology, text, breaks, before, after, reason, trouble
    }

    /// A run of which nothing is known yet.
    package init(promise: String, replay: String, command: String) {
        (self.promise, self.replay, self.command) = (promise, replay, command)
    }

    /// The most plays in which a run may become smaller: a program takes a second for a hundred.
    private static let shrinks = 1_000
    /// The most plays in which it may be explained, and how many of them are under random delivery.
    private static let (explanations, random) = (300, 50)
    /// The most seconds that a run may take to become smaller, and again to be explained.
    private static let most = 60.0

    /// Makes runs smaller and explains them, one after another, as long as the `seconds` last; but for those whose promise
    /// a smaller run has broken, too.
    ///
    /// A turn may take `watchdog` milliseconds, and a foreign device have `memory` bytes (0 for no limit).
    package static func all(
        _ runs: [DiagnosedRun], within seconds: Double, watchdog: UInt64, memory: UInt64
    ) -> [DiagnosedRun] {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        let display = ProgressDisplay()
        defer { display.end() }
        var diagnosed: [DiagnosedRun] = []
        for (place, run) in runs.enumerated()
        where !diagnosed.contains(where: { $0.breaks?.contains(run.promise) == true }) {
            display.show("looks into what failed: \(place + 1) of \(runs.count)")
            var run = run
            run.diagnose(watchdog: watchdog, memory: memory) {
                min((end - clock.now) / .seconds(1), most)
            }
            diagnosed.append(run)
        }
        return diagnosed
    }

    /// `left` says how many seconds there are for the next step.
    private mutating func diagnose(watchdog: UInt64, memory: UInt64, left: () -> Double) {
        guard left() > 0, !Interruption.isHere else {
            let isAsked = Interruption.isHere && !Interruption.isTimeUp
            let why = isAsked ? "interrupted" : "the time for it was over"
            let shrink = command.replacing(" replay ", with: " shrink ", maxReplacements: 1)
            return trouble = "\(why); make it smaller with: \(shrink)"
        }
        do {
            var failure = try FailingRun(replay, watchdog: watchdog, memory: memory)
            try failure.avoidGlobalState(isKnown: true)
            var smaller: String?
            try failure.leaving(ShrunkRun.parts, in: nil, or: "shrunk") { folder in
                var budget = Shrinker.Budget(replays: Self.shrinks)
                budget.seconds = left()
                let run = try ShrunkRun(of: failure, into: folder, budget: budget)
                before = run.shrunk.before
                after = run.shrunk.shrinker.scenario.size
                topology = "\(folder.path)/topology.yaml"
                text = run.topology
                breaks = run.shrunk.breaks
                trouble = run.trouble
                guard trouble == nil else { return }
                guard run.isRepeated else {
                    trouble = "the smaller run did not repeat by processes"
                    return
                }
                smaller = "\(folder.path)/replay.json"
            }
            if let smaller, left() > 0, !Interruption.isHere {
                var failure = try FailingRun(smaller, watchdog: watchdog, memory: memory)
                try failure.avoidGlobalState(isKnown: true)
                try explain(failure, within: left())
            }
        } catch is Interruption {} catch { trouble = sentence(for: error) }
    }

    private mutating func explain(_ failure: FailingRun, within seconds: Double) throws {
        try failure.leaving(ExplainedFailure.parts, in: nil, or: "explained") { folder in
            let explained = try ExplainedFailure(
                of: failure, into: folder, replays: Self.explanations, runs: Self.random,
                seconds: seconds)
            trouble = explained.trouble ?? explained.doubt
            let explanation = explained.explanation
            reason = [explanation.headline, explanation.remedy].compactMap(\.self)
                .joined(separator: ": ")
        }
    }

    /// Among runs of one cause the least tells of it: one that was explained, and then the one that breaks most.
    package var rank: Int { (reason == nil ? 1_000 : 0) - (breaks?.count ?? 0) }

    /// Says in a cause what is known of its run.
    package func explain(_ cause: inout Cause) {
        (cause.why, cause.trouble) = (reason, trouble)
        if let topology, let before, let after {
            cause.scenario = Cause.Scenario(
                file: topology, change: before.text(becoming: after), text: text ?? "")
        }
    }
}
