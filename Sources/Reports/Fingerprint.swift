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
        let violations = promises.filter { !$0.isMeantToBreak }.flatMap(\.violations)
        if let first = violations.min(by: { $0.time < $1.time }) { return first.fingerprint }
        let unmet = expectations.first { $0.verdict == "violated" }
        return "expected: \(unmet?.expectation ?? "")"
    }

    private func withoutNumbers(_ text: String) -> String {
        text.replacing(#/[0-9]+/#, with: "#")
    }
}
