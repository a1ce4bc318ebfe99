import Artifacts
import Foundation
import Reports

/// Shows how far a soak is: a line that changes on a terminal, elsewhere one a minute; and its metrics in a file.
final class SoakDisplay {
    private let metrics: String?
    private let limits: Soak.Limits
    private let known: Set<String>
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let clock = ContinuousClock()
    private let begin: ContinuousClock.Instant
    private var shown: ContinuousClock.Instant?
    private var written: ContinuousClock.Instant?
    /// Why the metrics could not be written; told once.
    private var trouble: String?

    init(metrics: String?, limits: Soak.Limits, known: Set<String>) {
        (self.metrics, self.limits, self.known) = (metrics, limits, known)
        begin = clock.now
        // The first line of a log comes after a minute.
        shown = isTerminal ? nil : begin
    }

    func show(_ soak: Soak) {
        if hasPassed(isTerminal ? .milliseconds(250) : .seconds(60), since: shown) {
            shown = clock.now
            let line = line(of: soak)
            if isTerminal { showProgress(line) } else { printError(line) }
        }
        if hasPassed(.seconds(10), since: written) { writeMetrics(of: soak) }
    }

    func end(_ soak: Soak) {
        if isTerminal, shown != nil { showProgress("") }
        writeMetrics(of: soak)
    }

    private func writeMetrics(of soak: Soak) {
        guard let metrics else { return }
        written = clock.now
        do {
            try WholeFile.write(
                Data(SoakMetrics.text(of: soak).utf8), toNamed: metrics, option: "--metrics")
        } catch  where trouble == nil {
            trouble = "\(error)"
            printError("\(error); the soak goes on")
        } catch {}
    }

    private func hasPassed(_ time: Duration, since instant: ContinuousClock.Instant?) -> Bool {
        instant.map { clock.now - $0 >= time } ?? true
    }

    private static let width = 20

    private func line(of soak: Soak) -> String {
        let (progress, sitting) = (soak.progress, (clock.now - begin) / .seconds(1))
        let rate = Double(progress.played) / max(soak.seconds, 0.001)
        let hours = Double(progress.simulated) / 3.6e12
        let new = progress.groups.count { !known.contains($0.first.fingerprint) }
        var parts = [
            "\(progress.played) runs (\(Int(rate))/s)",
            String(format: "%.1f simulated hours", hours),
            "\(new) new and \(progress.groups.count - new) known failures",
            "\(progress.coverage.count) covered",
        ]
        guard let (share, left) = left(soak, sitting: sitting, rate: rate) else {
            return parts.joined(separator: ", ")
        }
        parts.append("\(SoakSummary.span(left)) left")
        let done = Int((Double(Self.width) * min(1, share)).rounded(.down))
        let bar =
            String(repeating: "#", count: done) + String(repeating: ".", count: Self.width - done)
        return (isTerminal ? "[\(bar)] " : "") + parts.joined(separator: ", ")
    }

    /// How much of the sitting is over, and how many seconds are left; nil where it has no end.
    private func left(_ soak: Soak, sitting: Double, rate: Double) -> (Double, Double)? {
        var ends: [(Double, Double)] = []
        if limits.seconds.isFinite {
            ends.append((sitting / limits.seconds, max(0, limits.seconds - sitting)))
        }
        if limits.runs < .max, rate > 0 {
            let (played, all) = (soak.progress.played, limits.runs / soak.shard.of)
            ends.append(
                (Double(played) / Double(max(all, 1)), Double(max(0, all - played)) / rate))
        }
        return ends.max { $0.0 < $1.0 }
    }
}
