/// What a soak asks of the program that keeps its history: a line of JSON each.
package enum HistoryRequest: Codable, Equatable, Sendable {
    /// Opens the file, which is made where there is none.
    case open(file: String)
    /// Begins a campaign; the requests below are about it.
    case begin(CampaignRecord)
    /// Goes on with the campaign that was begun last.
    case resume
    case lot(LotRecord)
    case sample(SampleRecord)
    case finding(FindingRecord)
    /// Something that the soak wants to find again, by name.
    case note(name: String, text: String)
    /// The campaign is over, after so many seconds of all its sittings.
    case end(seconds: Double, word: String)
    /// What earlier campaigns, and those of other files, have seen.
    case groups(before: String?)
    /// Everything about one campaign; the latest where none is named.
    case campaign(name: String?)
    /// Takes the campaigns of another file.
    case merge(file: String)
    /// Drops the runs of earlier campaigns that were kept whole, but for one of each group, and gives the room back.
    case thin
}

/// What that program answers, a line each, in the order of the requests.
package enum HistoryAnswer: Codable, Equatable, Sendable {
    /// It is kept: a killed process does not lose it any more.
    case done
    /// The disk is full; nothing of the request is kept, and it may be asked again.
    case full
    /// It cannot be done, for a reason that a user can read.
    case refused(String)
    case resumed(ResumedCampaign)
    case groups([GroupRecord])
    case campaign(WholeCampaign)
    /// How many campaigns were taken, and how many were there already.
    case merged(campaigns: Int, known: Int)

    package var isLackOfRoom: Bool {
        if case .full = self { true } else { false }
    }
}

/// How far a campaign came.
package struct ResumedCampaign: Codable, Equatable, Sendable {
    package var campaign: CampaignRecord
    package var seconds: Double
    /// All lots below are done.
    package var frontier: Int
    /// Lots that are done beyond it.
    package var beyond: [Int]
    package var arms: [ArmRecord]
    package var groups: [CampaignGroup]
    package var occasions: [String: [Int]]
    package var coverage: [String: [UInt64]]
    /// How many runs were over when something new was covered last.
    package var latestNews: Int
    package var notes: [String: String]
    package var findings: [FindingRecord]
    package var samples: [SampleRecord]

    package init(campaign: CampaignRecord) {
        self.campaign = campaign
        (seconds, frontier, beyond, arms, groups) = (0, 0, [], [], [])
        (occasions, coverage, latestNews) = ([:], [:], 0)
        (notes, findings, samples) = ([:], [], [])
    }
}

/// What one arm of a campaign has done.
package struct ArmRecord: Codable, Equatable, Sendable {
    package var arm: String
    package var runs: Int
    package var failing: Int
    package var undecided: Int
    package var simulated: UInt64

    package init(arm: String, runs: Int, failing: Int, undecided: Int, simulated: UInt64) {
        (self.arm, self.runs, self.failing) = (arm, runs, failing)
        (self.undecided, self.simulated) = (undecided, simulated)
    }
}

/// Failures of one campaign, in one strand, with the same fingerprint.
package struct CampaignGroup: Codable, Equatable, Sendable {
    package var fingerprint: String
    package var arm: String
    package var strand: Int
    package var runs: Int
    /// The lot of the first of them.
    package var lot: Int
    /// The first of them, in the order of lots, as the soak has written it.
    package var whole: String?

    package init(
        fingerprint: String, arm: String, strand: Int, runs: Int, lot: Int, whole: String?
    ) {
        (self.fingerprint, self.arm, self.strand, self.lot) = (fingerprint, arm, strand, lot)
        (self.runs, self.whole) = (runs, whole)
    }
}

/// What one earlier campaign has seen of one group.
package struct GroupRecord: Codable, Equatable, Sendable {
    package var campaign: String
    package var begun: Int
    package var tool: String
    package var fingerprint: String
    /// How many of its runs failed so, of how many; zero failures where it has seen none.
    package var runs: Int
    package var of: Int

    package init(
        campaign: String, begun: Int, tool: String, fingerprint: String, runs: Int, of: Int
    ) {
        (self.campaign, self.begun, self.tool) = (campaign, begun, tool)
        (self.fingerprint, self.runs, self.of) = (fingerprint, runs, of)
    }
}

/// A campaign as its page shows it.
package struct WholeCampaign: Codable, Equatable, Sendable {
    package var resumed: ResumedCampaign
    /// How it ended; nil where it has not, or was killed.
    package var ended: String?
    /// By topology, how many runs.
    package var topologies: [String: Int]
    /// The lots that are done, each with its arm, topology, first seed, runs and failing seeds.
    package var lots: [String]

    package init(resumed: ResumedCampaign, ended: String?) {
        (self.resumed, self.ended, topologies, lots) = (resumed, ended, [:], [])
    }
}
