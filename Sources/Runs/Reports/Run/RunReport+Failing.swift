package import Artifacts

extension RunReport {
    package mutating func fail(_ status: ExitStatus, because reason: String) {
        self.status = status
        verdict = status.word
        failure = reason
    }

    /// Says that its files are not whole, and why; what was found stays.
    package mutating func lack(_ trouble: ArtifactError) {
        unwritten = "\(trouble)"
        // What a device did tells more than our disk does.
        if failure == nil { failure = unwritten }
        status = status.combined(with: .harnessError)
        verdict = status.word
    }

    /// Says that it was not the same a second time, and where.
    package mutating func failRepeating(because difference: String) {
        fail(.harnessError, because: Self.notRepeated + difference)
    }

    /// Whether it was not the same a second time.
    package var didNotRepeat: Bool { failure?.hasPrefix(Self.notRepeated) ?? false }

    private static let notRepeated = "the run did not repeat: "
}
