package import Artifacts
import Basics
import Foundation
package import Orchestration
package import Reports
import Traces

/// Plays runs, in this process or in workers, and shows the results.
package struct Campaign {
    package let settings: RunSettings
    let jobs: Int?
    let format: OutputFormat
    /// How results are shown, and when the campaign stops.
    let manner: Manner

    /// How results are shown, and when a campaign stops.
    package struct Manner {
        /// Whether runs that held are only counted.
        package var isQuiet = false
        /// Whether each run is shown, and all that is wrong with it.
        package var isVerbose = false
        /// Whether no other run begins after this one.
        package var stops: (RunReport) -> Bool = { _ in false }
        /// Who else hears of each run, in whatever sequence they end.
        package var onReport: (RunReport, RunTask) -> Void = { _, _ in }
        /// What these runs are called where somebody is told how far they are: `suite: `.
        package var name = ""
        /// How many runs the command plays behind these.
        package var later = 0
        /// Colours of what is shown.
        package var ink = Ink(.never)

        /// Shows and plays everything.
        package init() {}
    }

    package init(
        _ settings: RunSettings, jobs: Int?, format: OutputFormat, manner: Manner = Manner()
    ) {
        self.settings = settings
        self.jobs = jobs
        self.format = format
        self.manner = manner
    }

    /// Plays all runs, and shows them or writes each into `document`, which the caller finishes.
    ///
    /// Many runs are spread over workers, one for each core; an inline device that crashes then ends a worker
    /// only, and a library of somebody else's is loaded into workers only. `last` lists earlier failures, some of which may not be played now.
    package func run(
        _ tasks: TaskList.Tasks, into document: ResultsDocument? = nil,
        after last: LastFailed? = nil
    ) throws -> ExitStatus {
        var ledger = Ledger(notesPlayed: last != nil)
        let list = document == nil && format == .json ? ResultsDocument() : nil
        var stream = (document ?? list).map(ResultStream.init)
        do {
            let results = try results(of: tasks, keepsAll: stream == nil && tasks.count <= 40) {
                ledger.take($0, of: tasks[$1])
                manner.onReport($0, tasks[$1])
                try stream?.take($0, at: $1)
            }
            try stream?.finish()
            let status = Interruption.isHere ? ExitStatus.interrupted : results.status
            try list?.finish(status)
            if stream == nil, format == .text { try show(raw: text(results)) }
            if let tree = settings.files.tree, !ledger.isEmpty {
                try ledger.failed.keeping(last, but: ledger.played).write(into: tree)
            }
            return status
        } catch {
            // What was written so far is one whole document all the same.
            try stream?.finish()
            if list?.isBegun == true { try list?.finish(.harnessError) }
            throw error
        }
    }

    /// What `--last-failed` needs to know about this campaign.
    private struct Ledger {
        /// Whether played runs are noted; there may be millions.
        let notesPlayed: Bool
        private(set) var played: Set<LastFailed.Run> = []
        private var runs: [LastFailed.Run] = []
        private(set) var isEmpty = true

        init(notesPlayed: Bool) { self.notesPlayed = notesPlayed }

        var failed: LastFailed { LastFailed(runs) }

        mutating func take(_ report: RunReport, of task: RunTask) {
            // What was refused, or cut short, says nothing.
            guard ![.interrupted, .wrongFile, .wrongUse].contains(report.status) else { return }
            isEmpty = false
            let run = LastFailed.Run(name: task.name, file: task.file, seed: task.seed)
            if notesPlayed { played.insert(run) }
            if report.status != .held { runs.append(run) }
        }
    }

    /// Plays all runs, and shows only its progress.
    ///
    /// Unless `keepsAll` is set, it keeps only as many reports as a person reads; `onReport` gets each, with
    /// the index of its task.
    package func results(
        of tasks: some RandomAccessCollection<RunTask>, keepsAll: Bool,
        onReport: @escaping (RunReport, Int) throws -> Void = { _, _ in }
    ) throws -> Results {
        if let folder = settings.files.tree { try OutputTree.prepare(folder) }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let jobs = min(self.jobs ?? (settings.clock == .wall ? 1 : cores), tasks.count)
        var results = Results(
            total: tasks.count,
            most: manner.isVerbose || (keepsAll && !manner.isQuiet) ? nil : Self.rows)
        var isStopped = false
        let display = ProgressDisplay(
            at: tasks.count > 1
                ? .ofStandardError(sparingTerminal: format != .text && isatty(1) == 1) : .nowhere)
        defer { display.end() }
        let take = { [manner] (report: RunReport, index: Int) in
            results.take(report, at: index)
            if manner.stops(report) { isStopped = true }
            try onReport(report, index)
            display.show(manner.name, done: results.done, of: results.total, later: manner.later)
        }
        let isOver = { isStopped }
        if jobs > 1 || (settings.hosting == .inline && (tasks.count > 1 || tasks.loadLibraries)) {
            try runByWorkers(tasks, jobs: jobs, until: isOver, onReport: take)
        } else {
            try runHere(tasks, until: isOver, onReport: take)
        }
        return results
    }

    private func runHere(
        _ tasks: some RandomAccessCollection<RunTask>, until isOver: () -> Bool,
        onReport take: (RunReport, Int) throws -> Void
    ) throws {
        try LocalRunner.with(settings) { runner in
            for (index, task) in tasks.enumerated() where !Interruption.isHere && !isOver() {
                try take(runner.run(task), index)
            }
        }
    }

    /// Repeats one run, compares it with the recorded one, and halts where it should.
    ///
    /// A run that is left at its halt is not shown here, unless it had already failed.
    package func replay(
        _ recording: Replay, trace: String?, halt: Halt?, into document: ResultsDocument? = nil
    ) throws -> ExitStatus {
        if let folder = settings.files.tree { try OutputTree.prepare(folder) }
        let report = try repeated(recording, trace: trace, halt: halt)
        manner.onReport(report, recording.task)
        if report.ended == RunReport.left {
            if let failure = report.failure { printError(failure) }
            return report.status
        }
        if let document {
            try document.add(report)
        } else if format == .json {
            try write(json([report]), to: STDOUT_FILENO)
        } else if format == .text {
            var results = Results(total: 1, most: nil)
            results.take(report, at: 0)
            try show(raw: text(results))
        }
        return report.status
    }

    private func repeated(_ recording: Replay, trace: String?, halt: Halt?) throws -> RunReport {
        let task = recording.task
        guard settings.hosting == .inline, [task].loadLibraries else {
            return try LocalRunner.with(settings) {
                $0.run(task, repeating: recording, trace: trace, halt: halt)
            }
        }
        guard halt == nil else {
            throw WrongUse(
                "inline a program of yours is loaded into a worker, which cannot halt; "
                    + "use --hosting process")
        }
        var rest = [RecordedTask(recording, trace: trace)]
        var reports: [RunReport] = []
        try WorkerPool<RecordedTask>.run(
            jobs: 1, silence: settings.mostSilence,
            executable: "\(settings.processes.programs)/anechoic",
            arguments: try WorkerName.recordings.arguments(settings)
        ) {
            rest.popLast()
        } onResult: { _, result in
            reports.append(try settings.report(result, of: task))
        }
        guard let report = reports.first else { throw Interruption() }
        return report
    }

    private func runByWorkers(
        _ tasks: some RandomAccessCollection<RunTask>, jobs: Int,
        until isOver: @escaping () -> Bool, onReport take: @escaping (RunReport, Int) throws -> Void
    ) throws {
        var rest = tasks.enumerated().makeIterator()
        try WorkerPool.run(
            jobs: jobs, silence: settings.mostSilence,
            executable: "\(settings.processes.programs)/anechoic",
            arguments: try WorkerName.runs.arguments(settings),
            next: { isOver() ? nil : rest.next().map(NumberedTask.init) }
        ) { task, result in
            try take(settings.report(result, of: task.run), task.number)
        }
    }

    /// The most rows and stories that a person reads.
    private static let (rows, stories, idleSteps) = (200, 10, 20)

    private func text(_ results: Results) -> String {
        var text = table(results)
        let failing = results.failing
        text +=
            manner.ink(
                Console.summary(results.counts, of: results.total), as: failing > 0 ? .bad : .good)
            + "\n"
        if !manner.isQuiet {
            for line in results.scripts.lines(atMost: Self.idleSteps) { text += plain(line) + "\n" }
            for line in results.ownPromises.lines(atMost: Self.idleSteps) {
                text += plain(line) + "\n"
            }
        }
        let stories = results.reports.lazy.compactMap { [manner] in
            Console.story($0, all: manner.isVerbose)
        }.prefix(manner.isVerbose ? .max : Self.stories)
        for story in stories { text += "\n\(manner.ink.story(plain(story)))\n" }
        if let more = (failing - Array(stories).count).more {
            text += "\n… \(more)\(whereabouts(results))\n"
        }
        return text
    }

    private func table(_ results: Results) -> String {
        let rows = results.reports.filter { !manner.isQuiet || $0.status != .held }.prefix(
            manner.isVerbose ? .max : Self.rows)
        guard !rows.isEmpty else { return "" }
        let table = Console.table(Array(rows))
        var text = manner.ink(table[0], as: .bold) + "\n"
        for (row, report) in zip(table.dropFirst(), rows) {
            text += manner.ink(row, as: report.status == .held ? .plain : .bad) + "\n"
        }
        let failing = rows.count { $0.status != .held }
        if let more = (results.failing - failing).more { text += "… \(more)\n" }
        return text
    }

    private func whereabouts(_ results: Results) -> String {
        settings.files.tree == nil || results.unwritten > 0
            ? "" : "; their verdicts are in the output tree"
    }
}

