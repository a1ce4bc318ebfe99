import Artifacts
import Basics
import Foundation
import PromiseLibrary
import Promises
package import Reports

// What a person reads.
extension ConformanceReport {
    /// What a person reads; in brief without the tables: what is wrong, and the verdict; as a whole with each
    /// statement to its end.
    package func text(
        isBrief: Bool = false, isWhole: Bool = false, ink: Ink = Ink(.never)
    ) -> String {
        let clauses = isWhole ? matrix.text(within: .max) : matrix.text
        let tables = isBrief ? [] : [clauses, others, isPartial ? "" : goals, sweep]
        let notes =
            [
                phonesAlone, unsaid, applicability.differences.map { "PICS: \($0)\n" }.joined(),
                search,
                simplified, unjudged, skipped, failuresKnown,
            ] + handshakes
        let stories = broken(ink) + expected(ink) + failures(ink)
        let verdict = ink(plain(conclusion), as: status == .held ? .good : .bad)
        return ((tables + notes).map(plain) + stories + [plain(hint), verdict]).filter {
            !$0.isEmpty
        }
        .joined(separator: "\n") + "\n"
    }

    /// What to do where the only thing that is missing is an occasion, which a device may never give.
    private var hint: String {
        guard let clause = unseen.first, reasons.map(\.words) == vacuityReasons.map(\.words) else {
            return ""
        }
        let words = "if the device has nothing that \(clause.id) is about, say so"
        return files.pics.map { "\(words) in \($0)\n" }
            ?? "\(words) with --pics FILE (anechoic conform --write-pics prints a template)\n"
    }

    /// The most stories of a kind.
    private static let stories = 10

    /// The promises that no clause of R4 stands for.
    private var others: String {
        let clauses = Set(ClauseTable.r4.flatMap(\.promises))
        let rows = promises.filter { !clauses.contains($0.id) }.map { promise in
            let place = promise.topology.map { "\($0): " } ?? ""
            return [
                place + promise.id, promise.about.keeperWord, promise.verdict.rawValue,
                "\(promise.exercised)", promise.about.clause.text,
            ]
        }
        guard !rows.isEmpty else { return "" }
        return TextTable(
            header: ["promise", "keeper", "result", "exercised", "written in"], rows: rows
        ).text + "\n"
    }

    private var goals: String {
        let goals = GoalSummary.all(PropertyLibrary.standard.goals, in: outcome.reports)
        return goals.isEmpty ? "" : goals.map(\.line).joined(separator: "\n") + "\n"
    }

    /// What the sweep struck with.
    private var sweep: String {
        let kinds = outcome.reports.compactMap(\.sweptFault?.kind).uniqued
        guard !kinds.isEmpty else { return "" }
        return
            "the sweep: each of \(kinds.count) kinds of fault, once at every moment of the handshake with each timer as "
            + "late as it may be, and at each occurrence of whatever is on the air:\n\(kinds.joined(separator: ", "))\n"
    }

    /// How the accessory speaks, where its PICS does not say so.
    private var unsaid: String {
        outcome.unsaid.map { line in
            let place = files.pics ?? "a PICS (anechoic conform --write-pics prints a template)"
            return
                "the accessory was tested with an app that fits what it did; say so in \(place): \(line)\n"
        }.joined()
    }

    private var phonesAlone: String {
        outcome.rangesWithPhonesAlone
            ? "The app ranges with phones, and with no accessory: no clause of R4 is demanded of it\n"
            : ""
    }

    /// What the search has played, and what follows from it.
    private var search: String {
        guard let searched = outcome.searched, searched.runs > 0 else { return unsearched }
        let isWhole = searched.runs == searched.planned
        let topologies = searched.topologies.counted("topology", plural: "topologies")
        let text =
            "search (budget \(searched.budget.rawValue)): \(searched.runs)"
            + (isWhole ? "" : " of \(searched.planned)")
            + " runs of \(topologies), each in orders of the portfolio, as it is and with faults at random: "
        let result =
            searched.failing > 0
            ? "\(searched.failing) failed, in \(searched.ways.counted("way"))"
            : !searched.findings.isEmpty
                ? "its plain run failed"
                : "nothing failed" + (isWhole ? ".\n\(Self.claim(of: searched))" : "")
        return text + result + "\n" + unsearched
    }

    /// What a search proves that found nothing: of `n` runs without a failure follows with 95 % that fewer than 3 in
    /// `n` fail (the rule of three; Hanley, Lippman-Hand 1983).
    private static func claim(of searched: ConformanceSuite.Searched) -> String {
        func odds(_ runs: UInt64) -> UInt64 { max(1, runs / 3) }
        return "A failure that shows in more than 1 of "
            + "\(odds(searched.runs / UInt64(searched.topologies))) runs of a topology, or in more than 1 of "
            + "\(odds(searched.runs)) runs of all,\nwould have been found with a probability of 95 %. "
            + "Nothing is known of rarer ones"
    }

    private var unsearched: String {
        guard outcome.unsearched > 0 else { return "" }
        let topologies = outcome.unsearched.counted("topology", plural: "topologies")
        return "not searched, because each of their runs failed: \(topologies)\n"
    }

    private var skipped: String {
        Self.line(
            "not played, because they ask for what only the reference device has",
            of: outcome.skipped)
    }

    private var simplified: String {
        Self.line(
            "played without some parameters, which a device refuses", of: outcome.simplified)
    }

