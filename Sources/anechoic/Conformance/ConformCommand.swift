import ArgumentParser
import Foundation
import Invariants
import Orchestration
import Promises
import Reports
import Topologies

/// `anechoic conform`.
struct ConformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform",
        abstract: "Hold devices against every clause of the accessory protocol.",
        discussion: """
            Plays a suite of topologies under several seeds, then every kind of fault at every step of \
            the plain handshake, and prints what became of each clause. Without --accessory and --app \
            both reference devices are played. Exit status: 0 all that was exercised holds, 1 a \
            violation, 2 something was left open (or never exercised, with --gate vacuity), 3 a \
            device failed.
            """)

    @Option(help: ArgumentHelp("A program that plays the accessories.", valueName: "program"))
    var accessory: String?

    @Option(help: ArgumentHelp("A program that plays the Apple devices.", valueName: "program"))
    var app: String?

    @Option(help: "The profile of the accessory: qorvo, multi, or what a program calls it.")
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "Clauses, sections and promises that do not bind the device, one a line.",
            valueName: "file"),
        completion: .file())
    var pics: String?

    @Option(help: ArgumentHelp("A folder of topologies to play instead.", valueName: "folder"))
    var suite: String?

    @Option(help: ArgumentHelp("Only this clause, section or promise.", valueName: "R4-3.4"))
    var only: [String] = []

    @Option(help: ArgumentHelp("How many seeds each topology is played with.", valueName: "n"))
    var seeds: UInt64 = 3

    @Option(help: "What fails the gate beside violations: vacuity.")
    var gate: Gate?

    @Option(help: ArgumentHelp("Write JUnit XML.", valueName: "file"), completion: .file())
    var junit: String?

    @Flag(help: "Leave the sweep of single faults out.")
    var noSweep = false

    @OptionGroup var atOnce: JobsOption

    @Option(help: ArgumentHelp("Folder of the failing runs' output.", valueName: "folder"))
    var out = "out"

    @OptionGroup var patience: WatchdogOption

    @OptionGroup var limits: DeviceLimits

    @Option(help: "Where reference devices live.")
    var hosting: RunSettings.Hosting = .process

    /// What fails beside violations.
    enum Gate: String, CaseIterable, ExpressibleByArgument {
        case vacuity
    }

    func validate() throws {
        guard (1...10_000).contains(seeds) else {
            throw ValidationError("--seeds \(seeds): expected 1 to 10000")
        }
        if hosting == .inline, accessory != nil || app != nil {
            throw ValidationError("--hosting inline: a program lives in a process of its own")
        }
        for path in [accessory, app].compactMap({ $0 })
        where !FileManager.default.isExecutableFile(atPath: path) {
            throw ValidationError("\(path): there is no such program, or it cannot be executed")
        }
        let promises = Invariants.Catalogue.ids
        for name in only where Profile.clauses(named: name).isEmpty && !promises.contains(name) {
            throw ValidationError("--only \(name): there is no such clause, section or promise")
        }
    }

    func run() throws {
        var settings = RunSettings.ofThisProgram
        settings.hosting = hosting
        settings.watchdog = patience.watchdog
        settings.deviceMemory = limits.deviceMemory?.bytes ?? 0
        settings.output = nil
        let scope =
            try pics.map(Profile.init(file:))
            ?? Profile(reference: accessory == nil ? profile : nil)
        if let junit { try WholeFile.check(junit, option: "--junit") }
        try OutputTree.check(out)
        let outcome = try outcome(settings)
        let report = ConformanceReport(
            outcome, outOfScope: scope.outOfScope, only: only, gatesVacuity: gate == .vacuity)
        try show(report.text)
        if let junit {
            try WholeFile.write(Data(report.junit.utf8), toNamed: junit, option: "--junit")
        }
        if let unwritten = outcome.unwritten { printError(unwritten) }
        try finish(report.status)
    }

    private func outcome(_ settings: RunSettings) throws -> ConformanceSuite.Outcome {
        do {
            let suite = try ConformanceSuite(
                folder: self.suite, variants: variants, seeds: seeds, sweeps: !noSweep, settings)
            return try suite.run(jobs: atOnce.jobs, output: out)
        } catch is Interruption {
            return ConformanceSuite.Outcome(reports: [], skipped: [], interruptedOf: 0)
        }
    }

    /// What is played: the devices named, or both reference devices with each profile.
    private var variants: [TopologyVariant] {
        var variant = TopologyVariant()
        variant.isHealthy = true
        variant.accessory = accessory.map(absolute)
        variant.app = app.map(absolute)
        variant.expectsNothing = accessory != nil || app != nil
        let profiles =
            profile.map { [$0] } ?? (accessory == nil ? Catalogue.profiles.map(\.name) : [nil])
        return profiles.map { profile in
            var variant = variant
            variant.profile = profile
            // A topology was written for the profile that it names.
            if profile != nil { variant.expectsNothing = true }
            return variant
        }
    }

    private func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }
}
