import Artifacts
import Basics
import Foundation
import Reports

/// The runs that a soak leaves, within a size: what goes first where they take more.
///
/// First go runs that hold, which `explain` has laid beside a failure; then examples of a failure of which there
/// is a smaller one; then what an example has beside its smallest form. The oldest goes first each time. What the
/// latest campaign has found stays whole but for runs that hold, and the smallest example of a failure never goes.
package struct KeptRuns {
    private struct Example {
        let path: String
        let fingerprint: String
        /// The bytes of the replay file of its smallest form.
        let size: Int
        /// When it was written.
        let written: Int
        let isShrunk: Bool
    }

    private let folder: String
    private let most: Int
    /// The folders that nobody may touch, by their paths.
    private let inUse: Set<String>
    /// Bytes on the disk.
    package private(set) var size: Int
    /// How many bytes were removed.
    package private(set) var removed = 0

    /// - Parameters:
    ///   - folder: That of the soak.
    ///   - most: The most bytes that it may take.
    ///   - replays: The replay files of what the latest campaign has found.
    package init(in folder: String, most: Int, but replays: [String]) {
        (self.folder, self.most) = (folder, most)
        inUse = Set(replays.map(parentFolder(of:)))
        size = Self.size(of: folder)
    }

    /// Removes what goes until the rest is small enough, or nothing is left that may go.
    ///
    /// - Throws: `ArtifactError` where somebody uses what would go.
    package mutating func trim() throws {
        guard size > most else { return }
        let examples = try examples()
        let smallest = Dictionary(grouping: examples, by: \.fingerprint).values.compactMap {
            $0.min { ($0.size, -$0.written, $0.path) < ($1.size, -$1.written, $1.path) }?.path
        }
        for example in examples where size > most {
            try remove("\(example.path)/shrunk/explained/passing")
            try remove("\(example.path)/explained/passing")
        }
        let free = examples.filter { !inUse.contains($0.path) }
        for example in free where size > most && !smallest.contains(example.path) {
            try remove(example.path)
        }
        for example in free where size > most && example.isShrunk {
            try removeLonger(of: example.path)
        }
    }

    /// The examples, oldest first.
    private func examples() throws -> [Example] {
        let all = try OutputTree.runs(in: folder).filter {
            !$0.split(separator: "/").contains { ["shrunk", "explained"].contains($0) }
        }
        return all.compactMap { run in
            let path = "\(folder)/\(run)"
            // One that cannot be read is none of ours, and stays.
            let report = try? InputFile.decode(
                RunReport.self, from: "\(path)/verdict.json", as: "a verdict.json")
            guard let fingerprint = report?.fingerprint else { return nil }
            let isShrunk = InputFile.exists("\(path)/shrunk/replay.json")
            let replay = Self.status(of: path + (isShrunk ? "/shrunk" : "") + "/replay.json")
            return Example(
                path: path, fingerprint: fingerprint, size: Int(replay?.st_size ?? .max),
                written: replay?.st_mtim.tv_sec ?? 0, isShrunk: isShrunk)
        }.sorted { ($0.written, $0.path) < ($1.written, $1.path) }
    }

    private mutating func remove(_ path: String) throws {
        guard InputFile.isFolder(path) else { return }
        let before = Self.size(of: path)
        try OutputFolder.removeAll(below: path)
        count(before - Self.size(of: path))
    }

    /// Removes the trace and the captures of an example of which there is a smaller form; its replay file and
    /// its verdict stay.
    private mutating func removeLonger(of path: String) throws {
        let before = Self.size(of: path)
        let run = try OutputFolder(path, for: [])
        defer { run.close() }
        run.removeFiles { !["replay.json", "verdict.json"].contains($0) }
        for part in ["captures", "logs"] { rmdir("\(path)/\(part)") }
        count(before - Self.size(of: path))
    }

    private mutating func count(_ bytes: Int) {
        size -= bytes
        removed += bytes
    }

    // MARK: Sizes

    /// What a folder takes on the disk, in bytes; 0 where there is none.
    private static func size(of folder: String) -> Int {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return ([""] + all.map { "/\($0)" }).reduce(0) { sum, name in
            sum + (status(of: folder + name).map { Int($0.st_blocks) * 512 } ?? 0)
        }
    }

    private static func status(of path: String) -> stat? {
        var found = stat()
        return lstat(path, &found) == 0 ? found : nil
    }
}
