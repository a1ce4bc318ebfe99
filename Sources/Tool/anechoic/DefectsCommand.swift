import ArgumentParser
import Artifacts
import Campaigns
import Conformance
import Foundation
import Orchestration
import Reports
import Topologies

struct DefectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "defects",
        abstract: "Show that every clause can fail: which defect breaks which promise.",
        discussion: """
            Plays every topology of Topologies/defects twice, with its defects and without. A defect \
            is killed where the promises that its topology names are broken with it, none beside \
            them but those that it declares unavoidable, and nothing without it. Exit status: 0 every \
            defect is killed, every promise that was put to the test kills one, and every testable \
            clause of R4 has a killer; 1 otherwise.
            """)

    @Option(help: ArgumentHelp("A folder of topologies to play instead.", valueName: "folder"))
    var suite: String?

    @Option(
        help: ArgumentHelp("How many seeds each topology is played with.", valueName: "n"),
        transform: wholeNumber)
    var seeds: UInt64 = 1

    @OptionGroup var atOnce: JobsOption

    @Option(help: "Whether devices are processes of their own, or live inside of anechoic.")
    var hosting: RunSettings.Hosting = .process

    @OptionGroup var named: FilterOption

    @Flag(help: "Write the clauses of R4 with statement, level, keeper and killers, as Markdown.")
    var markdown = false

    @OptionGroup var shown: QuietOption

    @OptionGroup var json: JSONOption

    @OptionGroup var reports: ReportOptions

    @OptionGroup var shape: TAPOption

    func validate() throws {
        guard (1...1_000).contains(seeds) else {
            throw ValidationError("--seeds \(seeds): expected 1 to 1000")
        }
        if markdown, json.isOn || shape.isTAP {
            let other = json.isOn ? "--json" : "--format tap"
            throw ValidationError("--markdown does not go with \(other): one document at a time")
        }
        try json.refuse(tap: shape.isTAP)
    }

    func run() throws {
        guard json.isOn else {
            return try finish(
                kill { matrix in
                    if !shape.isTAP {
                        try show(markdown ? matrix.markdown : matrix.text(isBrief: shown.quiet))
                    }
                })
        }
        try json.answer(as: "defects") { document in
            try kill { matrix in for row in matrix.rows { try document.add(row) } }
        }
    }

    private func kill(_ tell: (KillMatrix) throws -> Void) throws -> ExitStatus {
        try reports.reporting(of: "defects", tap: shape.isTAP) { results in
            guard let matrix = try matrix() else { return .interrupted }
            try tell(matrix)
            (results.found, results.conclusion) = (matrix.suites, matrix.conclusion)
            return matrix.isComplete ? .held : .violated
        }
    }

    /// What the defects have broken; nil after an interruption.
    private func matrix() throws -> KillMatrix? {
        var settings = RunSettings.ofThisProgram
        settings.hosting = hosting
        settings.files.tree = nil
        let folder = try suite ?? ConformanceSuite.shipped() + "/defects"
        let entries = try TaskList(paths: [folder]).matching(named.filter).entries
        for entry in entries { try entry.topology().demandRepeatableRuns() }
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
        try settings.avoidGlobalState(in: tasks)
        let results = try Campaign(settings, jobs: atOnce.jobs, format: .text)
            .results(of: tasks, keepsAll: true)
        if Interruption.isHere {
            printError("interrupted after \(results.done) of \(tasks.count) runs")
            return nil
        }
        let count = Int(seeds)
        let isWhole = try suite == nil && named.filter == nil
        return KillMatrix(
            try entries.enumerated().map { index, entry in
                let begin = index * 2 * count
                return KillMatrix.Row(
                    try entry.topology(),
                    sick: Array(results.reports[begin..<begin + count]),
                    healthy: Array(results.reports[begin + count..<begin + 2 * count]))
            },
            exercised: SuiteSummary(results.reports).promises.filter { $0.exercised > 0 }.map(\.id),
            isWhole: isWhole)
    }
}
