import Foundation
import Orchestration
import Reports
import Simulation

/// Does runs, here or in worker processes, and shows what became of them.
struct Campaign {
    let settings: RunSettings
    let jobs: Int?
    let format: OutputFormat

    init(_ settings: RunSettings, jobs: Int?, format: OutputFormat) {
        self.settings = settings
        self.jobs = jobs
        self.format = format
    }

    /// Does all runs.
    ///
    /// Many runs are spread over workers, one for each core, also because an inline device that
    /// crashes takes its process with it.
    func run(_ tasks: TaskList.Tasks) throws -> ExitStatus {
        let (results, isInterrupted) = try results(
            of: tasks, keepsAll: format == .json || tasks.count <= 40)
        return try show(results, isInterrupted: isInterrupted)
    }

    /// Does all runs and shows nothing but how far it is.
    func results(
        of tasks: some RandomAccessCollection<RunTask>, keepsAll: Bool
    ) throws -> (results: Results, isInterrupted: Bool) {
        if let folder = settings.output { try RunArtifacts.prepare(folder) }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let jobs = min(self.jobs ?? (settings.clock == .wall ? 1 : cores), tasks.count)
        let isInterrupted: Bool
        var results = Results(total: tasks.count, keepsAll: keepsAll)
        if jobs > 1 || (tasks.count > 1 && settings.hosting == .inline) {
            isInterrupted = try runByWorkers(tasks, jobs, &results)
        } else {
            isInterrupted = try LocalRunner.with(settings) { runner in
                for (index, task) in tasks.enumerated() {
                    if runner.isInterrupted { break }
                    results.take(runner.run(task), at: index)
                    progress(results)
                }
                return runner.isInterrupted
            }
        }
        return (results, isInterrupted)
    }

    /// Repeats one run, compares it with the recorded one, and halts where it should.
    ///
    /// Of a run that is left at its halt nothing is shown here, unless it had already gone wrong.
    func replay(_ recording: Replay, trace: String?, halt: Halt?) throws -> ExitStatus {
        if let folder = settings.output { try RunArtifacts.prepare(folder) }
        let report = try LocalRunner.with(settings) {
            $0.run(recording.task, repeating: recording, trace: trace, halt: halt)
        }
        if report.ended == RunReport.left {
            if let failure = report.failure { printError(failure) }
            return report.status
        }
        var results = Results(total: 1, keepsAll: true)
        results.take(report, at: 0)
        return try show(results, isInterrupted: report.status == .interrupted)
    }

    private func runByWorkers(
        _ tasks: some RandomAccessCollection<RunTask>, _ jobs: Int, _ results: inout Results
    ) throws -> Bool {
        var collected = results
        var rest = tasks.enumerated().makeIterator()
        let isInterrupted = try WorkerPool.run(
            jobs: jobs, executable: "\(settings.programs)/anechoic",
            arguments: ["worker", try settings.argument],
            next: { rest.next().map(NumberedTask.init) }
        ) { task, result in
            switch result {
            case .success(let line):
                collected.take(
                    try JSONDecoder().decode(RunReport.self, from: line), at: task.number)
            case .failure(let death):
                collected.take(
                    RunReport(crashed: task.run, settings, death.reason), at: task.number)
            }
            progress(collected)
        }
        results = collected
        return isInterrupted
    }

    /// A line on the terminal that says how far we are.
    private func progress(_ results: Results) {
        guard isatty(2) == 1, results.total > 1 else { return }
        let end = results.done == results.total ? "\r\u{1B}[K" : ""
        let line = "\r\u{1B}[K\(results.done)/\(results.total) runs\(end)"
        try? write(Data(line.utf8), to: STDERR_FILENO)
    }

    private func show(_ results: Results, isInterrupted: Bool) throws -> ExitStatus {
        switch format {
        case .json: try write(json(results.reports), to: STDOUT_FILENO)
        case .text: try anechoic.show(text(results))
        }
        return isInterrupted ? .interrupted : results.status
    }

    /// The most rows and stories that a person reads.
    private static let (rows, stories, idleSteps) = (200, 10, 20)

    private func text(_ results: Results) -> String {
        let reports = results.reports
        var text = ""
        if !reports.isEmpty { text += Console.table(Array(reports.prefix(Self.rows))) + "\n" }
        if reports.count > Self.rows { text += "… and \(reports.count - Self.rows) more\n" }
        text += Console.summary(reports, held: results.held, of: results.total) + "\n"
        for line in results.scripts.lines(atMost: Self.idleSteps) { text += line + "\n" }
        let stories = reports.compactMap(Console.story)
        for story in stories.prefix(Self.stories) { text += "\n\(story)\n" }
        let rest = stories.count - Self.stories
        if rest > 0 { text += "\n… and \(rest) more; their verdicts are in the output tree\n" }
        return text
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
    /// A run whose worker died of it.
    init(crashed task: RunTask, _ settings: RunSettings, _ reason: String) {
        self.init(
            topology: task.name, seed: task.seed,
            scheduler: settings.schedulerName(seed: task.seed),
            status: .deviceFailed, ended: "abandoned", digest: "", steps: 0, simulated: 0)
        sweptFault = task.sweptFault
        failure =
            "\(reason) during this run"
            + (settings.hosting == .inline
                ? "; run it with --hosting process to see which device it was" : "")
    }
}
