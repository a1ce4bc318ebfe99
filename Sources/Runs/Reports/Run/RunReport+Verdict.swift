import Artifacts
import DeviceLink
package import Invariants
import Monitors
package import Traces

extension ExitStatus {
    package init(_ verdict: Verdict) {
        switch verdict.outcome {
        case .held, .vacuous: self = .held
        case .violated: self = .violated
        case .inconclusive: self = .inconclusive
        case nil: self = .harnessError
        }
    }
}

extension RunReport {
    /// What a judge found in a recorded trace; `name` is what it is called where it does not say so itself.
    package init(_ verdict: Verdict, of header: TraceHeader?, named name: String) {
        self.init(
            topology: header?.topology ?? name, seed: header?.seed ?? 0,
            scheduler: header?.scheduler ?? "", status: ExitStatus(verdict), ended: "",
            digest: "", steps: 0, simulated: verdict.end.nanoseconds)
        take(verdict)
    }

    /// Takes over what a judge found of devices in these roles.
    package mutating func take(_ verdict: Verdict, roles: [String: DeviceRole] = [:]) {
        promises = verdict.promises.map(PromiseReport.init)
        for promise in promises.indices {
            for place in promises[promise].violations.indices {
                let device = promises[promise].violations[place].device
                promises[promise].violations[place].role = roles[device]
            }
        }
        goals = verdict.goals.filter { $0.steps > 0 }.map {
            GoalReport(goal: $0.goal.id, steps: $0.steps, of: $0.goal.steps.count)
        }
        otherMessages = verdict.otherMessages.isEmpty ? nil : verdict.otherMessages
        expectations = verdict.expectations.map(ExpectationReport.init)
        expectations += verdict.unbroken.map {
            ExpectationReport(expectation: "violated", line: 0, verdict: .violated, reason: $0)
        }
    }
}

extension RunReport.PromiseReport {
    fileprivate init(_ result: Verdict.PromiseResult) {
        self.init(
            result.about, verdict: result.outcome,
            isMeantToBreak: result.isMeantToBreak, exercised: result.record.exercised,
            excused: result.record.excused, closestCall: result.closestCall,
            violations: result.record.violations.map(RunReport.ViolationReport.init))
    }
}

extension RunReport.ViolationReport {
    fileprivate init(_ violation: Violation) {
        self.init(
            device: violation.device, time: violation.time.nanoseconds, key: violation.key,
            sentence: violation.sentence, fingerprint: violation.fingerprint,
            events: violation.events.map(\.number),
            story: violation.events.map {
                "\(Console.seconds($0.time.nanoseconds))  event \($0.number)  \($0.kind)"
                    + ($0.device.isEmpty ? "" : " on \($0.device)")
            })
    }
}

extension RunReport.ExpectationReport {
    fileprivate init(_ result: Verdict.ExpectationResult) {
        self.init(
            expectation: result.expectation.text, line: result.expectation.source.line,
            verdict: result.outcome, reason: result.sentence, progress: result.progress)
    }
}
