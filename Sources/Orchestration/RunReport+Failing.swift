internal import Reports
internal import Simulation

extension RunReport {
    /// Sets another status.
    mutating func fail(_ status: ExitStatus, _ reason: String) {
        self.status = status
        verdict = status.word
        failure = reason
    }

    /// Says where two runs of the same plan first differ.
    mutating func compare(_ first: Run, _ second: Run) {
        switch second.outcome {
        case .failed(let failure)?:
            fail(.deviceFailed, "in the second of two equal runs: \(failure)")
        case .interrupted?: fail(.interrupted, "interrupted; what was written so far is kept")
        case .ended?, .left?, nil:
            guard
                first.world.digest != second.world.digest || first.world.steps != second.world.steps
            else { return }
            let difference = firstDifference(first.world.steps, second.world.steps) ?? "at its end"
            fail(.harnessError, "the run did not repeat: \(difference)")
        }
    }
}
