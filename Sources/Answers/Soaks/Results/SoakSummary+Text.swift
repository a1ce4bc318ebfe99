import Artifacts
import Basics
import Campaigns
import Foundation
package import Reports

extension SoakSummary {
    /// For people; in brief without what the arms have done and what was covered.
    package func text(isBrief: Bool = false, ink: Ink = Ink(.never)) -> String {
        var text = isInterrupted ? "interrupted; so far:\n" : ""
        if !groups.isEmpty { text += groupTable + "\n" }
        if !isBrief { text += armTable + "\n" }
        text += ink(plain(headline), as: groups.contains(where: \.counts) ? .bad : .good) + "\n"
        text += plain(canaryLine) + "\n"
        for trouble in troubles { text += ink("trouble: \(plain(trouble))", as: .bad) + "\n" }
        if let note = Repertoire.note(simplified: simplified, omitted: notPlayed) {
            text += "played: \(plain(note))\n"
        }
        for growth in growths { text += ink("growth: \(plain(growth))", as: .bad) + "\n" }
        if !isBrief { for line in silence { text += plain(line) + "\n" } }
        for groups in causes { text += story(of: groups, ink: ink) }
        return text
    }

    private var groupTable: String {
        TextTable(
            header: ["state", "failure", "runs", "rate (95 %)", "first", "confirmed"],
            rows: groups.map { group in
                [
                    group.acknowledged == nil
                        ? group.state.rawValue : "\(group.state.rawValue), known",
                    group.fingerprint, "\(group.rate.hits)", group.rate.text,
                    Self.day(group.firstSeen),
                    group.finding.map { "\($0.finding.confirmed) of \(Finding.repeats)" } ?? "-",
                ]
            }
        ).text
    }

    private var armTable: String {
        TextTable(
            header: ["arm", "runs", "share", "failing"],
            rows: arms.map {
                [$0.arm.rawValue, "\($0.runs)", Rate.percent($0.share), "\($0.failing)"]
            }
        ).text
    }

    /// Virtual hours.
    package var hours: Double { Double(simulated) / 3.6e12 }

    package var headline: String {
        let played = arms.reduce(0) { $0 + $1.runs }
        let rate = seconds > 0 ? Int(Double(played) / seconds) : 0
        let new = groups.count { $0.state == .new }
        let ongoing = groups.count { $0.state == .ongoing }
        var text =
            "\(runs.counted("run")) of \(topologies.counted("topology", plural: "topologies")) in "
            + "\(Self.span(seconds)) (\(rate)/s), \(String(format: "%.1f", hours)) simulated hours: "
        text +=
            runs == 0
            ? "nothing was played"
            : new + ongoing == 0
                ? "nothing failed"
                : "\(failing) failed, in \((new + ongoing).counted("group"))\(ofCauses): \(new) new, \(ongoing) ongoing"
        let (rare, gone) = (groups.count { $0.state == .rare }, groups.count { $0.state == .gone })
        if rare > 0 { text += ", \(rare) rare" }
        if gone > 0 { text += ", \(gone) gone" }
        if undecided > 0 { text += "; \(undecided) ended before something was decided" }
        return text
    }

    /// How many causes the groups have, where it is fewer.
    private var ofCauses: String {
        let seen = groups.filter { [.new, .ongoing].contains($0.state) }
        let causes = Set(seen.map(\.cause)).count
        return causes < seen.count ? " of \(causes.counted("cause"))" : ""
    }

    var canaryLine: String {
        let seen = "\(canaryRate.hits) of \(canaryRate.of) runs"
        return switch canary {
        case .found: "canary found: the known rare defect failed \(seen)"
        case .undecided:
            "canary undecided: \(seen); it is found in \(canaryPatience) runs with 99.9 %, so silence "
                + "says little yet"
        case .missed:
            "CANARY MISSED: the known rare defect failed \(seen), and is found in \(canaryPatience) with "
                + "99.9 %; this soak does not find what it should, and its silence means nothing"
        }
    }

    /// What it says that nothing else failed.
    private var silence: [String] {
        guard runs > 0 else { return [] }
        var lines = [
            "silence: what none of these runs has shown has a chance below "
                + "\(Rate.percent(Rate.unseen(in: runs))) a run of this kind (95 %)"
        ]
        let total = coverage.values.reduce(0, +)
        lines.append(
            "covered: \(total) pairs of state and event, of state and fault, and messages under way; "
                + "\(lateNews) of them new in the second half, the latest in run \(latestNews)")
        if !neverExercised.isEmpty {
            lines.append(
                "never exercised: \(neverExercised.count.counted("promise")): "
                    + neverExercised.joined(separator: ", "))
        }
        return lines
    }

    private func story(of groups: [Group], ink: Ink) -> String {
        let group = groups.first { $0.counts && $0.finding != nil } ?? groups[0]
        guard let found = group.finding else {
            guard let known = group.acknowledged else { return "" }
            return "\n\(plain(group.fingerprint)): known: \(plain(known))\n"
        }
        let story = plain(Console.story(found.finding.report) ?? group.fingerprint)
        var text = "\n\(ink.story(story))\n"
        if let known = group.acknowledged { text += "  known: \(plain(known))\n" }
        if let doubt = found.finding.doubt { text += "  \(plain(doubt))\n" }
        for line in Self.details(of: groups) { text += "  \(plain(line))\n" }
        return text
    }

    /// A day by the calendar of UTC.
    package static func day(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601.year().month().day())
    }

    static func span(_ seconds: Double) -> String { ProgressDisplay.span(seconds) }
}
