import Artifacts
import Foundation
package import Orchestration
package import Scenarios
package import Topologies

/// The topologies that the paths of a command line name.
package struct TaskList {
    /// A topology file that was read, and not yet checked.
    package struct Entry {
        package let name: String
        package let file: String
        package let bytes: [UInt8]
        /// The run of it in which other programs play its devices; nil where it is played as it is.
        fileprivate var played: Trial?

        package func topology() throws -> Topology {
            try Topology(parsing: bytes, name: name, file: file)
        }

        /// Its run with a seed, as the file says.
        package func task(named name: String, seed: UInt64) -> RunTask {
            RunTask(
                name: name, file: file, text: String(decoding: bytes, as: UTF8.self), seed: seed)
        }

        /// Its run with a seed, after it has been checked.
        fileprivate func checkedTrial(seed: UInt64) throws -> Trial {
            // The file itself has to be right, whoever plays it.
            let read = try topology()
            guard var trial = played else {
                var task = task(named: name, seed: seed)
                task.document = TopologyDocument(task.text, saying: read)
                return Trial(task)
            }
            trial.task.seed = seed
            trial.task = try trial.task.read()
            return trial
        }
    }

    package let entries: [Entry]

    init(entries: [Entry]) { self.entries = entries }

    /// Reads the files.
    ///
    /// - Throws: `DocumentError` where a path does not exist or a folder holds no topology.
    package init(paths: [String]) throws {
        entries = try TopologyFile.distinct(paths.flatMap(TopologyFile.find)).map { found in
            Entry(name: found.name, file: found.path, bytes: try found.bytes())
        }
    }

    package func omitting(_ isOmitted: (_ name: String) -> Bool) -> TaskList {
        TaskList(entries: entries.filter { !isOmitted($0.name) })
    }

    /// The topologies in which programs of the command line play devices.
    ///
    /// What a topology expects is dropped, because it was written for the devices that are replaced. Left out is what
    /// expects a violation, for which it needs those devices, and what has no device to replace.
    ///
    /// - Returns: The list, and in words what is not as its files say.
    /// - Throws: `DocumentError` for the first file that is wrong, `WrongUse` where nothing is left.
    package func played(
        accessory: TopologyVariant.Program?, app: TopologyVariant.Program?
    ) throws -> (list: TaskList, notes: [String]) {
        guard accessory != nil || app != nil else { return (self, []) }
        var variant = TopologyVariant()
        (variant.accessory, variant.app, variant.expectsNothing) = (accessory, app, true)
        var (fit, sick, strange, unjudged): ([Entry], Int, Int, Int) = ([], 0, 0, 0)
        for entry in entries {
            let topology = try entry.topology()
            guard topology.mustViolate.isEmpty else { sick += 1; continue }
            guard topology.hasDevice(for: variant) else { strange += 1; continue }
            if !topology.expectations.isEmpty { unjudged += 1 }
            var (entry, task) = (entry, entry.task(named: entry.name, seed: 1))
            let original = task.played(by: variant)
            entry.played = Trial(task, of: variant) { $0.text(of: original) }
            fit.append(entry)
        }
        guard !fit.isEmpty else {
            throw WrongUse(
                "no topology is left to play: expected one that expects no violation and "
                    + "has a device for the program (profile: for --accessory, model: for --app)")
        }
        let notes = [
            (sick, "omitted: %, because a violation is expected"),
            (strange, "omitted: %, because no device can be replaced"),
            (unjudged, "not judged: what is expected in %, of the devices that were replaced"),
        ]
        return (
            TaskList(entries: fit),
            notes.filter { $0.0 > 0 }.map { count, words in
                words.replacing("%", with: count.counted("topology", plural: "topologies"))
            }
        )
    }

    /// A run for every topology and seed, made when it is asked for: there may be millions.
    package struct Tasks: RandomAccessCollection {
        /// A run of each topology, by the first seed.
        package var ofOneSeed: [RunTask] { trials.map(\.task) }
        /// The same, with what can be left out where a device refuses it.
        package fileprivate(set) var trials: [Trial]
        fileprivate let seeds: ClosedRange<UInt64>
        /// The indices of the runs to play; nil for all.
        fileprivate var picked: [Int]?
        /// The first device that dials in: there is one socket for it, and so one run at a time.
        package let firstDialIn: String?

        package var startIndex: Int { 0 }
        package var endIndex: Int { picked?.count ?? trials.count * seeds.count }

        package subscript(index: Int) -> RunTask { task(picked?[index] ?? index) }

        private func task(_ place: Int) -> RunTask {
            let (entry, seed) = place.quotientAndRemainder(dividingBy: seeds.count)
            var task = trials[entry].task
            task.seed = seeds.lowerBound + UInt64(seed)
            return task
        }

        /// Those that devices play, each as they play it.
        package func playing(_ repertoire: Repertoire) -> Tasks {
            var tasks = self
            tasks.trials = repertoire.tasks.map { Trial($0) }
            let names = tasks.trials.map(\.task.name)
            tasks.picked = picked?.compactMap { index in
                let (entry, seed) = index.quotientAndRemainder(dividingBy: seeds.count)
                return names.firstIndex(of: trials[entry].task.name).map {
                    $0 * seeds.count + seed
                }
            }
            return tasks
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
            throw WrongUse("--last-failed: none of these topologies failed")
        }
        tasks.picked = picked
        return tasks
    }

    /// A run for every topology and seed, after all files have been checked.
    ///
    /// - Throws: `DocumentError` for the first file that is wrong, `WrongName` for the first that lacks
    ///   what a defect is for.
    package func tasks(seeds: ClosedRange<UInt64>, defects: [RunSettings.Defect]) throws -> Tasks {
        var firstDialIn: String?
        var trials: [Trial] = []
        for entry in entries {
            let trial = try entry.checkedTrial(seed: seeds.lowerBound)
            let topology = try trial.task.topology(with: defects)
            firstDialIn = firstDialIn ?? topology.devices.first(where: \.dialsIn)?.name
            trials.append(trial)
        }
        return Tasks(trials: trials, seeds: seeds, picked: nil, firstDialIn: firstDialIn)
    }
}

extension DeviceSpec {
    /// Whether it is waited for instead of started.
    package var dialsIn: Bool {
        if case .dialsIn = program { true } else { false }
    }
}

extension Topology {
    /// Whether it has a reference device that one of a variant's programs plays instead.
    fileprivate func hasDevice(for variant: TopologyVariant) -> Bool {
        devices.contains { device in
            switch device.program {
            case .accessory: variant.accessory != nil
            case .appleDevice: variant.app != nil
            case .executable, .host, .dialsIn: false
            }
        }
    }

    /// - Throws: `GoesByTheWallClock` where a device does; `WrongUse` where one dials in: only `run` and `replay`
    ///   announce its socket.
    package func demandRepeatableRuns() throws {
        try demandVirtualTime()
        guard let device = devices.first(where: \.dialsIn) else { return }
        throw WrongUse(
            "\(name): \(device.name) dials in; expected devices that can be started (run:), "
                + "because only run and replay wait for others")
    }

    /// - Throws: `WrongUse` where one of the devices cannot live inside this process.
    package func refuseInline() throws {
        guard let inlineObstacle else { return }
        throw WrongUse("--hosting inline: \(inlineObstacle)")
    }
}

/// A command line that asks for something impossible.
package struct WrongUse: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