/// A run with its number; only the run is sent to a worker.
private struct NumberedTask: Encodable, TopologyTask {
    let number: Int
    let run: RunTask

    var document: TopologyDocument { run.document }

    init(_ place: (offset: Int, element: RunTask)) { (number, run) = place }

    func encode(to encoder: any Encoder) throws { try run.encode(to: encoder) }
}

extension RandomAccessCollection<RunTask> {
    /// Whether the first one loads a library of somebody else's where devices are inline; what is wrong with its topology
    /// is said where it is played.
    fileprivate var loadLibraries: Bool { (try? first?.topology().loadsLibraries) ?? false }
}

extension RunReport {
    /// A run that ended its worker: where a device's library has taken it along, that device's failure; else an error of
    /// ours, because devices by process cannot end a worker.
    init(_ task: RunTask, with settings: RunSettings, ending death: WorkerDied) {
        let accused = settings.failure(death, in: task)
        self.init(
            topology: task.name, seed: task.seed,
            scheduler: settings.schedulerName(seed: task.seed),
            status: accused == nil ? .harnessError : .deviceFailed,
            ended: RunEnding.abandoned.rawValue, digest: "", steps: 0, simulated: 0)
        sweptFault = task.sweptFault
        failure =
            accused?.description
            ?? "\(death.reason) during this run: "
            + (settings.hosting == .inline
                ? "an inline device or the orchestrator; run it with --hosting process to see which"
                : "an error of anechoic, and of no device; please report it with this topology and seed")
        replay = settings.replayCommand(for: task) ?? settings.runCommand(for: task)
    }
}

