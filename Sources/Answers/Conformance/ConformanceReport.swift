import Artifacts
import Basics
package import DeviceLink
package import Diagnosis
import Foundation
import Monitors
import Orchestration
import Promises
package import Reports

/// What a conformance test says: clause by clause, and in one line.
package struct ConformanceReport {
    let outcome: ConformanceSuite.Outcome
    /// The runs of the suite, and those that the search tells of.
    let runs: [RunReport]
    let summary: SuiteSummary
    /// What binds the device, and where it shows something else than it claims.
    let applicability: Applicability
    let matrix: ClauseMatrix
    let gate: ConformanceGate
    /// The version of this program, and what the verdict rests on, for CI servers.
    let version: String
    let properties: [Pair]
    /// The programs under test, as the user named them.
    let devices: (accessory: String?, app: String?)
    /// The files that the user wrote: what the device claims, and a folder of topologies.
    let files: (pics: String?, suite: String?)
    /// Failures that are told and fail nothing.
    let known: KnownFailures
    /// Why runs fail nothing, by topology and seed: what went wrong in them first is known.
    private let excuses: [String: String]
    /// The promises that count.
    let promises: [SuiteSummary.PromiseSummary]
    /// How binding the clauses make a promise that stands for some: by the most binding one.
    private let levels: [String: Property.Level]
    let isPartial: Bool
    /// The first failing run of each broken promise, made smaller and explained.
    package var diagnosed: [DiagnosedRun] = [] { didSet { groups = grouped() } }
    /// The broken promises, those of one cause together.
    private(set) var groups: [[SuiteSummary.PromiseSummary]] = []

    package init(
        _ outcome: ConformanceSuite.Outcome, pics: PICS, only: [String],
        gate: ConformanceGate, version: String = "", properties: [Pair] = [],
        devices: (accessory: String?, app: String?) = (nil, nil),
        files: (pics: String?, suite: String?) = (nil, nil), known: KnownFailures = .none
    ) {
        self.outcome = outcome
        self.gate = gate
        self.version = version
        self.properties = properties
        (self.devices, self.files) = (devices, files)
        isPartial = !only.isEmpty
        let told = outcome.told
        let counted = outcome.searched?.counts ?? SuiteCounts()
        summary = SuiteSummary(
            outcome.reports, beside: counted, told: told, home: ConformanceSuite.home)
        runs = outcome.reports + told
        self.known = known
        excuses = Dictionary(
            runs.compactMap { run in
                run.fingerprint.flatMap { known.reason(for: $0) }.map { (Self.key(of: run), $0) }
            }, uniquingKeysWith: { one, _ in one })
        let clauses =
            only.isEmpty
            ? ClauseTable.r4
            : ClauseTable.r4.filter { clause in
                only.contains { name in
                    clause.promises.contains(name) || PICS.clauses(named: name).contains(clause.id)
                }
            }
        applicability = Applicability(
            pics, in: summary,
            messages: counted.otherMessages.union(runs.flatMap { $0.otherMessages ?? [] }))
        matrix = ClauseMatrix(summary, clauses: clauses, outOfScope: applicability.outOfScope)
        let wanted = Set(clauses.flatMap(\.promises) + only)
        let binding = matrix.rows.filter { $0.outcome != .notApplicable }.map(\.clause)
        let applicable = Set(binding.flatMap(\.promises))
        levels = Dictionary(
            binding.flatMap { clause in clause.promises.map { ($0, clause.level) } },
            uniquingKeysWith: { $0.binds(moreThan: $1) ? $0 : $1 })
        let ofR4 = Set(ClauseTable.r4.flatMap(\.promises))
        let notBinding = applicability.outOfScope
        promises = summary.promises.filter { promise in
            (only.isEmpty || wanted.contains(promise.id))
                && !notBinding.contains(promise.id)
                && (!ofR4.contains(promise.id) || applicable.contains(promise.id))
        }
        groups = grouped()
    }

    package var status: ExitStatus {
        reasons.reduce(.held) { $0.combined(with: $1.status) }
    }

    /// Runs that came to their end and did not show what their topology expects, each with nothing but that.
    var unmet: [RunReport] {
        runs.compactMap { run in
            let unmet = run.expectations.filter { $0.verdict != .held }
            let worst = unmet.first { $0.verdict == .violated } ?? unmet.first
            guard run.failure == nil, excuse(for: run) == nil, var story = worst.map(run.only)
            else { return nil }
            story.expectations = unmet
            return story
        }
    }

    /// How many runs were judged.
    var done: Int { outcome.reports.count + Int(outcome.searched?.runs ?? 0) }

    var vacuous: [String] { promises.filter { $0.verdict == .vacuous }.map(\.id) }
}

