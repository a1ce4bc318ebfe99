internal import Artifacts
internal import Reports
internal import Simulation

extension DeviceFailure {
    /// How a run ends that it ended.
    var status: ExitStatus { isOurs ? .harnessError : .deviceFailed }
}

extension RunReport {
    /// Sets another status.
    mutating func fail(_ status: ExitStatus, because reason: String) {
        self.status = status
        verdict = status.word
        failure = reason
    }

    /// Says that its files are not whole, and why; what was found stays.
    mutating func lack(_ trouble: ArtifactError) {
        unwritten = "\(trouble)"
        // What a device did tells more than our disk does.
        if failure == nil { failure = unwritten }
        status = status.combined(with: .harnessError)
        verdict = status.word
    }

    /// Says that it was not the same a second time, and where.
    mutating func failRepeating(because difference: String) {
        fail(.harnessError, because: Self.notRepeated + difference)
    }

    /// Whether it was not the same a second time.
    var didNotRepeat: Bool { failure?.hasPrefix(Self.notRepeated) ?? false }

    private static let notRepeated = "the run did not repeat: "

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
