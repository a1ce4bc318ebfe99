import ArgumentParser
import Artifacts
import Basics
import Campaigns
import Conformance
import DeviceLink
import Diagnosis
import Foundation
import Orchestration
import Pages
import Reports
import Soaks
import Topologies
import Vocabulary

struct ConformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform",
        abstract: "Test devices against every clause of the accessory protocol (R4).",
        discussion: """
            Plays a plain handshake, a suite of topologies under several seeds, then every kind of \
            fault at every step of the plain handshake; looks for orders and faults that break a \
            promise, within the --budget; and prints the result of each clause. Without --accessory and \
            --app it plays both reference devices. A program gets the parameters of the device that \
            it replaces; if it refuses them, the topology is played without them.

            --for limits the time; runs that are under way at its end are stopped.

            There is no --last-failed: a verdict needs every run. Repeat a failing run with replay, or \
            play a part with -k or --only.

            Exit status: 0 it conforms, 1 a violation of a must (with --strict also of a should), 2 \
            something was undecided, no handshake took place, or something that --gate demands was \
            never exercised, 3 a device failed, or refused the plain handshake.
            """)

    @OptionGroup var under: SubjectOptions

    @Option(help: "The profile of the accessory (help profiles), or what a program calls it.")
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "The PICS: what the device claims; the rest does not bind it. --write-pics prints a template.",
            valueName: "file"),
        completion: .file())
    var pics: String?

    @Flag(help: "Print a template for --pics and exit.")
    var writePics = false

    @Option(
        help: ArgumentHelp(
            "Play this folder of topologies instead of those that ship, and judge what they expect.",
            valueName: "folder"))
    var suite: String?

    @Option(help: ArgumentHelp("Only this clause, section or promise.", valueName: "R4-3.4"))
    var only: [String] = []

    @Option(
        help: ArgumentHelp("How many seeds each topology is played with.", valueName: "n"),
        transform: wholeNumber)
    var seeds: UInt64 = 3

    @Option(help: ArgumentHelp("The first of these seeds.", valueName: "n"), transform: wholeNumber)
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Switch this defect on: in each reference device that can have it (name), or in one device, which may be "
                + "your program with a defect of its own (device=name). Would the test find it?",
            valueName: "name"),
        transform: TopologyVariant.Defect.init(argument:))
    var defect: [TopologyVariant.Defect] = []

    @Option(
        help: ArgumentHelp(
            """
            What has to be tested: violations (nothing in particular), must (each must of \
            the device under test), vacuity (each clause, promise and topology).
            """))
    var gate = ConformanceGate.Demand.must

    @Flag(help: "Fail for a recommendation (should) that is not kept, as for a demand (must).")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "The folder of a soak: failures in its history are reported, but do not affect the verdict.",
            valueName: "path"))
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "A YAML file of known failures, each with a reason and a last day: they are reported, but do not affect the verdict.",
            valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var acknowledged: String?

    @Flag(help: "Omit the sweep of faults.")
    var noSweep = false

    @Option(
        help: ArgumentHelp(
            """
            How long to look for orders and faults that break a promise: quick (for every change), \
            standard (for a release), night.
            """))
    var budget = SearchBudget.quick

    @Flag(help: "Omit the search for orders and faults.")
    var noSearch = false

    @OptionGroup var part: ShardOption

    @Option(
        help: ArgumentHelp(
            "Take the search from the folder of a part (conform --shard) instead of playing it, once for each "
                + "part.", valueName: "folder"),
        completion: .directory)
    var searched: [String] = []

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long it may take at most: 10min. Runs that were not played are counted; the verdict is incomplete (2) "
                + "unless something failed. The last tenth is for what failed. (default: no limit)",
            valueName: "time"),
        transform: WallTime.init)
    var time: WallTime?

    @Flag(help: "Neither shrink nor explain failures.")
    var noDiagnosis = false

    @OptionGroup var amount: AmountOptions

    @OptionGroup var named: FilterOption

    @OptionGroup var first: FirstFailureOption

    @OptionGroup var colour: ColourOption

    @OptionGroup var json: JSONOption

    @OptionGroup var reports: ReportOptions

    @OptionGroup var sarif: SARIFOption

    @OptionGroup var shape: TAPOption

    @OptionGroup var atOnce: JobsOption

    @Option(
        help: ArgumentHelp("Folder of the output tree, for runs that fail.", valueName: "folder"))
    var out = "out"

    @OptionGroup var limits: DeviceLimits

    @Option(help: "Whether devices are processes of their own, or live inside of anechoic.")
    var hosting: RunSettings.Hosting = .process

    func validate() throws {
        try json.refuse(tap: shape.isTAP)
        if noSearch, part.shard != .all || !searched.isEmpty {
            throw ValidationError("--no-search: expected no --shard and no --searched beside it")
        }
        if part.shard != .all, !searched.isEmpty {
            throw ValidationError("--shard plays a part, and --searched joins them; omit one")
        }
    }

    func run() throws {
        if writePics {
            guard !json.isOn else {
                throw WrongUse("--write-pics prints YAML; expected no --json beside it")
            }
            let isOwn = accessory == nil && app == nil
            return try show(
                PICS.template(accessory: isOwn || accessory != nil, app: isOwn || app != nil))
        }
        guard json.isOn else {
            return try finish(
                conform {
                    guard !shape.isTAP else { return }
                    try show(
                        raw: $0.text(
                            isBrief: amount.isBrief, isWhole: amount.isWhole, ink: colour.ink))
                })
        }
        try json.answer(as: "conform") { document in try conform { try document.add($0.answer) } }
    }

    private func conform(_ tell: (ConformanceReport) throws -> Void) throws -> ExitStatus {
        try reports.reporting(of: "conform", sarif: sarif.file, tap: shape.isTAP) {
            try judge(noting: &$0, tell: tell)
        }
    }

    /// Plays everything, and says what became of it.
    private func judge(
        noting results: inout TestResults, tell: (ConformanceReport) throws -> Void
    ) throws -> ExitStatus {
        try checkUse()
        let limit =
            try time.map {
                try TimeLimit(
                    seconds: $0.seconds, diagnosis: noDiagnosis ? 30 : budget.secondsOfDiagnosis)
            } ?? .none
        let claims = try pics.map(PICS.init(file:)) ?? .silent
        var settings = limits.settings()
        settings.hosting = hosting
        let known = try known()
        try OutputTree.check(out)
        try KeptResults.check(ConformancePage.file, in: out)
        let suite = try ConformanceSuite(
            folder: self.suite, of: devices(claims), filter: named.filter,
            seeds: seed...seed + seeds - 1, sweeps: !noSweep,
            budget: noSearch ? nil : budget, shard: part.shard, parts: searched,
            settings: settings)
        let outcome = try suite.run(
            jobs: atOnce.jobs, output: out, stopsAtFirst: first.stops, within: limit)
        var report = ConformanceReport(
            outcome, pics: claims, only: only,
            gate: ConformanceGate(
                gate, isStrict: strict, accessory: accessory != nil, app: app != nil),
            version: Tool.version, properties: properties(claims),
            devices: (accessory, app), files: (pics, self.suite), known: known)
        if !noDiagnosis {
            report.diagnosed = DiagnosedRun.all(
                report.undiagnosed(in: out), within: min(budget.secondsOfDiagnosis, limit.left),
                watchdog: settings.processes.watchdog, memory: settings.processes.memory)
        }
        results = report.results
        try tell(report)
        if let unwritten = outcome.unwritten { printError(unwritten) }
        // What was found stands, even where nobody will find it in the folder.
        do { try KeptResults.write(report.answer, as: ConformancePage.file, in: out) } catch {
            printError("\(error)")
            return report.status.combined(with: .harnessError)
        }
        return report.status
    }

    /// What fails nothing.
    private func known() throws -> KnownFailures {
        guard baseline != nil || acknowledged != nil else { return .none }
        return KnownFailures(
            acknowledged: try acknowledged.map { try Acknowledgements(file: $0) } ?? .none,
            baseline: try baseline.map {
                try SoakSitting.failures(known: $0, before: nil)
            } ?? [],
            on: SoakSummary.day(Int(Date().timeIntervalSince1970)))
    }

    /// What the verdict rests on, for CI servers.
    private func properties(_ claims: PICS) -> [Pair] {
        [
            Pair("device", claims.device ?? accessory ?? app ?? "reference"),
            Pair("accessory", accessory ?? "reference"), Pair("app", app ?? "reference"),
            Pair("profile", profile ?? "all"), Pair("suite", suite ?? "shipped"),
            Pair("seeds", "\(seed)..\(seed + seeds - 1)"), Pair("sweep", "\(!noSweep)"),
            Pair("budget", noSearch ? "none" : budget.rawValue), Pair("gate", gate.rawValue),
            Pair("strict", "\(strict)"),
        ] + (time.map { [Pair("for", "\($0)")] } ?? [])
    }

    /// Those that are tested, with the defects that are switched on and no others.
    private func devices(_ claims: PICS) -> TopologyVariant {
        var devices = TopologyVariant()
        devices.isHealthy = true
        (devices.accessory, devices.app) = (under.accessoryProgram, under.appProgram)
        (devices.profile, devices.services) = (profile, claims.services)
        devices.defects = defect
        devices.manner = claims.manner
        return devices
    }

    private var accessory: String? { under.accessory }
    private var app: String? { under.app }
}

