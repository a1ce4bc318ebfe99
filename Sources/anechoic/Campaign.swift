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
    func run(_ tasks: [RunTask]) throws -> ExitStatus {
        if let folder = settings.output { try RunArtifacts.prepare(folder) }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let jobs = min(self.jobs ?? (settings.clock == .wall ? 1 : cores), tasks.count)
        let isInterrupted: Bool
        var results = Results(tasks)
        if jobs > 1 || (tasks.count > 1 && settings.hosting == .inline) {
            isInterrupted = try runByWorkers(tasks, jobs, &results)
        } else {
            isInterrupted = try LocalRunner.with(settings) { runner in
                for (index, task) in tasks.enumerated() where !runner.isInterrupted {
                    results.take(runner.run(task), at: index)
                    progress(results)
                }
                return runner.isInterrupted
            }
        }
        return show(results.reports, isInterrupted: isInterrupted)
    }

    /// Repeats one run and compares its digest with the recorded one.
    func replay(_ recording: Replay) throws -> ExitStatus {
        if let folder = settings.output { try RunArtifacts.prepare(folder) }
        let task = RunTask(
            name: recording.name, file: recording.file, text: recording.topology,
            seed: recording.seed)
        let report = try LocalRunner.with(settings) { $0.run(task, repeating: recording) }
        return show([report], isInterrupted: report.status == .interrupted)
    }

    private func runByWorkers(
        _ tasks: [RunTask], _ jobs: Int, _ results: inout Results
    ) throws -> Bool {
        var collected = results
        let configuration = try JSONEncoder().encode(settings).base64EncodedString()
        let isInterrupted = try WorkerPool.run(
            tasks, jobs: jobs, executable: "\(settings.programs)/anechoic",
            arguments: ["worker", configuration]
        ) { task, result in
            let index = tasks.firstIndex(of: task) ?? 0
            switch result {
            case .success(let line):
                collected.take(try JSONDecoder().decode(RunReport.self, from: line), at: index)
            case .failure(let death):
                collected.take(RunReport(crashed: task, settings, death.reason), at: index)
            }
            progress(collected)
        }
        results = collected
        return isInterrupted
    }

    /// A line on the terminal that says how far we are.
    private func progress(_ results: Results) {
        guard isatty(2) == 1, results.total > 1 else { return }
        let done = results.reports.count
        let end = done == results.total ? "\r\u{1B}[K" : ""
        FileHandle.standardError.write(
            Data("\r\u{1B}[K\(done)/\(results.total) runs\(end)".utf8))
    }

    private func show(_ reports: [RunReport], isInterrupted: Bool) -> ExitStatus {
        switch format {
        case .json:
            if let data = try? json(reports) { FileHandle.standardOutput.write(data) }
        case .text:
            let shown = reports.count > 40 ? reports.filter { $0.status != .held } : reports
            if !shown.isEmpty { print(Console.table(Array(shown.prefix(200)))) }
            print(Console.summary(reports))
            for story in reports.lazy.compactMap(Console.story).prefix(10) { print("\n" + story) }
        }
        let status = reports.reduce(ExitStatus.held) { $0.combined(with: $1.status) }
        return isInterrupted ? .interrupted : status
    }
}

/// Reports in the order of their tasks, whenever they come.
private struct Results {
    private var slots: [RunReport?]

    init(_ tasks: [RunTask]) { slots = Array(repeating: nil, count: tasks.count) }

    var total: Int { slots.count }

    var reports: [RunReport] { slots.compactMap { $0 } }

    mutating func take(_ report: RunReport, at index: Int) { slots[index] = report }
}

extension RunReport {
    /// A run whose worker died of it.
    init(crashed task: RunTask, _ settings: RunSettings, _ reason: String) {
        self.init(
            topology: task.name, seed: task.seed, scheduler: settings.scheduler.rawValue,
            status: .deviceFailed, ended: "abandoned", digest: "", steps: 0, simulated: 0)
        failure =
            "\(reason) during this run; run it with --hosting process to see which device it was"
    }
}

/// Says something on standard error.
func printError(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
