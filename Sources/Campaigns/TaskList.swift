internal import Foundation
package import Orchestration
internal import Reports
package import Scenarios
internal import Topologies

/// The topologies that the paths of a command line name.
package struct TaskList {
    /// A topology file that was read, and not yet checked.
    package struct Entry {
        package let name: String
        package let file: String
        package let bytes: [UInt8]

        package func topology() throws -> Topology {
            try Topology(parsing: bytes, name: name, file: file)
        }

        fileprivate func task(playing topology: Topology, seed: UInt64) -> RunTask {
            let text = String(decoding: bytes, as: UTF8.self)
            return RunTask(
                name: name, file: file, document: TopologyDocument(text, saying: topology),
                seed: seed)
        }
    }

    package let entries: [Entry]

    init(entries: [Entry]) { self.entries = entries }

    /// Reads the files.
    ///
    /// - Throws: `DocumentError` where a path does not exist or a folder holds no topology.
    package init(paths: [String]) throws {
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

    /// A run for every topology and seed, made when it is asked for: there may be millions.
    package struct Tasks: RandomAccessCollection {
        /// A run of each topology, by the first seed.
        package let ofOneSeed: [RunTask]
        fileprivate let seeds: ClosedRange<UInt64>
        /// The indices of the runs to play; nil for all.
        fileprivate var picked: [Int]?
        /// The first device that dials in: there is one socket for it, and so one run at a time.
        package let firstDialIn: String?

        package var startIndex: Int { 0 }
        package var endIndex: Int { picked?.count ?? ofOneSeed.count * seeds.count }

        package subscript(index: Int) -> RunTask { task(picked?[index] ?? index) }

        private func task(_ place: Int) -> RunTask {
            let (entry, seed) = place.quotientAndRemainder(dividingBy: seeds.count)
            var task = ofOneSeed[entry]
            task.seed = seeds.lowerBound + UInt64(seed)
            return task
        }
    }

    /// The topologies of runs that failed, each once.
    ///
    /// - Throws: `InputError` where one of their files no longer exists.
    package init(of last: LastFailed) throws {
        var entries: [Entry] = []
        for run in last.failed where !entries.contains(where: { $0.name == run.name }) {
            let bytes = [UInt8](try InputFile.contents(run.file, expected: "a topology"))
            entries.append(Entry(name: run.name, file: run.file, bytes: bytes))
        }
        self.entries = entries
    }

    /// The failed runs whose topologies are in the list.
    ///
    /// - Throws: As ``tasks(seeds:defects:)`` does, and `WrongUse` where none of them is.
    package func tasks(of last: LastFailed, defects: [RunSettings.Defect]) throws -> Tasks {
        let seeds = last.failed.map(\.seed)
        var tasks = try self.tasks(
            seeds: (seeds.min() ?? 1)...(seeds.max() ?? 1), defects: defects)
        let count = tasks.seeds.count
        let picked = last.failed.compactMap { run in
            entries.firstIndex { $0.name == run.name }.map {
                $0 * count + Int(run.seed - tasks.seeds.lowerBound)
            }
        }
        guard !picked.isEmpty else {
            throw WrongUse(description: "--last-failed: none of these topologies failed")
        }
        tasks.picked = picked
        return tasks
    }

    /// A run for every topology and seed, after all files have been checked.
    ///
    /// - Throws: `DocumentError` for the first file that is wrong, `WrongDefect` for the first that lacks
    ///   what a defect is for, `WrongUse` where two files would write into one folder.
    package func tasks(seeds: ClosedRange<UInt64>, defects: [RunSettings.Defect]) throws -> Tasks {
        var firstDialIn: String?
        var tasks: [RunTask] = []
        for (index, entry) in entries.enumerated() {
            let read = try entry.topology()
            tasks.append(entry.task(playing: read, seed: seeds.lowerBound))
            var topology = read
            for defect in defects { try topology.switchOn(defect) }
            firstDialIn = firstDialIn ?? topology.devices.first(where: \.dialsIn)?.name
            if let other = entries[..<index].first(where: { $0.name == entry.name }) {
                throw WrongUse(
                    description:
                        "\(other.file) and \(entry.file) are both called \(entry.name) and "
                        + "would write into one folder; give the folder above them instead")
            }
        }
        return Tasks(ofOneSeed: tasks, seeds: seeds, picked: nil, firstDialIn: firstDialIn)
    }
}

extension DeviceSpec {
    /// Whether it is waited for instead of started.
    package var dialsIn: Bool {
        if case .dialsIn = program { return true }
        return false
    }
}

extension Topology {
    /// - Throws: `GoesByTheWallClock` where a device does; `WrongUse` where one dials in: only `run` and `replay`
    ///   announce its socket.
    package func demandRepeatableRuns() throws {
        try demandVirtualTime()
        guard let device = devices.first(where: \.dialsIn) else { return }
        throw WrongUse(
            description:
                "\(name): \(device.name) dials in; expected devices that can be started (run:), "
                + "because only run and replay wait for others")
    }

    /// - Throws: `WrongUse` where one of the devices cannot live inside this process.
    package func refuseInline() throws {
        guard let inlineObstacle else { return }
        throw WrongUse(description: "--hosting inline: \(inlineObstacle)")
    }
}

/// A command line that asks for something impossible.
package struct WrongUse: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}
