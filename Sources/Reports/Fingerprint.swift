internal import Foundation
internal import Invariants

extension Violation {
    /// The promise and the kinds of the events that prove it, each once where it stands many times in a
    /// row.
    var fingerprint: String {
        var kinds: [String] = []
        for event in events where event.kind != kinds.last { kinds.append(event.kind) }
        return kinds.isEmpty ? promise : "\(promise): \(kinds.joined(separator: " → "))"
    }
}

extension RunReport {
    /// What went wrong first, without names, numbers and times; nil where nothing did for sure.
    ///
    /// Runs that fail in the same way have the same one.
    package var fingerprint: String? {
        switch status {
        case .deviceFailed: return "device failed: \(withoutNumbers(failure ?? ""))"
        case .violated: break
        default: return nil
        }
        if let first = firstViolation { return first.violation.fingerprint }
        let unmet = expectations.first { $0.verdict == "violated" }
        return "expected: \(unmet?.expectation ?? "")"
    }

    /// The earliest violation that nobody expects, and its promise.
    package var firstViolation: (promise: PromiseReport, violation: ViolationReport)? {
        promises.filter { !$0.isMeantToBreak }
            .flatMap { promise in promise.violations.map { (promise, $0) } }
            .min { $0.1.time < $1.1.time }
    }

    private func withoutNumbers(_ text: String) -> String {
        text.replacing(#/[0-9]+/#, with: "#")
    }
}
