import Foundation

/// What a group of failures is against the campaigns before.
package enum GroupState: String, Codable, Sendable {
    /// No earlier campaign has seen it.
    case new
    /// An earlier campaign has seen it, and this one.
    case ongoing
    /// An earlier campaign has seen it, this one has not, and that can be chance.
    case rare
    /// An earlier campaign has seen it, and this one would have, with 99 %.
    case gone
}

/// What earlier campaigns have seen of one group.
package struct GroupPast: Equatable, Sendable {
    package let fingerprint: String
    /// How many runs failed so, of all runs of the campaigns that had it or came after the first that had.
    package private(set) var rate = Rate(0, of: 0)
    /// When the first and the last campaign began that had it, in seconds since 1970.
    package private(set) var first: Int
    package private(set) var last: Int
    /// The tool of the last one.
    package private(set) var tool: String
    /// Runs that failed so, by campaign, oldest first; those that have not seen it too.
    package private(set) var nights: [Int] = []

    /// The groups of earlier campaigns, by fingerprint.
    static func all(in records: [GroupRecord]) -> [String: GroupPast] {
        let campaigns = records.filter { $0.fingerprint.isEmpty }
        var pasts: [String: GroupPast] = [:]
        for record in records where !record.fingerprint.isEmpty {
            var past =
                pasts[record.fingerprint]
                ?? GroupPast(
                    fingerprint: record.fingerprint, first: record.begun, last: record.begun,
                    tool: record.tool)
            past.first = min(past.first, record.begun)
            if record.begun >= past.last { (past.last, past.tool) = (record.begun, record.tool) }
            pasts[record.fingerprint] = past
        }
        return pasts.mapValues { past in
            var past = past
            let since = campaigns.filter { $0.begun >= past.first }
            let runs = Dictionary(
                records.filter { $0.fingerprint == past.fingerprint }.map {
                    ($0.campaign, $0.runs)
                },
                uniquingKeysWith: +)
            past.nights = campaigns.map { runs[$0.campaign] ?? 0 }
            past.rate = Rate(runs.values.reduce(0, +), of: since.reduce(0) { $0 + $1.of })
            return past
        }
    }

    private init(fingerprint: String, first: Int, last: Int, tool: String) {
        (self.fingerprint, self.first, self.last, self.tool) = (fingerprint, first, last, tool)
    }

    /// What it is in a campaign of so many runs that has not seen it.
    package func state(unseenIn runs: Int) -> GroupState {
        pow(1 - rate.share, Double(runs)) < 0.01 ? .gone : .rare
    }
}
