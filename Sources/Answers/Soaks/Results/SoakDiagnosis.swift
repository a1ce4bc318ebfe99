import Campaigns
import Diagnosis
import Foundation
import Orchestration
import Reports

/// Repeats what a soak has found by processes, makes it smaller and explains it, a group after another.
package struct SoakDiagnosis {
    private let plan: SoakPlan
    private let settings: RunSettings
    private let folder: String
    private let history: History
    private let clock = ContinuousClock()
    /// Why a file could not be written.
    package private(set) var trouble: String?

    init(_ plan: SoakPlan, settings: RunSettings, into folder: String, history: History) {
        (self.plan, self.settings) = (plan, settings)
        (self.folder, self.history) = (folder, history)
    }

    /// What earlier sittings have found out, by fingerprint.
    ///
    /// One that did not repeat is looked into again: somebody may have killed what repeated it.
    ///
    /// - Throws: ``DamagedRow``.
    static func kept(
        _ records: [FindingRecord], of campaign: CampaignRecord, in file: String
    ) throws -> [String: SoakFinding] {
        var findings: [String: SoakFinding] = [:]
        for record in records {
            let found: SoakFinding = try DamagedRow.reading(
                record.document, as: "the finding `\(record.fingerprint)`", of: campaign, in: file)
            if found.finding.doubt == nil { findings[record.fingerprint] = found }
        }
        return findings
    }

    /// Looks into each group of which nothing is known yet, those first that are worth most, as long as the seconds last;
    /// every one is repeated.
    package mutating func findings(
        of groups: [SoakProgress.Group], known: [String: SoakFinding], within seconds: Double
    ) throws -> [String: SoakFinding] {
        var findings = known
        let end = clock.now + .seconds(seconds)
        let groups = groups.sorted { plan.worth(of: $0.first) < plan.worth(of: $1.first) }
        for group in groups where findings[group.first.fingerprint] == nil && !Interruption.isHere {
            let finding = try finding(of: group, until: end)
            guard !Interruption.isHere else { break }
            findings[group.first.fingerprint] = finding
            try history.take(
                FindingRecord(
                    fingerprint: group.first.fingerprint, document: try jsonText(of: finding)))
        }
        return findings
    }

    private mutating func finding(
        of group: SoakProgress.Group, until end: ContinuousClock.Instant
    ) throws -> SoakFinding {
        var confirming = plan.settings(of: group.arm, from: settings)
        confirming.files = settings.files
        var confirmation = Confirmation(confirming, into: folder)
        var found = SoakFinding(try confirmation.finding(group.first))
        trouble = trouble ?? confirmation.trouble
        let report = found.finding.report
        guard found.finding.doubt == nil, let command = report.replay, trouble == nil,
            let promise = report.promises.first(where: { $0.verdict == .violated })?.promise
        else { return found }
        let run = DiagnosedRun(
            promise: promise, replay: "\(folder)/\(report.topology)/\(report.seed)/replay.json",
            command: command)
        found.diagnosis =
            DiagnosedRun.all(
                [run], within: (end - clock.now) / .seconds(1),
                watchdog: settings.processes.watchdog, memory: settings.processes.memory
            ).first
        return found
    }
}
