import Foundation
import Monitors

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
    /// What went wrong first, without numbers, addresses, paths and times; nil where nothing did for sure.
    ///
    /// Runs that fail in the same way have the same one.
    package var fingerprint: String? {
        switch status {
        case .deviceFailed: return "device failed: \(Self.brief(failure ?? ""))"
        case .harnessError: return "harness error: \(Self.brief(failure ?? ""))"
        case .wrongUse, .wrongFile, .unavailable: return Self.brief(failure ?? verdict)
        case .violated: break
        case .held, .inconclusive, .interrupted: return nil
        }
        if let first = firstViolation { return first.violation.fingerprint }
        guard let unmet = expectations.first(where: { $0.verdict == .violated }) else {
            return "expected: nothing that was reported"
        }
        return "expected: \(unmet.expectation)" + (unmet.progress.map { " (\($0))" } ?? "")
    }

    /// The promise that is broken before any other, though nobody expects it; nil where none is.
    package var firstBroken: String? { firstViolation?.promise.promise }

    /// The earliest violation that nobody expects, and its promise.
    package var firstViolation: (promise: PromiseReport, violation: ViolationReport)? {
        promises.filter { !$0.isMeantToBreak }
            .flatMap { promise in promise.violations.map { (promise, $0) } }
            .min { $0.1.time < $1.1.time }
    }

    /// What a device did, with its last words; the rest of its log differs each time.
    private static func brief(_ failure: String) -> String {
        // What it said stands indented below.
        let lines = failure.split(separator: "\n").map { line in
            line.hasPrefix("    ") ? String(line.dropFirst(4)) : String(line)
        }
        let head = (lines.first ?? "").replacing(#/; its last lines:$/#, with: "")
        let said = DyingWords.line(of: Array(lines.dropFirst())).map { ": \($0)" } ?? ""
        return withoutNumbers(withoutFolders(head + said))
    }

    /// Names of files without the folders in which they lie on this machine.
    private static func withoutFolders(_ text: String) -> String {
        text.replacing(#/[^\s\/:,;'"`()]*(?:\/[^\s\/:,;'"`()]+)+\/(?=[^\s\/:,;'"`()])/#, with: "")
    }

    /// Addresses may stand without 0x; no word of six letters or more has only those up to f, and a digit.
    private static func withoutNumbers(_ text: String) -> String {
        text.replacing(
            #/0x[0-9a-fA-F]+|\b(?=[0-9a-fA-F]*[0-9])[0-9a-fA-F]{6,}\b|[0-9]+/#, with: "#")
    }
}

/// What a program says when it dies, among the other lines of its log.
package enum DyingWords {
    /// How such lines begin, or what stands in them, by language and library.
    private static let signs = [
        "Fatal error:", "panicked at", "panic:", "terminate called", "AddressSanitizer:",
        "runtime error:",
        "Assertion", "assertion failed", "ASSERTION FAIL",
    ]

    /// The line that says why; nil where none does.
    ///
    /// Of a traceback of Python that is the first line behind it, which is not indented.
    static func line(of log: [String]) -> String? {
        guard let place = place(in: log) else { return nil }
        guard log[place].hasPrefix("Traceback (most recent call last)") else {
            // Rust says why in the line behind that of the place.
            let isPlace = log[place].contains("panicked at") && log[place].hasSuffix(":")
            return isPlace && place + 1 < log.count ? log[place + 1] : log[place]
        }
        return log[(place + 1)...].first { !$0.hasPrefix(" ") }
    }

    /// Where they begin; nil where there are none.
    package static func place(in log: [String]) -> Int? { log.firstIndex(where: isSign) }

    private static func isSign(_ line: String) -> Bool {
        line.hasPrefix("Traceback (most recent call last)") || signs.contains(where: line.contains)
    }
}
