internal import Foundation
package import Orchestration
package import Reports
internal import Simulation

/// Does runs, here or in worker processes, and shows what became of them.
package struct Campaign {
    package let settings: RunSettings
    let jobs: Int?
    let format: OutputFormat

    package init(_ settings: RunSettings, jobs: Int?, format: OutputFormat) {
        self.settings = settings
        self.jobs = jobs
        self.format = format
    }

    /// Does all runs.
    ///
    /// Many runs are spread over workers, one for each core, also because an inline device that
    /// crashes takes its process with it.
    package func run(_ tasks: TaskList.Tasks) throws -> ExitStatus {
        guard format == .json else {
            let results = try results(of: tasks, keepsAll: tasks.count <= 40)
            try show(text(results))
            return Interruption.isHere ? .interrupted : results.status
        }
        var stream = ResultStream()
        do {
            let results = try results(of: tasks, keepsAll: false) {
                try stream.take($0, at: $1)
            }
            try stream.finish()
            return Interruption.isHere ? .interrupted : results.status
        } catch {
            // What was written so far is one whole document all the same.
            if stream.isBegun { try stream.finish() }
            throw error
        }
    }

    /// Does all runs and shows nothing but how far it is.
    ///
    /// Unless all reports are kept, there are only as many as a person reads; `onReport` gets each, with the
    /// place of its task.
    package func results(
        of tasks: some RandomAccessCollection<RunTask>, keepsAll: Bool,
        onReport: @escaping (RunReport, Int) throws -> Void = { _, _ in }
    ) throws -> Results {
        if let folder = settings.output { try OutputTree.prepare(folder) }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let jobs = min(self.jobs ?? (settings.clock == .wall ? 1 : cores), tasks.count)
        var results = Results(total: tasks.count, most: keepsAll ? nil : Self.rows)
        let take = { (report: RunReport, index: Int) in
            results.take(report, at: index)
            try onReport(report, index)
            progress(results)
        }
        if jobs > 1 || (tasks.count > 1 && settings.hosting == .inline) {
            try runByWorkers(tasks, jobs, take)
        } else {
            try runHere(tasks, take)
        }
        return results
    }

    private func runHere(
        _ tasks: some RandomAccessCollection<RunTask>, _ take: (RunReport, Int) throws -> Void
    ) throws {
        try LocalRunner.with(settings) { runner in
            for (index, task) in tasks.enumerated() where !Interruption.isHere {
                try take(runner.run(task), index)
            }
        }
    }

    /// Repeats one run, compares it with the recorded one, and halts where it should.
    ///
    /// Of a run that is left at its halt nothing is shown here, unless it had already gone wrong.
    package func replay(_ recording: Replay, trace: String?, halt: Halt?) throws -> ExitStatus {
        if let folder = settings.output { try OutputTree.prepare(folder) }
        let report = try LocalRunner.with(settings) {
            $0.run(recording.task, repeating: recording, trace: trace, halt: halt)
        }
        if report.ended == RunReport.left {
            if let failure = report.failure { printError(failure) }
            return report.status
        }
        switch format {
        case .json: try write(json([report]), to: STDOUT_FILENO)
        case .text:
            var results = Results(total: 1, most: nil)
            results.take(report, at: 0)
            try show(text(results))
        }
        return report.status
    }

    private func runByWorkers(
        _ tasks: some RandomAccessCollection<RunTask>, _ jobs: Int,
        _ take: @escaping (RunReport, Int) throws -> Void
    ) throws {
        var rest = tasks.enumerated().makeIterator()
        try WorkerPool.run(
            jobs: jobs, executable: "\(settings.programs)/anechoic",
            arguments: [WorkerName.runs, try settings.argument],
            next: { rest.next().map(NumberedTask.init) }
        ) { task, result in
            switch result {
            case .success(let line):
                try take(JSONDecoder().decode(RunReport.self, from: line), task.number)
            case .failure(let death):
                try take(RunReport(crashed: task.run, settings, death.reason), task.number)
            }
        }
    }

    /// A line on the terminal that says how far we are.
    private func progress(_ results: Results) {
        guard isatty(2) == 1, results.total > 1, format == .text || isatty(1) != 1 else { return }
        let end = results.done == results.total ? "\r\u{1B}[K" : ""
        let line = "\r\u{1B}[K\(results.done)/\(results.total) runs\(end)"
        try? write(Data(line.utf8), to: STDERR_FILENO)
    }

    /// The most rows and stories that a person reads.
    private static let (rows, stories, idleSteps) = (200, 10, 20)

    private func text(_ results: Results) -> String {
        let reports = results.reports
        var text = ""
        let rows = reports.prefix(Self.rows)
        if !rows.isEmpty { text += Console.table(Array(rows)) + "\n" }
        let failing = rows.count { $0.status != .held }
        if results.failing > failing { text += "… and \(results.failing - failing) more\n" }
        text += Console.summary(results.counts, of: results.total) + "\n"
        for line in results.scripts.lines(atMost: Self.idleSteps) { text += line + "\n" }
        for line in results.ownPromises.lines(atMost: Self.idleSteps) { text += line + "\n" }
        let stories = reports.lazy.compactMap(Console.story).prefix(Self.stories)
        for story in stories { text += "\n\(story)\n" }
        let rest = results.failing - Array(stories).count
        if rest > 0 { text += "\n… and \(rest) more\(whereabouts(results))\n" }
        return text
    }

    private func whereabouts(_ results: Results) -> String {
        settings.output == nil || results.unwritten > 0
            ? "" : "; their verdicts are in the output tree"
    }
}

/// One of many runs; a worker is told the run only.
private struct NumberedTask: Encodable {
    let number: Int
    let run: RunTask

    init(_ place: (offset: Int, element: RunTask)) { (number, run) = place }

    func encode(to encoder: any Encoder) throws { try run.encode(to: encoder) }
}

extension RunReport {
    /// A run whose worker died of it, which is an error of ours: what devices by process do, no worker
    /// dies of.
    init(crashed task: RunTask, _ settings: RunSettings, _ reason: String) {
        self.init(
            topology: task.name, seed: task.seed,
            scheduler: settings.schedulerName(seed: task.seed),
            status: .harnessError, ended: "abandoned", digest: "", steps: 0, simulated: 0)
        sweptFault = task.sweptFault
        failure =
            "\(reason) during this run: "
            + (settings.hosting == .inline
                ? "an inline device or the orchestrator; run it with --hosting process to see which"
                : "an error of anechoic, and of no device; please report it with this topology and seed")
        replay = settings.replayCommand(for: task) ?? settings.runCommand(for: task)
    }
}

extension RunSettings {
    /// The command that does a run again whose topology stands in a file; nil where that has other text.
    fileprivate func runCommand(for task: RunTask) -> String? {
        guard let bytes = FileManager.default.contents(atPath: task.file),
            String(decoding: bytes, as: UTF8.self) == task.text
        else { return nil }
        let switched = defects.map { " --defect \(shellWord("\($0.device)=\($0.name)"))" }
        return "\(command) run \(shellWord(task.file)) --seed \(task.seed) --scheduler "
            + schedulerName(seed: task.seed) + switched.joined()
    }
}