    private var unjudged: String {
        Self.line("played, but what they expect was not judged", of: outcome.unjudged)
    }

    /// Where some failures are known, what each is called, so that those that are not can be.
    private var failuresKnown: String {
        guard known != .none else { return "" }
        return runs.compactMap(\.fingerprint).uniqued.sorted().map { failure in
            known.reason(for: failure).map { "known: \(failure): \($0)\n" }
                ?? "not known: \(failure)\n"
        }.joined()
    }

    private static func line(_ words: String, of list: [(name: String, reason: String)]) -> String {
        guard let first = list.first else { return "" }
        let more = (list.count - 1).more.map { " " + $0 } ?? ""
        return "\(words): \(first.name) (\(first.reason))\(more)\n"
    }

    /// Handshakes that did not come about although no device failed.
    private var handshakes: [String] {
        outcome.handshakes.compactMap { handshake in
            guard case .missing(let reason) = handshake.outcome else { return nil }
            return """
                \(handshake.report.topology): nothing disturbed the devices, and they did not \
                \(handshake.partner.deed) within 20 s
                  \(reason)

                """
        }
    }

    /// What broke, cause by cause, and what was left open: how often, the first time, and all that is known of it.
    private func broken(_ ink: Ink) -> [String] {
        let open = promises.filter { $0.verdict == .inconclusive }.map { [$0] }
        return (groups + open).map { group in
            let promise = group[0]
            let word =
                promise.verdict == .inconclusive
                ? "left open" : level(of: promise) == .must ? "broken" : "not kept"
            return "\(note(on: promise))\(promise.id) was \(word) in \(promise.agreeing) of "
                + "\(promise.runs.counted("run")), first in\n\(ink.story(plain(promise.story ?? "")))\n"
                + plain(details(of: group).map { "  \($0)\n" }.joined())
        }.capped(at: Self.stories) { "\($0) causes, which --json has\n" }
    }

    /// What is known of promises that break together; nothing of one that was left open.
    func details(of group: [SuiteSummary.PromiseSummary]) -> [String] {
        group[0].verdict == .violated ? cause(of: group).lines : []
    }

    /// What stands before a promise that does not count: `warning (R4-3.6.1-3 should): `.
    private func note(on promise: SuiteSummary.PromiseSummary) -> String {
        guard tolerated.contains(promise) else { return "" }
        if let excuse = excuse(for: promise) { return "known (\(plain(excuse))): " }
        let names = clauses(of: promise)
        let clause = names.isEmpty ? promise.about.clause.text : names.joined(separator: ", ")
        let level = level(of: promise)
        return (level == .should ? "warning" : "note")
            + " (\(clause.isEmpty ? "" : clause + ": ")\(level.rawValue)): "
    }

    /// Runs that did not show what their topology expects.
    private func expected(_ ink: Ink) -> [String] {
        guard !isPartial else { return [] }
        return unmet.compactMap(Console.story).map { ink.story(plain($0)) + "\n" }
            .capped(at: Self.stories) { "\($0) runs that were not as expected\n" }
    }

    /// The ways in which runs could not be judged to their end.
    private func failures(_ ink: Ink) -> [String] {
        failures.compactMap { runs in
            Console.story(runs[0]).map { story in
                let more = runs.inOtherTopologies.map { "  \(plain($0))\n" }.joined()
                return ink.story(plain(story)) + (more.isEmpty ? "" : "\n" + more)
            }
        }.capped(at: Self.stories) { "\($0) ways in which runs failed\n" }
    }

    /// One line: the verdict, why it is not a yes, and what it rests on.
    var conclusion: String {
        let word =
            switch status {
            case .held: "CONFORMS"
            case .violated: "DOES NOT CONFORM"
            case .inconclusive: isIncomplete ? "INCOMPLETE" : "UNDECIDED"
            case .interrupted: "INTERRUPTED"
            case .deviceFailed, .wrongUse, .wrongFile, .unavailable, .harnessError: "FAILED"
            }
        let why = reasons.map(\.words).uniqued
        let held = promises.count { $0.verdict == .held }
        let broken = promises.count { $0.verdict == .violated && fails($0) }
        var line =
            word + (why.isEmpty ? "" : " (\(why.joined(separator: "; ")))")
            + ": \(held.counted("promise")) held, \(broken) broken, "
            + (warnings.isEmpty ? "" : "\(warnings.count.counted("warning")), ")
            + "\(vacuous.count) never exercised, in \(done.counted("run"))"
        let swept = outcome.reports.count { $0.sweptFault != nil }
        let parts = [
            swept > 0 ? "\(swept) of them of the sweep" : nil,
            outcome.searched.map { "\($0.runs) searched" },
        ].compactMap(\.self)
        if !parts.isEmpty { line += " (\(parts.joined(separator: ", ")))" }
        if !outcome.skipped.isEmpty {
            let words = outcome.skipped.count.counted("topology", plural: "topologies")
            line += "; \(words) not played"
        }
        return line + "."
    }
}

extension [RunReport] {
    /// In which topologies runs failed in one way, where it is more than one.
    var inOtherTopologies: [String] {
        let names = map(\.topology).uniqued
        guard names.count > 1 else { return [] }
        return [
            "so did \((count - 1).counted("other run")), in \(names.prefix(5).joined(separator: ", "))"
                + ((names.count - 5).more.map { " " + $0 } ?? "")
        ]
    }
}
