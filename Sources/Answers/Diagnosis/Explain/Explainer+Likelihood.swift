import Orchestration
import Reports

/// How likely the failure is, and from which step on.
extension Explainer {
    /// How many runs estimate how likely it is after a step.
    private static let samples = 60

    /// How often it fails under random delivery.
    mutating func findLikelihood() throws {
        let delivery = RandomDelivery(
            runner, fingerprint: explanation.fingerprint, mostSteps: Study.mostSteps(of: failing),
            crew: crew)
        let scenario = Scenario(task: task, schedule: failing.schedule)
        let whole = try delivery.likelihood(of: scenario, in: randomRuns)
        if !runner.isInterrupted { explanation.underRandomDelivery = whole }
    }

    /// From which steps on it is likely, and inevitable.
    mutating func findTurns() throws {
        guard !runner.isInterrupted else { return }
        guard let begin = try likelihood(after: 0, runs: Self.samples) else { return }
        let end = lastPick + 1
        guard let last = try likelihood(after: end, runs: Self.samples) else { return }
        let bounds = (from: (0, begin), to: (end, last))
        guard let likely = try turn(bounds, isEnough: { 2 * $0.hits > $0.runs }) else { return }
        explanation.likely = likely
        // What is inevitable is likely.
        explanation.inevitable = try turn(
            (from: (likely.step - 1, likely.before), to: bounds.to),
            isEnough: { $0.hits == $0.runs })
    }

    /// A run under random delivery that passes.
    func passingRun() throws -> Study? {
        let picking = Picking.improvised(on: failing, following: 0)
        for seed in 1...UInt64(randomRuns) where !runner.isInterrupted {
            let (report, _) = try runner.judge(
                task, by: picking, seed: seed, mostSteps: Study.mostSteps(of: failing))
            if report.status == .held { return try runner.study(task, by: picking, seed: seed) }
        }
        return nil
    }

    /// How often it fails in this way where the first steps are as they were and the order of the rest is
    /// drawn; nil where somebody interrupted it.
    private func likelihood(after steps: Int, runs: Int) throws -> Likelihood? {
        let sampling = Sampling(
            of: task, on: failing, following: steps, seeds: 1...UInt64(runs),
            mostSteps: Study.mostSteps(of: failing))
        let verdicts = try sampling.play(by: crew, or: runner) {
            display.show("how likely it fails behind step \(steps): \($0) of \(runs) runs")
        }
        return verdicts.map { verdicts in
            Likelihood(
                hits: verdicts.count { $0.fingerprint == explanation.fingerprint },
                runs: verdicts.count)
        }
    }

    /// The first step that makes it so likely; it is found by halving, which assumes that the likelihood is
    /// monotonic.
    private func turn(
        _ bounds: (from: (steps: Int, Likelihood), to: (steps: Int, Likelihood)),
        isEnough: (Likelihood) -> Bool
    ) throws -> Explanation.Turn? {
        var ((open, before), (closed, after)) = bounds
        guard !isEnough(before), isEnough(after) else { return nil }
        while closed - open > 1 {
            let middle = (open + closed) / 2
            guard let found = try likelihood(after: middle, runs: Self.samples) else { return nil }
            if isEnough(found) {
                (closed, after) = (middle, found)
            } else {
                (open, before) = (middle, found)
            }
        }
        return Explanation.Turn(
            step: closed, words: words.picture(closed - 1), before: before, after: after)
    }
}