extension RunSettings {
    /// What a worker has answered, or what became of it.
    func report(_ result: Result<Data, WorkerDied>, of task: RunTask) throws -> RunReport {
        switch result {
        case .success(let line): try WorkerLine.decode(RunReport.self, from: line)
        case .failure(let death): RunReport(task, with: self, ending: death)
        }
    }

    /// What the device did that has taken a worker along; nil where none has.
    fileprivate func failure(_ death: WorkerDied, in task: RunTask) -> DeviceFailure? {
        guard let culprit = death.culprit, let topology = try? task.topology(),
            topology.devices.indices.contains(culprit.device)
        else { return nil }
        let how =
            culprit.isHung
            ? "it did not end its turn within \(processes.watchdog) ms; --watchdog gives it longer"
            : "\(death.reason), with its library loaded; --hosting process gives it a process of its own"
        return DeviceFailure(
            device: culprit.device, name: topology.devices[culprit.device].name,
            kind: culprit.isHung ? .hang : .crash, reason: how)
    }
}

extension RunSettings {
    /// The command that repeats a run from its topology file; nil if the file has another text by now.
    fileprivate func runCommand(for task: RunTask) -> String? {
        guard let bytes = FileManager.default.contents(atPath: task.file),
            String(decoding: bytes, as: UTF8.self) == task.text
        else { return nil }
        let switched = defects.map { " --defect \(shellWord("\($0.device)=\($0.name)"))" }
        let inline = hosting == .inline && [task].loadLibraries ? " --hosting inline" : ""
        return "\(files.command) run \(shellWord(task.file)) --seed \(task.seed) --scheduler "
            + schedulerName(seed: task.seed) + inline + switched.joined()
    }
}