// What is known, and so fails nothing.
extension ConformanceReport {
    private static func key(of run: RunReport) -> String { "\(run.topology) \(run.seed)" }

    /// Why a run that failed fails nothing; nil where it does.
    func excuse(for run: RunReport) -> String? {
        guard known != .none else { return nil }
        return excuses[Self.key(of: run)] ?? run.fingerprint.flatMap { known.reason(for: $0) }
    }

    /// Why a promise that was broken fails nothing: each run that broke it is known.
    func excuse(for promise: SuiteSummary.PromiseSummary) -> String? {
        guard promise.verdict == .violated, let first = promise.failing.first,
            promise.failing.allSatisfy({ excuse(for: $0) != nil })
        else { return nil }
        return excuse(for: first)
    }

    /// Whether it is a no if this promise was not kept.
    func fails(_ promise: SuiteSummary.PromiseSummary) -> Bool {
        gate.fails(level(of: promise)) && excuse(for: promise) == nil
    }
}

// Why it is not a plain yes.
extension ConformanceReport {
    struct Reason {
        let status: ExitStatus
        let words: String
    }

    /// All of them; none where it conforms.
    var reasons: [Reason] {
        let unplayed =
            [interruption, timeOver, trouble, stop].compactMap(\.self) + handshakeReasons
            + [searchReason].compactMap(\.self)
        let reasons = unplayed + runReasons + promiseReasons
        // What was not played to its end could not put everything to the test.
        return unplayed.isEmpty ? reasons + vacuityReasons : reasons
    }

    private var interruption: Reason? {
        guard Interruption.isHere, !Interruption.isTimeUp else { return nil }
        return Reason(
            status: .interrupted,
            words: done == 0
                ? "before the first run"
                : "after \(done) of \(outcome.planned) runs, which decides nothing")
    }

    /// How many runs at least were not played because the time was over; nil where it was not.
    var unplayed: Int? {
        let count = outcome.planned - done
        return outcome.isTimeUp && count > 0 ? count : nil
    }

    /// Whether it is no plain yes because the time was over, and nothing worse was found.
    var isIncomplete: Bool { unplayed != nil && status == .inconclusive }

    private var timeOver: Reason? {
        unplayed.map { count in
            Reason(
                status: .inconclusive,
                words: "the time was over after \(done) of at least \(outcome.planned) runs, "
                    + "\(count) were not played")
        }
    }

    /// An error of ours after which nothing more was played.
    private var trouble: Reason? {
        outcome.trouble.map { error in
            let words = "ended after \(done) of \(outcome.planned) runs: \(sentence(for: error))"
            return Reason(status: .harnessError, words: words)
        }
    }

    /// What was not played could have failed, whatever became of the rest.
    private var stop: Reason? {
        guard outcome.isStopped else { return nil }
        let words = "stopped at the first failure, after \(done) of \(outcome.planned) runs"
        return Reason(status: .inconclusive, words: words)
    }

    /// Without a handshake nothing that was shown could be a yes.
    private var handshakeReasons: [Reason] {
        outcome.handshakes.compactMap { handshake in
            switch handshake.outcome {
            case .done: nil
            case .missing: Reason(status: .inconclusive, words: "no plain handshake came about")
            case .refused(let reason):
                Reason(status: .deviceFailed, words: "nothing was played: \(reason)")
            case .failed(let status, _):
                Reason(status: status, words: "the plain handshake did not come to its end")
            }
        }
    }

    /// A search that was asked for has to have played something.
    private var searchReason: Reason? {
        guard let searched = outcome.searched else {
            return outcome.unsearched > 0
                ? Reason(status: .inconclusive, words: "nothing was searched") : nil
        }
        guard searched.shard == .all else {
            let words = "only part \(searched.shard.text) of the search was played"
            return Reason(status: .inconclusive, words: words)
        }
        // Parts that were joined may not be all of them; whatever else ends a search has a reason of its own.
        guard !searched.isPlayedHere, searched.runs < searched.planned else { return nil }
        let words = "\(searched.runs) of \(searched.planned) runs of the search are there"
        return Reason(status: .inconclusive, words: words)
    }

