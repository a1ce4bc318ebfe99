import Artifacts
import Foundation
package import Monitors
import Promises
package import TestSupport

@testable package import Reports

extension RunReport {
    /// A run of a second that came to its end.
    package static func of(
        _ topology: String, seed: UInt64, _ promises: [PromiseReport] = [],
        expectations: [ExpectationReport] = [], status: ExitStatus = .held
    ) -> RunReport {
        var run = RunReport(
            topology: topology, seed: seed, scheduler: "random", status: status, ended: "finished",
            digest: "", steps: 9, simulated: 1_000_000_000)
        run.promises = promises
        run.expectations = expectations
        run.replay = "anechoic replay out/\(topology)/\(seed)/replay.json"
        return run
    }

    /// A run that a device ended.
    package static func failed(_ topology: String, seed: UInt64, _ failure: String) -> RunReport {
        var run = RunReport.of(topology, seed: seed, status: .deviceFailed)
        run.failure = failure
        return run
    }
}

extension RunReport.PromiseReport {
    /// A promise that was put to the test once, and broken where something is said against it.
    package static func of(
        _ id: String, _ verdict: Outcome = .held, _ complaint: String? = nil,
        meantToBreak: Bool = false, excused: Int = 0, clause: String = "R4 2.3"
    ) -> RunReport.PromiseReport {
        let violation = complaint.map {
            RunReport.ViolationReport(
                device: "lock", time: 2_500_000_000, key: "ben – lock", sentence: $0,
                fingerprint: "", events: [7],
                story: ["2.500 s  event 7  link.down on lock"])
        }
        return RunReport.PromiseReport(
            PromiseDescription(
                id, clause: PromiseSource(clause), keeper: .accessory,
                sentence: "It keeps \(id)."),
            verdict: verdict, isMeantToBreak: meantToBreak,
            exercised: verdict == .vacuous ? 0 : 1, excused: excused,
            violations: [violation].compactMap { $0 })
    }
}

extension RunReport.ExpectationReport {
    /// An expectation of line 9.
    package static func of(
        _ text: String, _ verdict: Outcome = .held, _ reason: String? = nil
    ) -> RunReport.ExpectationReport {
        RunReport.ExpectationReport(expectation: text, line: 9, verdict: verdict, reason: reason)
    }
}

extension Command.Outcome {
    /// What it printed, with `--format json`.
    package var reports: [RunReport] {
        get throws { try JSONDecoder().decode([RunReport].self, from: Data(output.utf8)) }
    }
}

extension RunReport {
    /// For messages.
    package var summary: String {
        "\(topology): \(verdict) \(failure ?? "") "
            + expectations.filter { $0.verdict != .held }.map(\.expectation).joined(
                separator: "; ")
    }
}
