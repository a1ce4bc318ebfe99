package import Campaigns
package import Orchestration

/// How long and by what means a campaign is played: what a later sitting is not told it takes from the one before.
package struct SoakTerms: Codable, Equatable {
    /// Wall-clock seconds of all sittings together; nil for no limit.
    package var seconds: Double?
    /// Runs of the whole campaign, of all its shards; nil for no limit.
    package var runs: Int?
    /// Groups of failures with different fingerprints; nil for no limit.
    package var groups: Int?
    /// How many workers there are; nil for one a core.
    package var jobs: Int?
    /// How long a turn may take by the wall clock, in milliseconds.
    package var watchdog: UInt64?
    /// The most bytes of address space of somebody else's program.
    package var memory: UInt64?
    /// The part of the campaign that is played.
    package var shard: Shard?
    /// A history whose failures are known.
    package var baseline: String?
    /// A file of failures that are acknowledged.
    package var acknowledged: String?
    /// Where metrics are written.
    package var metrics: String?
    /// The most bytes of the folder; nil for no limit.
    package var keep: Int?
    /// The programs that whoever began the campaign, or went on with it, has trusted, as they were.
    package var trusted: [ProgramMark] = []

    package init() {}

    private static let night = 8 * 3_600.0

    /// Whether nothing says when it ends.
    private var isEndless: Bool { seconds == nil && runs == nil && groups == nil }

    /// The terms of a new campaign: a night, where nobody says how long.
    package func begun() -> SoakTerms {
        var terms = self
        if isEndless { terms.seconds = Self.night }
        return terms
    }

    /// The terms of a sitting that goes on after `spent` seconds: what it is told wins, and of when it ends all or nothing.
    package func goingOn(with kept: SoakTerms, after spent: Double) -> SoakTerms {
        var terms = self
        if isEndless {
            (terms.seconds, terms.runs, terms.groups) = (kept.seconds, kept.runs, kept.groups)
        } else if let seconds {
            terms.seconds = spent + seconds
        }
        terms.jobs = jobs ?? kept.jobs
        terms.watchdog = watchdog ?? kept.watchdog
        terms.memory = memory ?? kept.memory
        terms.shard = shard ?? kept.shard
        terms.baseline = baseline ?? kept.baseline
        terms.acknowledged = acknowledged ?? kept.acknowledged
        terms.metrics = metrics ?? kept.metrics
        terms.keep = keep ?? kept.keep
        terms.trusted = kept.trusted
        return terms
    }

    /// When a sitting ends that begins after `spent` seconds.
    package func limits(after spent: Double) -> Soak.Limits {
        Soak.Limits(
            seconds: seconds.map { max(0, $0 - spent) } ?? .infinity, runs: runs ?? .max,
            groups: groups ?? .max)
    }
}