    private var runReasons: [Reason] {
        let failed = failures.flatMap(\.self).filter { !$0.isRefusal }
        let status = failed.reduce(ExitStatus.held) { $0.combined(with: $1.status) }
        var reasons: [Reason] = []
        if status != .held {
            let ways = Set(failed.map(\.fingerprint)).count
            let words =
                failed.count.counted("run") + " failed"
                + (ways < failed.count ? ", in \(ways.counted("way"))" : "")
            reasons.append(Reason(status: status, words: words))
        }
        if outcome.unwritten != nil {
            reasons.append(Reason(status: .harnessError, words: "files could not be written"))
        }
        reasons += outcome.unswept.map {
            Reason(status: $0.status, words: "no sweep: \($0.topology) \($0.failure ?? $0.ended)")
        }
        if gate.demand == .vacuity, !outcome.skipped.isEmpty {
            let words = outcome.skipped.count.counted("topology", plural: "topologies")
            reasons.append(Reason(status: .inconclusive, words: "\(words) not played"))
        }
        guard !isPartial else { return reasons }
        let broken = unmet.count { $0.status == .violated }
        if broken > 0 {
            let words = "\(broken.counted("run")) not as expected"
            reasons.append(Reason(status: .violated, words: words))
        } else if !unmet.isEmpty {
            let words = "\(unmet.count.counted("run")) ended before an expectation was decided"
            reasons.append(Reason(status: .inconclusive, words: words))
        }
        return reasons
    }

    private var promiseReasons: [Reason] {
        let binding = promises.filter(fails)
        func number(_ verdict: Outcome) -> Int { binding.count { $0.verdict == verdict } }
        var reasons: [Reason] = []
        if number(.violated) > 0 {
            let causes = groups.count { $0.contains(where: fails) }
            let words =
                number(.violated).counted("promise") + " broken"
                + (causes < number(.violated) ? " by \(causes.counted("cause"))" : "")
            reasons.append(Reason(status: .violated, words: words))
        }
        if number(.inconclusive) > 0 {
            let words = number(.inconclusive).counted("promise") + " left open"
            reasons.append(Reason(status: .inconclusive, words: words))
        }
        if promises.allSatisfy({ $0.verdict == .vacuous }) {
            reasons.append(
                Reason(status: .inconclusive, words: "no promise was put to the test"))
        }
        return reasons
    }

    /// The clauses that the gate wants to see put to the test, and that nobody did.
    var unseen: [Clause] {
        guard gate.demand == .vacuity || !outcome.rangesWithPhonesAlone else { return [] }
        return matrix.rows.filter { $0.outcome == .inconclusive(.notExercised) }.map(\.clause)
            .filter(gate.demands)
    }

    /// What the gate wants to see put to the test, and nobody did.
    var vacuityReasons: [Reason] {
        guard promises.contains(where: { $0.verdict != .vacuous }) else { return [] }
        let others = gate.demand == .vacuity ? vacuous.count : 0
        var words: [String] = []
        if let first = unseen.first {
            let what = gate.demand == .must ? "must" : "clause"
            let more = (unseen.count - 1).more.map { " " + $0 } ?? ""
            words.append("\(unseen.count.counted(what)) never exercised: \(first.id)\(more)")
        }
        if others > 0 { words.append("\(others.counted("promise")) never exercised") }
        return words.map { Reason(status: .inconclusive, words: $0) }
    }
}

// What binds, and how much.
extension ConformanceReport {
    /// How binding a promise is: as its clauses of R4 are; and as it says, where it is written elsewhere too.
    func level(of promise: SuiteSummary.PromiseSummary) -> Property.Level {
        let about = promise.about
        guard let level = levels[promise.id] else { return about.level }
        return about.clause.isR4Alone || level.binds(moreThan: about.level) ? level : about.level
    }

    /// Whether a promise counts beside the clauses that it stands for: where it stands for none, or binds more, or was
    /// broken by somebody whom none of them binds.
    func bindsBesideItsClauses(_ promise: SuiteSummary.PromiseSummary) -> Bool {
        levels[promise.id] != level(of: promise)
            || (promise.verdict == .violated
                && !matrix.rows.contains { $0.broken.contains(promise.id) })
    }

    /// The promises that were not kept, and do not count: they are recommended, allowed, or known to be broken.
    var tolerated: [SuiteSummary.PromiseSummary] {
        promises.filter {
            [.violated, .inconclusive].contains($0.verdict) && !fails($0)
        }
    }

    /// The recommendations among them that no cause has broken which fails the test.
    var warnings: [SuiteSummary.PromiseSummary] {
        groups.filter { !$0.contains(where: fails) }.compactMap { group in
            group.first { level(of: $0) == .should && excuse(for: $0) == nil }
        }
    }

    /// The clauses that a promise stands for, as the matrix has them.
    func clauses(of promise: SuiteSummary.PromiseSummary) -> [String] {
        matrix.rows.map(\.clause).filter { $0.promises.contains(promise.id) }.map(\.id)
    }
}

extension Property.Level {
    /// Whether it binds more than another one: the most binding is the first.
    fileprivate func binds(moreThan other: Property.Level) -> Bool {
        let levels = Property.Level.allCases
        return levels.firstIndex(of: self) ?? 0 < levels.firstIndex(of: other) ?? 0
    }
}
