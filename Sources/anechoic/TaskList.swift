import Foundation
import Orchestration
import Topologies

/// The topologies that the paths of a command line mean.
struct TaskList {
    /// One topology file.
    struct Entry {
        let name: String
        let file: String
        let bytes: [UInt8]

        func topology() throws -> Topology {
            try Topology(parsing: bytes, name: name, file: file)
        }
    }

    let entries: [Entry]

    /// Reads the files.
    ///
    /// - Throws: `TopologyError` where a path does not exist or a folder holds no topology.
    init(paths: [String]) throws {
        var entries: [Entry] = []
        for path in paths {
            for found in try TopologyFile.find(in: path) {
                guard !entries.contains(where: { $0.file == found.path }) else { continue }
                entries.append(
                    Entry(name: found.name, file: found.path, bytes: try found.bytes()))
            }
        }
        self.entries = entries
    }

    /// A run for every topology and seed, after all files have been checked.
    ///
    /// - Throws: `TopologyError` for the first file that is wrong, `WrongDefect` for the first that has
    ///   not what a defect is for.
    func tasks(
        seeds: ClosedRange<UInt64>, defects: [RunSettings.Defect]
    ) throws -> [RunTask] {
        for entry in entries {
            var topology = try entry.topology()
            for defect in defects { try topology.switchOn(defect) }
        }
        return entries.flatMap { entry in
            seeds.map { seed in
                RunTask(
                    name: entry.name, file: entry.file,
                    text: String(decoding: entry.bytes, as: UTF8.self), seed: seed)
            }
        }
    }
}
