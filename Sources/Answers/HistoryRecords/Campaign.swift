/// What a campaign is, as its history keeps it.
package struct CampaignRecord: Codable, Equatable, Sendable {
    /// Its name in the history: no other campaign anywhere has it.
    package var name: String
    /// What is played, as one JSON document that only the soak reads.
    package var plan: String
    /// The tool with its version, which decides what a seed means.
    package var tool: String
    /// The machine: its name, system and cores.
    package var machine: String
    /// When it began, in seconds since 1970.
    package var begun: Int

    package init(name: String, plan: String, tool: String, machine: String, begun: Int) {
        (self.name, self.plan, self.tool) = (name, plan, tool)
        (self.machine, self.begun) = (machine, begun)
    }
}

/// Runs that were handed to a worker together, and are done: the smallest thing that is kept or lost.
package struct LotRecord: Codable, Equatable, Sendable {
    /// Its place among the lots of the campaign.
    package var number: Int
    package var arm: String
    /// Which lots of the campaign it knows of.
    package var strand: Int
    package var topology: String
    /// The seed of its first run; the others follow it, unless the arm says otherwise.
    package var firstSeed: UInt64
    package var runs: Int
    /// How many of them ended before something was decided.
    package var undecided = 0
    /// The virtual time of all of them, in nanoseconds.
    package var simulated: UInt64 = 0
    package var failures: [FailureRecord] = []
    /// A line for each promise: its name, how often it was put to the test, in how many runs, and how many broke it.
    package var occasions = ""
    /// By kind, hashes of what its runs have covered and none of this worker before.
    package var coverage: [String: [UInt64]] = [:]

    package init(
        number: Int, arm: String, strand: Int, topology: String, firstSeed: UInt64, runs: Int
    ) {
        (self.number, self.arm, self.strand, self.topology) = (number, arm, strand, topology)
        (self.firstSeed, self.runs) = (firstSeed, runs)
    }
}

/// A run that failed.
package struct FailureRecord: Codable, Equatable, Sendable {
    /// Its place in its lot.
    package var run: Int
    package var seed: UInt64
    /// What went wrong first, without numbers and times.
    package var fingerprint: String
    /// The run and its report as one JSON document that only the soak reads; nil where many others of its group
    /// are kept whole.
    package var whole: String?

    package init(run: Int, seed: UInt64, fingerprint: String, whole: String? = nil) {
        (self.run, self.seed, self.fingerprint, self.whole) = (run, seed, fingerprint, whole)
    }
}

/// What the campaign looked like from outside at a moment.
package struct SampleRecord: Codable, Equatable, Sendable {
    /// Seconds of the campaign so far, without the time between two sittings.
    package var seconds: Double
    package var runs: Int
    package var covered: Int
    /// What was measured, by name: `orchestrator-memory` in bytes.
    package var values: [String: Double]

    package init(seconds: Double, runs: Int, covered: Int, values: [String: Double]) {
        (self.seconds, self.runs, self.covered, self.values) = (seconds, runs, covered, values)
    }
}

/// A document about a group of failures that only the soak reads: how it was repeated, made smaller and explained.
package struct FindingRecord: Codable, Equatable, Sendable {
    package var fingerprint: String
    package var document: String

    package init(fingerprint: String, document: String) {
        (self.fingerprint, self.document) = (fingerprint, document)
    }
}
