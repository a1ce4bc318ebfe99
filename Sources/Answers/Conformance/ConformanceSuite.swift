import Artifacts
package import Campaigns
import DeviceLink
import Foundation
package import Orchestration
import PromiseLibrary
package import Reports
import Scenarios
package import Topologies
import Vocabulary

/// The runs of a conformance test.
package struct ConformanceSuite {
    package struct Outcome {
        /// Each kind of accessory in a handshake without disturbance; two phones, where the app ranges with no accessory.
        var handshakes: [PlainHandshake] = []
        /// Whether the app ranges with phones, and with no accessory: R4 is not about it.
        var rangesWithPhonesAlone: Bool {
            !handshakes.isEmpty
                && handshakes.allSatisfy { $0.partner == .phone && $0.outcome == .done }
        }
        /// The runs that were judged, in the sequence of their tasks.
        package var reports: [RunReport] = []
        /// What was searched for; nil where that was not asked for, or did not come about.
        package var searched: Searched?
        /// The plain runs that failed, so that there is no sweep where there should be one.
        var unswept: [RunReport] = []
        /// How the accessory under test speaks, where its PICS does not say so: lines that say it.
        var unsaid: [String] = []
        /// Topologies that were not played, and why.
        var skipped: [(name: String, reason: String)] = []
        /// Topologies that were played with fewer parameters than they have, and why.
        var simplified: [(name: String, reason: String)] = []
        /// Topologies whose expectations were not judged: they are about another profile.
        var unjudged: [(name: String, reason: String)] = []
        /// The file of each topology, by the name of its runs; looked up only.
        var files: [String: String] = [:]
        /// How many topologies were not searched, because each of their runs in the suite has failed.
        var unsearched = 0
        /// The line on which the file of each topology has what it expects, by its text; looked up only.
        var lines: [String: [String: Int]] = [:]
        /// How many runs were to be played, so far as that was known.
        var planned = 0
        /// The error of ours that ended the test before they were done.
        package private(set) var trouble: (any Error)?
        /// Why files of failing runs could not be written.
        package var unwritten: String?

        /// Whether a failure has ended the test before all was played.
        var isStopped = false
        /// Whether the time was over before all was played.
        var isTimeUp = false
        /// Whether no run begins any more but those of what has failed.
        var isEnded: Bool { isStopped || isTimeUp }

        /// Whether nothing more is to be played.
        var isOver: Bool { trouble != nil || Interruption.isHere }

        /// Notes that so many runs at least would have come, where it was the time that prevented them.
        mutating func plan(_ runs: Int) {
            if isTimeUp || Interruption.isTimeUp { planned += runs }
        }

        /// The failing runs that the search tells of, as its files have what they expect.
        var told: [RunReport] { (searched?.told ?? []).map(atItsLines) }

        /// A run was played from another text than its file's.
        func atItsLines(_ report: RunReport) -> RunReport {
            var report = report
            let lines = lines[ConformanceSuite.home(of: report.topology)] ?? [:]
            for (place, expectation) in report.expectations.enumerated() {
                report.expectations[place].line =
                    lines[expectation.expectation] ?? expectation.line
            }
            return report
        }

        /// Takes runs of the suite; a device that will not play a part says so, which is no failure of it.
        mutating func take(_ reports: [RunReport]) {
            for report in reports where report.isRefusal {
                let isNew = !skipped.contains { $0.name == report.topology }
                if isNew { skipped.append((report.topology, report.failure ?? "")) }
            }
            self.reports += reports.filter { !$0.isRefusal }.map(atItsLines)
            planned -= reports.count(where: \.isRefusal)
        }

        /// Takes why another outcome, which is not used, ended before all was played.
        mutating func takeEnd(of other: Self) {
            trouble = trouble ?? other.trouble
            isStopped = isStopped || other.isStopped
            isTimeUp = isTimeUp || other.isTimeUp
        }

        /// Takes an error, after which nothing more is played; an interruption is none.
        mutating func take(_ error: any Error) {
            if !(error is Interruption) { trouble = trouble ?? error }
        }
    }

    /// Who plays which device, and the prefix of the topologies' names.
    typealias Cast = (variant: TopologyVariant, prefix: String)

    private let entries: [TaskList.Entry]
    var casts: [Cast]
    var handshakeCasts: [Cast]
    /// Whether an app is tested, and no accessory that it has to range with.
    let isAppAlone: Bool
    /// The seeds of each topology; the search goes on behind them.
    let seeds: ClosedRange<UInt64>
    private let sweeps: Bool
    /// How long it looks for orders and faults; nil for not at all.
    let budget: SearchBudget?
    let shard: Shard
    /// Folders of parts that were played elsewhere, which are taken instead of a search.
    let parts: [String]
    private let settings: RunSettings

    /// Folders of the shipped topologies that are about something else: devices of other kinds, wrong
    /// devices, size, and profiles.
    private static let omitted = ["allowed/", "classics/", "defects/", "scale/", "vendors/"]

    /// What ships about healthy devices.
    package static func shippedList() throws -> TaskList {
        try TaskList(paths: [shipped()]).omitting { omitted.contains(where: $0.hasPrefix) }
    }

    /// The topologies of a folder with these devices: the programs named, else the reference devices; or those that
    /// ship, with each profile.
    ///
    /// Defects are switched on to see what the test makes of them.
    ///
    /// - Throws: `DocumentError` for a file that is wrong, `WrongUse` for one that plays wrong devices.
    package init(
        folder: String?, of devices: TopologyVariant, filter: NameFilter? = nil,
        seeds: ClosedRange<UInt64>, sweeps: Bool, budget: SearchBudget?, shard: Shard = .all,
        parts: [String] = [],
        settings: RunSettings
    ) throws {
        entries = try TaskList(paths: [folder ?? Self.shipped()]).matching(filter).entries.filter {
            entry in
            guard folder == nil else { return true }
            // What has no accessory tells of apps alone.
            return try !Self.omitted.contains { entry.name.hasPrefix($0) }
                && (devices.app != nil
                    || entry.topology().devices.contains { $0.role == .accessory })
        }
        for entry in entries { try Self.check(entry, isForeign: folder != nil) }
        let all = Self.casts(devices, keepsExpectations: folder != nil)
        handshakeCasts = all
        isAppAlone = devices.app != nil && devices.accessory == nil
        // Somebody's own files name the profiles that they are about.
        casts = folder != nil && devices.profile == nil ? [(devices, "")] : all
        try Self.check(devices.defects, in: all[0].variant, entries: entries)
        self.seeds = seeds
        self.sweeps = sweeps
        (self.budget, self.shard, self.parts) = (budget, shard, parts)
        self.settings = settings
    }

    /// - Throws: `WrongUse` where a device that is to have a defect is nowhere, or cannot have it.
    private static func check(
        _ defects: [TopologyVariant.Defect], in variant: TopologyVariant,
        entries: [TaskList.Entry]
    ) throws {
        for defect in defects {
            guard let device = defect.device else { continue }
            let isThere = entries.contains {
                variant.switchesOn(defect, in: String(decoding: $0.bytes, as: UTF8.self))
            }
            guard !isThere else { continue }
            throw WrongUse(
                "--defect \(device)=\(defect.name): no topology has a device \(device) "
                    + "that is a program, or a reference device with such a defect")
        }
    }

    /// Healthy devices are tested: a topology that says otherwise is for another command.
    private static func check(_ entry: TaskList.Entry, isForeign: Bool) throws {
        let topology = try entry.topology()
        try topology.demandRepeatableRuns()
        guard isForeign else { return }
        let sick = topology.devices.first { !$0.defects.isEmpty }
        guard sick != nil || !topology.mustViolate.isEmpty else { return }
        let what =
            sick.map { "switches a defect on (\($0.defects[0]) of \($0.name))" }
            ?? "expects a broken promise"
        throw WrongUse(
            "\(entry.file): this topology \(what), but conform plays healthy devices; "
                + "move it out of the suite, and play it with: anechoic defects --suite FOLDER")
    }

    /// The devices named, or both reference devices with each reference profile.
    private static func casts(_ devices: TopologyVariant, keepsExpectations: Bool) -> [Cast] {
        let known = Catalogue.referenceProfiles
        let profiles: [String?] =
            devices.accessory == nil && devices.profile == nil ? known : [devices.profile]
        return profiles.map { profile in
            var variant = devices
            variant.profile = profile
            // Those that ship were written for the profile that they name, and for our devices.
            variant.expectsNothing =
                !keepsExpectations
                && (devices.accessory != nil || devices.app != nil || profile != nil)
            return (variant, profiles.count > 1 ? profile.map { "\($0)/" } ?? "" : "")
        }
    }

    /// The folder of the topologies that ship: in the repository, or where the program is installed
    /// (`Scripts/install`).
    package static func shipped() throws -> String {
        var folder = URL(fileURLWithPath: RunSettings.programsOfThisProgram)
            .resolvingSymlinksInPath()
        while folder.path != "/" {
            for place in ["Topologies", "share/anechoic/Topologies"] {
                let topologies = folder.appending(path: place)
                if FileManager.default.fileExists(atPath: topologies.path + "/basics") {
                    return topologies.path
                }
            }
            folder.deleteLastPathComponent()
        }
        throw WrongUse(
            "the topologies that ship are not beside this program; give a folder of "
                + "topologies with --suite")
    }
}

