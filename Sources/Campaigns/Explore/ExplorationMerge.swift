internal import Foundation
internal import Notation
internal import Reports
internal import UV

/// Explorations of several folders, parts of one, become one.
package struct ExplorationMerge {
    package private(set) var exploration: Exploration
    package private(set) var findings: [Finding] = []
    /// How many parts were taken, and how many were known.
    package private(set) var taken = 0
    package private(set) var known = 0

    /// The file that an exploration is kept in.
    package static let file = "explore.json"

    /// Joins the explorations of folders, in any order, with what stands in `out` from an earlier call.
    ///
    /// - Throws: `WrongUse` where two do not fit, `InputError` and `Replay.ReadError` for a file that is none.
    package init(of parts: [String], into out: String, findings name: String) throws {
        let own = "\(out)/\(Self.file)"
        try OutputTree.prepare(out)
        let lock = try FileLock("\(out)/.explore.lock", for: own)
        defer { lock.release() }
        let folders = (InputFile.exists(own) ? [out] : []) + parts
        exploration = try Self.exploration(in: folders[0])
        for folder in folders.dropFirst() {
            let other = try Self.exploration(in: folder)
            guard other.plan == exploration.plan else {
                throw WrongUse(
                    description:
                        "\(folder): it is no part of the exploration of \(folders[0]); expected the same "
                        + "topologies, strategy, faults, defects, first seed and version")
            }
            try join(other, of: folder)
        }
        if folders.count == parts.count { taken += 1 }
        var all: [Finding] = []
        for folder in folders { all += try Self.findings(in: "\(folder)/\(name)") }
        findings = exploration.failures.map { failure in
            // The part that has played the first run of all has repeated it.
            var finding =
                all.first {
                    $0.fingerprint == failure.fingerprint && $0.digest == failure.first.digest
                } ?? Finding(interrupted: failure)
            finding.runs = failure.runs
            return finding
        }
        try exploration.keep(in: own)
        try KeptResults.write(
            ExplorationReport(exploration, findings: findings), as: name, in: out)
    }

    private mutating func join(_ other: Exploration, of folder: String) throws {
        let done = exploration.done
        if other.done.isSubset(of: done) {
            known += 1
        } else if other.done.isDisjoint(with: done) {
            exploration.join(other)
            taken += 1
        } else {
            throw WrongUse(
                description:
                    "\(folder): some of its lots are there already, and some are not; join the parts anew, into "
                    + "an empty folder")
        }
    }

    private static func exploration(in folder: String) throws -> Exploration {
        let exploration = try Exploration(file: "\(folder)/\(file)")
        guard exploration.orders == nil else {
            throw WrongUse(
                description:
                    "\(folder): an exhaustive exploration has no parts; its schedules follow from one another"
            )
        }
        return exploration
    }

    private static func findings(in file: String) throws -> [Finding] {
        struct Kept: Decodable { let findings: [Finding] }
        guard InputFile.exists(file) else { return [] }
        return try InputFile.decode(Kept.self, from: file, as: "the findings of an exploration")
            .findings
    }

    package var text: String {
        "\((taken + known).counted("exploration")): \(taken.counted("part")) taken, \(known) known already"
    }
}
