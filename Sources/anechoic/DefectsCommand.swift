import ArgumentParser
import Campaigns
import Conformance
import Foundation
import Orchestration
import Reports
import Scenarios
import Topologies

/// `anechoic defects`.
struct DefectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "defects",
        abstract: "Show that every promise can fail: which defect breaks which promise.",
        discussion: """
            Plays every topology of Topologies/defects twice, with its defects and without. A defect \
            is killed where the promises that its topology names are broken with it, and nothing \
            without it. Exit status: 0 every defect is killed and every promise that was put to the \
            test kills one, 1 otherwise.
            """)

    @Option(help: ArgumentHelp("A folder of topologies to play instead.", valueName: "folder"))
    var suite: String?

    @Option(help: ArgumentHelp("How many seeds each topology is played with.", valueName: "n"))
    var seeds: UInt64 = 1

    @OptionGroup var atOnce: JobsOption

    @Option(help: "Where devices live.")
    var hosting: RunSettings.Hosting = .process

    func validate() throws {
        guard (1...1_000).contains(seeds) else {
            throw ValidationError("--seeds \(seeds): expected 1 to 1000")
        }
    }

    func run() throws {
        var settings = RunSettings.ofThisProgram
        settings.hosting = hosting
        settings.output = nil
        let folder = try suite ?? ConformanceSuite.shipped() + "/defects"
        let entries = try TaskList(paths: [folder]).entries
        for entry in entries { try entry.topology().refuseDialIns() }
        var healthy = TopologyVariant()
        healthy.isHealthy = true
        let tasks = entries.flatMap { entry in
            let text = String(decoding: entry.bytes, as: UTF8.self)
            return [text, healthy.text(of: text)].flatMap { text in
                (1...seeds).map {
                    RunTask(name: entry.name, file: entry.file, text: text, seed: $0)
                }
            }
        }
        let results = try Campaign(settings, jobs: atOnce.jobs, format: .text)
            .results(of: tasks, keepsAll: true)
        if Interruption.isHere {
            printError("interrupted after \(results.done) of \(tasks.count) runs")
            return try finish(.interrupted)
        }
        let count = Int(seeds)
        let matrix = KillMatrix(
            try entries.enumerated().map { index, entry in
                let begin = index * 2 * count
                return KillMatrix.Row(
                    try entry.topology(),
                    sick: Array(results.reports[begin..<begin + count]),
                    healthy: Array(results.reports[begin + count..<begin + 2 * count]))
            },
            exercised: SuiteSummary(results.reports).promises.filter { $0.exercised > 0 }.map(\.id))
        try show(matrix.text)
        try finish(matrix.isComplete ? .held : .violated)
    }
}

/// Which defect breaks which promise.
struct KillMatrix {
    /// One topology with a defect, played with it and without.
    struct Row {
        let name: String
        let defects: String
        /// The promises that are broken in every run with the defect.
        let broken: [String]
        /// Those that are broken in some of them only.
        let sometimes: [String]
        /// What is wrong; empty where the defect is killed.
        let problem: String

        init(_ topology: Topology, sick: [RunReport], healthy: [RunReport]) {
            name = topology.name
            let defects = topology.devices.flatMap(\.defects)
            self.defects =
                defects.isEmpty ? "a fault" : Set(defects).sorted().joined(separator: ", ")
            let violated = sick.map { run in
                run.promises.filter { $0.verdict == "violated" }.map(\.promise)
            }
            let all = violated.reduce(into: [String]()) { all, more in
                all += more.filter { !all.contains($0) }
            }
            let always = all.filter { promise in violated.allSatisfy { $0.contains(promise) } }
            (broken, sometimes) = (always, all.filter { !always.contains($0) })
            if let failing = sick.first(where: { $0.status != .held }) {
                let reason = failing.expectations.first { $0.verdict != "held" }?.reason
                problem =
                    "survives: seed \(failing.seed) \(failing.failure ?? reason ?? failing.verdict)"
            } else if let failing = healthy.first(where: { $0.status != .held }) {
                let promise = failing.promises.first { $0.verdict == "violated" }?.promise
                problem =
                    "fails without it: seed \(failing.seed) \(failing.failure ?? promise ?? failing.verdict)"
            } else {
                problem = ""
            }
        }
    }

    private let rows: [Row]
    /// The promises that some run put to the test, and whether some defect breaks them.
    private let exercised: [(promise: String, kills: Bool)]

    init(_ rows: [Row], exercised promises: [String]) {
        self.rows = rows
        exercised = promises.map { promise in
            (promise, rows.contains { ($0.broken + $0.sometimes).contains(promise) })
        }
    }

    /// Whether every defect is killed, and every promise that was exercised kills one.
    var isComplete: Bool {
        rows.allSatisfy(\.problem.isEmpty) && exercised.allSatisfy(\.kills)
    }

    var text: String {
        let table = TextTable(
            header: ["topology", "defect", "broken promises"],
            rows: rows.map { row in
                let often =
                    row.sometimes.isEmpty
                    ? "" : " (at times: \(row.sometimes.joined(separator: ", ")))"
                let broken = row.broken.joined(separator: ", ") + often
                return [
                    row.name, row.defects,
                    row.problem.isEmpty
                        ? broken : "\(row.problem)\(broken.isEmpty ? "" : "; broken: ")\(broken)",
                ]
            }
        ).text
        let killed = rows.count { $0.problem.isEmpty }
        let without = exercised.filter { !$0.kills }.map(\.promise)
        var lines = [
            "\(killed) of \(rows.count) defects are killed, none of them without its defect."
        ]
        if killed < rows.count { lines = ["\(killed) of \(rows.count) defects are killed."] }
        if without.isEmpty {
            lines.append("Each of \(exercised.count) promises that were put to the test kills one.")
        } else {
            lines.append("No defect breaks \(without.joined(separator: ", ")).")
        }
        return table + "\n" + lines.joined(separator: "\n") + "\n"
    }
}