// Playing.
extension ConformanceSuite {
    /// Plays all runs; those that fail are played once more, with all their files, and must repeat.
    ///
    /// Where a device refuses the plain handshake nothing else is played.
    ///
    /// - Throws: An error of ours, if no run was judged before it; otherwise the outcome has it.
    package func run(
        jobs: Int?, output: String, stopsAtFirst: Bool = false, within time: TimeLimit = .none
    ) throws -> Outcome {
        var outcome = Outcome()
        if settings.hosting == .inline {
            for trial in plainHandshakes(with: .accessory) {
                try trial.task.topology().refuseInline()
            }
        }
        var player = TrialPlayer(
            settings: settings, jobs: jobs, output: output, stopsAtFirst: stopsAtFirst, time: time)
        var fitting = self
        let handshakes = fitting.playHandshakes(with: &player, noting: &outcome)
        fitting.play(behind: handshakes, with: &player, noting: &outcome)
        outcome.isTimeUp = outcome.isTimeUp || Interruption.isTimeUp
        if outcome.reports.isEmpty, let trouble = outcome.trouble { throw trouble }
        return outcome
    }

    private func play(
        behind handshakes: [String?], with player: inout TrialPlayer, noting outcome: inout Outcome
    ) {
        let isRefused = outcome.reports.contains(where: \.isRefusal)
        if isRefused || outcome.isOver || outcome.isEnded {
            let topologies = entries.count * casts.count
            return outcome.plan(topologies * seeds.count + plannedSearch(of: topologies))
        }
        // Behind the first run of each device, so that what happens in it once is seen in it.
        do {
            try player.settings.avoidGlobalState(in: plainHandshakes(with: .accessory).map(\.task))
        } catch {
            return outcome.take(error)
        }

        for entry in entries {
            for cast in casts { outcome.files[cast.prefix + entry.name] = entry.file }
        }
        let trials = casts.flatMap { self.trials(of: $0, noting: &outcome) }
        var strikes: [Trial] = []
        for (text, cast) in zip(handshakes, handshakeCasts) where sweeps {
            guard let text else { continue }
            strikes += sweep(over: text, prefix: cast.prefix, by: player.late, noting: &outcome)
        }
        let later = plannedSearch(of: trials.map(\.task.name).uniqued.count)
        if outcome.isOver { return outcome.plan(trials.count + strikes.count + later) }
        player.later = strikes.count + later
        var played = player.play(trials, noting: &outcome)
        player.later = later
        if outcome.isOver || outcome.isEnded {
            outcome.planned += strikes.count
        } else {
            played += player.late.play(strikes, noting: &outcome)
        }
        outcome.lines = linesOfExpectations()
        outcome.take(played.map(\.report))
        if outcome.isOver || outcome.isEnded { return outcome.plan(later) }
        search(searchable(played, noting: &outcome), with: player, noting: &outcome)
    }

