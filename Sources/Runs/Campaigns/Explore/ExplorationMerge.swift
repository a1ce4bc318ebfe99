import Artifacts
import Basics
import Foundation
import Orchestration
import UV

/// Explorations of several folders, parts of one, become one.
package struct ExplorationMerge {
    package private(set) var exploration: Exploration
    package private(set) var findings: [Finding] = []
    /// How many parts were taken, and how many were known.
    package private(set) var taken = 1
    package private(set) var known = 0

    /// The names of the files in which an exploration and its findings are kept.
    package struct Files: Sendable {
        package let exploration: String
        package let findings: String

        /// What `explore` leaves.
        package static let ofExplore = Files(
            exploration: "explore.json", findings: "findings.json")
        /// What a part of the search of `conform` leaves.
        package static let ofConform = Files(
            exploration: "search.json", findings: "search-findings.json")
    }

    /// Joins the explorations of folders, in any order.
    ///
    /// - Throws: `WrongUse` where two do not fit, `InputError` and `Replay.ReadError` for a file that is none.
    package init(of folders: [String], called files: Files) throws {
        exploration = try Self.exploration(in: folders[0], called: files)
        for folder in folders.dropFirst() {
            let other = try Self.exploration(in: folder, called: files)
            guard other.plan == exploration.plan else {
                throw WrongUse(
                    "\(folder): it is no part of the exploration of \(folders[0]); expected the same "
                        + "topologies, strategy, faults, defects, first seed and version")
            }
            try join(other, of: folder)
        }
        let all = try folders.flatMap { try Self.findings(in: "\($0)/\(files.findings)") }
        findings = exploration.examples.map { failure in
            // The part that has played the first run of all has repeated it.
            var finding =
                all.first {
                    $0.fingerprint == failure.fingerprint && $0.digest == failure.first.digest
                } ?? Finding(interrupted: failure)
            finding.runs = failure.runs
            return finding
        }
    }

    /// Joins what `explore` has left in folders with what stands in `out` from an earlier call, and keeps it there.
    package init(of parts: [String], into out: String) throws {
        let files = Files.ofExplore
        let own = "\(out)/\(files.exploration)"
        try OutputTree.prepare(out)
        let lock = try FileLock("\(out)/.explore.lock", for: own)
        defer { lock.release() }
        let isBegun = InputFile.exists(own)
        self = try ExplorationMerge(of: (isBegun ? [out] : []) + parts, called: files)
        if isBegun { taken -= 1 }
        try exploration.keep(in: own)
        try KeptResults.write(
            ExplorationReport(exploration, findings: findings), as: files.findings, in: out)
    }

    private mutating func join(_ other: Exploration, of folder: String) throws {
        if other.done.isSubset(of: exploration.done) {
            known += 1
        } else if other.done.isDisjoint(with: exploration.done) {
            exploration.join(other)
            taken += 1
        } else {
            throw WrongUse(
                "\(folder): some of its lots are there already, and some are not; join the parts anew, into "
                    + "an empty folder")
        }
    }

    private static func exploration(
        in folder: String, called files: Files
    ) throws -> Exploration {
        let file = "\(folder)/\(files.exploration)"
        let exploration = try Exploration(file: file)
        guard exploration.plan.tool == Tool.name else {
            throw Replay.ReadError(
                "\(file): it was written by \(plainLine(exploration.plan.tool)), and this is \(Tool.name); join "
                    + "parts with the version that has played them")
        }
        guard exploration.orders == nil else {
            throw WrongUse(
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
