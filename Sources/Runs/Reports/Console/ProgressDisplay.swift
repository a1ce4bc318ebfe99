import Foundation

/// Tells how far a long command is, on standard error: on a terminal by a line that changes, elsewhere by a line after ten
/// seconds, which is an estimate, and then one a minute.
package final class ProgressDisplay {
    package enum Place {
        case terminal
        /// A file, or a pipe, that keeps every line.
        case log
        case nowhere

        /// That of standard error; nowhere where a terminal is to stay as it is.
        package static func ofStandardError(sparingTerminal: Bool = false) -> Place {
            guard isatty(STDERR_FILENO) == 1 else { return .log }
            return sparingTerminal ? .nowhere : .terminal
        }
    }

    private let place: Place
    private let tell: (String) -> Void
    private let now: () -> ContinuousClock.Instant
    private let begin: ContinuousClock.Instant
    /// When the next line is due.
    private var due: ContinuousClock.Instant
    private var isShown = false

    package init(
        at place: Place = .ofStandardError(),
        tell: ((String) -> Void)? = nil,
        now: @escaping () -> ContinuousClock.Instant = { ContinuousClock().now }
    ) {
        self.place = place
        self.tell = tell ?? { place == .terminal ? showProgress($0) : printError($0) }
        self.now = now
        begin = now()
        due = place == .log ? begin + .seconds(10) : begin
    }

    /// The wall-clock time since it began, in seconds.
    package var seconds: Double { (now() - begin) / .seconds(1) }

    /// Shows a line where one is due.
    package func show(_ line: @autoclosure () -> String) {
        guard place != .nowhere, now() >= due else { return }
        due = now() + (place == .terminal ? .milliseconds(200) : .seconds(60))
        isShown = true
        tell(line())
    }

    /// Shows how much of something is done, and how long the rest and what comes `later` will take.
    package func show(_ words: String = "", done: Int, of total: Int, later: Int = 0) {
        let left = done > 0 ? Double(total - done + later) * seconds / Double(done) : nil
        let estimate = left.map { ", about \(Self.span($0)) left" } ?? ""
        show(
            "\(words)\(done) of \(total) runs" + (later > 0 ? ", and \(later) later" : "")
                + estimate)
    }

    /// Removes the line from a terminal.
    package func end() {
        if isShown, place == .terminal { tell("") }
    }

    /// So many seconds, for people: `4 min 10 s`.
    package static func span(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e15))
        return whole < 60
            ? String(format: "%.1f s", seconds)
            : whole < 3_600
                ? "\(whole / 60) min \(whole % 60) s"
                : "\(whole / 3_600) h \(whole % 3_600 / 60) min"
    }
}