    /// The topologies of which some run has not failed: what fails in all of them fails anyhow.
    private func searchable(
        _ played: [(trial: Trial, report: RunReport)], noting outcome: inout Outcome
    ) -> [RunTask] {
        let plain = played.filter { $0.report.sweptFault == nil && !$0.report.isRefusal }
        var seen: Set<String> = []
        let tasks = plain.filter { !$0.report.isFailure }.map(\.trial.task)
            .filter { seen.insert($0.name).inserted }
        if budget != nil {
            outcome.unsearched = plain.map(\.trial.task.name).uniqued.count - tasks.count
        }
        return tasks
    }

    /// Where each topology's file has what it expects; a run was played from another text.
    private func linesOfExpectations() -> [String: [String: Int]] {
        var lines: [String: [String: Int]] = [:]
        for entry in entries {
            let expectations = (try? entry.topology())?.expectations ?? []
            for cast in casts {
                for expectation in expectations {
                    lines[cast.prefix + entry.name, default: [:]][expectation.text] =
                        expectation.source.line
                }
            }
        }
        return lines
    }

    /// The topologies as a cast plays them; those that it cannot play are noted.
    private func trials(of cast: Cast, noting outcome: inout Outcome) -> [Trial] {
        var trials: [Trial] = []
        for entry in entries {
            let name = cast.prefix + entry.name
            var first = entry.task(named: name, seed: seeds.lowerBound)
            var variant = cast.variant
            if !variant.expectsNothing, let other = Self.otherProfile(in: entry, than: variant) {
                variant.expectsNothing = true
                outcome.unjudged.append((name, "written for the profile \(other)"))
            }
            let original = first.played(by: variant)
            do {
                _ = try Topology(parsing: Array(first.text.utf8), name: name, file: entry.file)
            } catch {
                outcome.skipped.append((name, error.problem.message))
                continue
            }
            let trial = Trial(first, of: variant) { $0.text(of: original) }
            trials += seeds.map { seed in
                var trial = trial
                trial.task.seed = seed
                return trial
            }
        }
        return trials
    }

