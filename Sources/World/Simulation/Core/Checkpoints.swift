/// The digest of a run after every so many steps: few enough to be kept however long the run is.
///
/// Where there would be too many, every second one is forgotten.
package struct Checkpoints: Equatable, Sendable {
    /// How many steps lie between two of them; a power of two.
    package private(set) var spacing: UInt64 = 1
    /// The digests after 0 steps, ``spacing`` steps, twice as many and so on.
    package private(set) var digests: [UInt64] = []
    /// After how many steps the next one is taken; never where they are not asked for.
    private(set) var due: UInt64

    /// The most that are kept.
    private static let most = 64

    /// No checkpoint yet, and none at all where they are not asked for.
    init(areWanted: Bool) { due = areWanted ? 0 : .max }

    /// Takes the digest after ``due`` steps.
    mutating func take(_ digest: UInt64) {
        digests.append(digest)
        if digests.count > Self.most {
            digests = stride(from: 0, to: digests.count, by: 2).map { digests[$0] }
            spacing *= 2
        }
        due = UInt64(digests.count) * spacing
    }

    /// Where two runs that are not the same first differ, in words: `in one of the steps 129 to 192`.
    package func firstDifference(from other: Checkpoints) -> String {
        let common = max(spacing, other.spacing)
        var same: UInt64?
        var step: UInt64 = 0
        while let mine = digest(after: step), let theirs = other.digest(after: step) {
            guard mine == theirs else {
                return same.map { "in one of the steps \($0 + 1) to \(step)" }
                    ?? "before the first step"
            }
            same = step
            // A file may say that they lie as far apart as there are numbers.
            let (next, overflow) = step.addingReportingOverflow(common)
            guard !overflow else { break }
            step = next
        }
        return "after step \(same ?? 0)"
    }

    private func digest(after step: UInt64) -> UInt64? {
        let place = step / spacing
        return place < UInt64(digests.count) ? digests[Int(place)] : nil
    }
}

/// In replay files: `{"every": 8, "digests": "3c0e… 91aa… …"}`.
extension Checkpoints: Codable {
    private enum Key: String, CodingKey { case every, digests }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        spacing = try container.decode(UInt64.self, forKey: .every)
        let words = try container.decode(String.self, forKey: .digests).split(separator: " ")
        digests = words.compactMap { UInt64($0, radix: 16) }
        guard spacing > 0, spacing.nonzeroBitCount == 1, digests.count == words.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .digests, in: container,
                debugDescription: "these are no digests at every so many steps")
        }
        due = .max
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(spacing, forKey: .every)
        try container.encode(
            digests.map { String($0, radix: 16) }.joined(separator: " "), forKey: .digests)
    }
}
