/// What a campaign is, as its history keeps it.
struct CampaignRecord: Equatable {
    /// Its name in the history: no other campaign anywhere has it.
    var name: String
    /// What is played, as one JSON document that only the soak reads.
    var plan: String
    /// The tool with its version, which decides what a seed means.
    var tool: String
    /// The machine: its name, system and cores.
    var machine: String
    /// When it began, in seconds since 1970.
    var begun: Int
}

/// Runs that were handed to a worker together, and are done: the smallest thing that is kept or lost.
struct LotRecord: Equatable {
    /// Its place among the lots of the campaign.
    var number: Int
    var arm: String
    /// Which lots of the campaign it knows of.
    var strand: Int
    var topology: String
    /// The seed of its first run; the others follow it, unless the arm says otherwise.
    var firstSeed: UInt64
    var runs: Int
    /// How many of them ended before something was decided.
    var undecided = 0
    /// The virtual time of all of them, in nanoseconds.
    var simulated: UInt64 = 0
    var failures: [FailureRecord] = []
    /// A line for each promise: its name, how often it was put to the test, in how many runs, and how many broke it.
    var occasions = ""
    /// By kind, hashes of what its runs have covered and none of this worker before.
    var coverage: [String: [UInt64]] = [:]
}

struct FailureRecord: Equatable {
    /// Its place in its lot.
    var run: Int
    var seed: UInt64
    /// What went wrong first, without numbers and times.
    var fingerprint: String
    /// The run and its report as one JSON document that only the soak reads; nil where many others of its group
    /// are kept whole.
    var whole: String?
}

/// What the campaign looked like from outside at a moment.
struct SampleRecord: Codable, Equatable {
    /// Seconds of the campaign so far, without the time between two sittings.
    var seconds: Double
    var runs: Int
    var covered: Int
    /// What was measured, by name: `orchestrator-memory` in bytes.
    var values: [String: Double]
}

/// A document about a group of failures that only the soak reads: how it was repeated, made smaller and explained.
struct FindingRecord: Equatable {
    var fingerprint: String
    var document: String
}

/// How far a campaign came.
struct ResumedCampaign: Equatable {
    var campaign: CampaignRecord
    var seconds = 0.0
    /// All lots below are done.
    var frontier = 0
    /// Lots that are done beyond it.
    var beyond: [Int] = []
    var arms: [String: SoakProgress.Arm] = [:]
    var groups: [CampaignGroup] = []
    var occasions: [String: [Int]] = [:]
    var coverage: [String: [UInt64]] = [:]
    /// How many runs were over when something new was covered last.
    var latestNews = 0
    var notes: [String: String] = [:]
    var findings: [FindingRecord] = []
    var samples: [SampleRecord] = []
}

/// Failures of one campaign, in one strand, with the same fingerprint.
struct CampaignGroup: Equatable {
    var fingerprint: String
    var arm: String
    var strand: Int
    var runs: Int
    /// The lot of the first of them.
    var lot: Int
    /// The first of them, in the order of lots, as the soak has written it.
    var whole: String?
}

/// What one earlier campaign has seen of one group.
struct GroupRecord: Equatable {
    var campaign: String
    var begun: Int
    var tool: String
    var fingerprint: String
    /// How many of its runs failed so, of how many; zero failures where it has seen none.
    var runs: Int
    var of: Int
}