// Wrong use; checked here and not while arguments are read, so that the JUnit report shows it.
extension ConformCommand {
    private func checkUse() throws {
        guard (1...10_000).contains(seeds) else {
            throw WrongUse("--seeds \(seeds): expected 1 to 10000")
        }
        guard seed <= 1 << 62 else {
            throw WrongUse("--seed \(seed): expected at most \(1 << 62)")
        }
        try under.check()
        try checkProfile()
        try checkDefect()
        let promises = PromiseCatalogue.ids
        for name in only where PICS.clauses(named: name).isEmpty && !promises.contains(name) {
            throw WrongUse(
                "--only \(name): there is no such clause, section or promise "
                    + "(anechoic promises lists them)")
        }
    }

    private func checkDefect() throws {
        let kinds: [Catalogue.Kind] =
            (accessory == nil ? [.accessory] : []) + (app == nil ? [.appleDevice] : [])
        let known = kinds.flatMap(Catalogue.defects(of:)).map(\.name)
        for defect in defect where defect.device == nil && !known.contains(defect.name) {
            let isOwn = accessory != nil || app != nil
            throw WrongUse(
                "--defect \(defect.name): no reference device that is played has such a defect"
                    + Suggestion.question(about: defect.name, among: known)
                    + (isOwn ? "; one of your program's is DEVICE=\(defect.name)" : ""))
        }
    }

    /// A program may call its profiles what it likes; the reference accessory has those of `help profiles`.
    private func checkProfile() throws {
        guard let profile, accessory == nil else { return }
        let known = Catalogue.profiles.map(\.name)
        guard !known.contains(profile) else { return }
        let hint = Suggestion.question(about: profile, among: known)
        throw WrongUse(
            "--profile \(profile): the reference accessory has no such profile; expected "
                + known.joined(separator: " or ")
                + (hint.isEmpty ? ", or --accessory with a program that has it" : hint))
    }
}
