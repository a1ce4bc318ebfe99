import Artifacts
import Reports

/// Which runs of the last campaign into an output tree did not hold: `OUT/.last-failed.json`.
package struct LastFailed: Codable, Sendable {
    package struct Run: Codable, Hashable, Sendable {
        /// The topology's name: `dropout/mid-handshake`.
        package let name: String
        /// Its file, as it was given.
        package let file: String
        package let seed: UInt64
    }

    private var schema = 1
    /// In the order in which they were played.
    package private(set) var failed: [Run]

    package init(_ failed: [Run]) { self.failed = failed }

    private static func file(in tree: String) -> String { "\(tree)/.last-failed.json" }

    /// What the last campaign left.
    ///
    /// - Throws: `WrongUse` where there was none, or nothing of it failed; `Replay.ReadError` where the file is none
    ///   of ours.
    package static func read(in tree: String) throws -> LastFailed {
        guard let last = try read(ifThereIsOneIn: tree) else {
            throw WrongUse(
                "--last-failed: nothing was run into \(tree) yet; run without --last-failed first")
        }
        guard !last.failed.isEmpty else {
            throw WrongUse("--last-failed: nothing failed in the last run into \(tree)")
        }
        return last
    }

    private static func read(ifThereIsOneIn tree: String) throws -> LastFailed? {
        let file = file(in: tree)
        guard InputFile.exists(file) else { return nil }
        return try InputFile.decode(LastFailed.self, from: file, as: "what a run left")
    }

    /// Writes it for the next command; a file of that name that is not ours stays.
    package func write(into tree: String) throws {
        _ = try Self.read(ifThereIsOneIn: tree)
        try WholeFile.write(json(self), to: Self.file(in: tree))
    }

    /// With the runs of an earlier one that have not been played since.
    package func keeping(_ earlier: LastFailed?, but played: Set<Run>) -> LastFailed {
        LastFailed(failed + (earlier?.failed.filter { !played.contains($0) } ?? []))
    }
}
