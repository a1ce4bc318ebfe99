import ArgumentParser
import Artifacts
import Basics
import Campaigns
import Conformance
import Diagnosis
import Foundation
import Orchestration
import Reports
import Topologies

/// Two programs of a kind, before and after; one for both, or none, where the other kind is compared.
struct PairOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A program that plays the accessories: twice, before and after; once for both.",
            valueName: "program"))
    var accessory: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An argument of these programs, once for each.", valueName: "text"))
    var accessoryArgument: [String] = []

    @Option(help: SubjectOptions.hciHelp)
    var accessoryHci: TopologyVariant.HostWay?

    @Option(
        help: ArgumentHelp(
            "A program that plays the Apple devices: twice, before and after; once for both.",
            valueName: "program"))
    var app: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An argument of these programs, once for each.", valueName: "text"))
    var appArgument: [String] = []

    @Option(help: SubjectOptions.hciHelp)
    var appHci: TopologyVariant.HostWay?

    var isEmpty: Bool { accessory.isEmpty && app.isEmpty }

    /// Who plays on a side: 0 before, 1 after.
    func programs(
        _ side: Int
    ) -> (accessory: TopologyVariant.Program?, app: TopologyVariant.Program?) {
        (
            SubjectOptions.program(path(accessory, side), accessoryArgument, accessoryHci),
            SubjectOptions.program(path(app, side), appArgument, appHci)
        )
    }

    /// `./old and ./mine`.
    func words(_ side: Int) -> String {
        [path(accessory, side), path(app, side)].compactMap(\.self).joined(separator: " and ")
    }

    private func path(_ paths: [String], _ side: Int) -> String? {
        paths.isEmpty ? nil : paths[min(side, paths.count - 1)]
    }

    /// - Throws: `WrongUse` where there are not two of one kind, or one is no program.
    func check() throws {
        guard accessory.count == 2 || app.count == 2, accessory.count <= 2, app.count <= 2 else {
            throw WrongUse(
                "expected --accessory or --app twice: the program before, and the one after")
        }
        for side in 0...1 {
            try SubjectOptions.check(
                path(accessory, side), arguments: accessoryArgument, accessoryHci,
                option: "accessory")
            try SubjectOptions.check(path(app, side), arguments: appArgument, appHci, option: "app")
        }
    }
}

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two versions of a firmware or app, played with the same seeds.",
        discussion: """
            With --accessory (or --app) twice it plays topologies with each of the two programs, under the \
            same seeds, into OUT/before and OUT/after: the named topologies, or the shipped ones. Parameters \
            that a program refuses are omitted; a topology that either program refuses is played by neither. \
            Without programs it takes two output trees of the same topologies and seeds, as run --out writes \
            them.

            It reports which ways to fail are new, gone, or occur more or less often. Each count is followed \
            by the 95 % confidence interval of the failure rate (Wilson's); more or less often means that the \
            two intervals do not overlap. Exit status: 0 nothing is new or occurs more often, 1 something is \
            or does, 64 the trees have no run in common, 65 a wrong file, 130 interrupted.
            """)

    @Argument(
        help: "Topology files or folders; or two output trees, before and after.",
        completion: .directory)
    var paths: [String] = []

    @OptionGroup var pair: PairOptions

    @OptionGroup var named: FilterOption

    @Option(
        help: ArgumentHelp("A range of seeds. (default: 1..20)", valueName: "first..last"),
        transform: SeedRange.init)
    var seeds: SeedRange?

    @OptionGroup var atOnce: JobsOption

    @OptionGroup var limits: DeviceLimits

    @Option(help: ArgumentHelp("Folder of both output trees.", valueName: "folder"))
    var out = "compare"

    @OptionGroup var json: JSONOption

    func run() throws {
        guard json.isOn else {
            let comparison = try compare()
            if !Interruption.isHere { try show(text(of: comparison)) }
            return try finish(status(of: comparison))
        }
        try json.answer(as: "compare") { document in
            let comparison = try compare()
            for row in comparison.rows { try document.add(row) }
            return status(of: comparison)
        }
    }

    private func status(of comparison: TreeComparison) -> ExitStatus {
        Interruption.isHere ? .interrupted : comparison.isWorse ? .violated : .held
    }

    private func compare() throws -> TreeComparison {
        guard pair.isEmpty else { return try played() }
        guard paths.count == 2, seeds == nil else {
            throw WrongUse(
                "expected two output trees; or --accessory or --app twice, with topologies "
                    + "and seeds")
        }
        return try comparison(of: paths[0], paths[1])
    }

    private func comparison(
        of before: String, _ after: String, runs: Set<String>? = nil
    ) throws -> TreeComparison {
        let comparison = try TreeComparison(before, after, of: runs)
        guard comparison.runs > 0 || Interruption.isHere else {
            throw WrongUse(
                "\(before) and \(after) have no run in common: expected trees of the same "
                    + "topologies and seeds")
        }
        return comparison
    }

    // MARK: Playing

    /// Plays both programs, and compares what they have left.
    private func played() throws -> TreeComparison {
        try pair.check()
        let list = try (paths.isEmpty ? ConformanceSuite.shippedList() : TaskList(paths: paths))
            .matching(named.filter)
        let trees = ["\(out)/before", "\(out)/after"]
        for tree in trees { try OutputTree.check(tree) }
        let sides = try (0...1).map { try tasks(of: list, side: $0) }
        let common = Set(sides[0].ofOneSeed.map(\.name))
            .intersection(sides[1].ofOneSeed.map(\.name))
        var runs: Set<String> = []
        for (place, side) in sides.enumerated() where !Interruption.isHere {
            let tasks = side.filter { common.contains($0.name) }
            runs = Set(tasks.map { "\($0.name)/\($0.seed)" })
            try play(tasks, into: trees[place], as: place)
        }
        return try comparison(of: trees[0], trees[1], runs: runs)
    }

    /// What a side plays, each topology as its programs can.
    private func tasks(of list: TaskList, side: Int) throws -> TaskList.Tasks {
        let programs = pair.programs(side)
        let played = try list.played(accessory: programs.accessory, app: programs.app)
        let tasks = try played.list.tasks(seeds: seeds?.seeds ?? 1...20, defects: [])
        for task in tasks.ofOneSeed { try task.topology().demandRepeatableRuns() }
        let repertoire = try Repertoire(
            of: tasks.trials, with: limits.settings(), jobs: atOnce.jobs)
        let notes = (side == 0 ? played.notes : []) + [repertoire.note].compactMap(\.self)
        for note in notes { printError("\(pair.words(side)): \(note)") }
        return tasks.playing(repertoire)
    }

    private func play(_ tasks: [RunTask], into tree: String, as side: Int) throws {
        var settings = limits.settings(leaving: tree)
        try settings.avoidGlobalState(in: tasks)
        var manner = Campaign.Manner()
        manner.name = "\(pair.words(side)): "
        manner.later = side == 0 ? tasks.count : 0
        var unwritten: String?
        _ = try Campaign(settings, jobs: atOnce.jobs, format: .text, manner: manner)
            .results(of: tasks, keepsAll: false) { report, _ in
                unwritten = unwritten ?? report.unwritten
            }
        if let unwritten { throw HarnessError(unwritten) }
    }

    private func text(of comparison: TreeComparison) -> String {
        let unpaired =
            comparison.unpaired == 0
            ? "" : "; \(comparison.unpaired.counted("run")) of one tree alone left out"
        let programs =
            pair.isEmpty ? "" : "before: \(pair.words(0))\nafter:  \(pair.words(1))\n"
        let head = programs + "\(comparison.runs.counted("run")) in both\(unpaired)\n"
        guard !comparison.rows.isEmpty else { return head + "no failure in either\n" }
        let table = TextTable(
            header: ["change", "before", "after", "way to fail", "for example"],
            rows: comparison.rows.map {
                [$0.change.rawValue, $0.before.text, $0.after.text, $0.fingerprint, $0.example]
            })
        return head + table.text + "\n"
    }
}