    /// The profile of a reference accessory that a variant gives another one, where something is expected
    /// of it.
    private static func otherProfile(
        in entry: TaskList.Entry, than variant: TopologyVariant
    ) -> String? {
        guard let wanted = variant.profile, variant.accessory == nil,
            let topology = try? entry.topology(), !topology.expectations.isEmpty
        else { return nil }
        return topology.devices.lazy.compactMap { device in
            guard case .accessory(let profile) = device.program else { return nil }
            return profile == wanted ? nil : profile
        }.first
    }

    /// Every kind of fault at every moment of a plain handshake.
    private func sweep(
        over handshake: String, prefix: String, by player: TrialPlayer,
        noting outcome: inout Outcome
    ) -> [Trial] {
        var task = RunTask(name: "sweep/plain", file: "sweep", text: handshake, seed: 1)
        // A device that never ranges is watched for this long.
        let limit = VirtualTime(nanoseconds: .seconds(5))
        let sweep: FaultSweep
        do {
            task = try task.read()
            let swept = try FaultSweep.over([task], with: player.settings) {
                $0.kind == .niDidUpdate || $0.time > limit
            }
            sweep = try swept[0].get()
        } catch let failure as FaultSweep.PlainFailure {
            outcome.unswept.append(failure.report)
            return []
        } catch {
            outcome.take(error)
            return []
        }
        return (0..<sweep.count).map { number in
            let variation = sweep.variation(number, of: task.seed)
            var struck = task.varied(by: variation)
            struck.name = prefix + (variation.name ?? "")
            return Trial(struck)
        }
    }
}
