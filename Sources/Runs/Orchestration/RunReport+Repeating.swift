import Reports
import Simulation

extension DeviceFailure {
    /// How a run ends that it ended.
    var status: ExitStatus { isOurs ? .harnessError : .deviceFailed }
}

extension RunReport {
    /// Says where two runs of the same plan first differ.
    mutating func compare(_ first: Run, _ second: Run) {
        switch second.outcome {
        case .failed(let failure)?:
            fail(failure.status, because: "in the second of two equal runs: \(failure)")
        case .interrupted?:
            fail(.interrupted, because: "interrupted in the second of two equal runs")
        case .ended?, .left?, nil:
            guard
                first.world.digest != second.world.digest || first.world.steps != second.world.steps
            else { return }
            let difference = firstDifference(first.world.steps, second.world.steps) ?? "at its end"
            failRepeating(because: difference)
        }
    }
}
