import Artifacts
import Foundation

/// Colours for a terminal that wants them.
package struct Ink: Sendable {
    /// What a text is, and so which colour it has.
    package enum Tone: String, Sendable {
        /// The terminal's own colour.
        case plain = ""
        /// Faint: times, numbers, commands.
        case dim = "2"
        /// Bold: titles and heads of tables.
        case bold = "1"
        /// Bold red: a broken promise, a failed run.
        case bad = "1;31"
        /// Green: everything held.
        case good = "32"
        /// Yellow: an event that proves something.
        case marked = "33"
        /// What we did to a run.
        case done = "36"
    }

    package enum Choice: String, CaseIterable, Sendable {
        /// On a terminal, unless NO_COLOR is set or the terminal is a dumb one.
        case auto
        case always
        case never
    }

    package let isOn: Bool

    /// Colour on standard output.
    package init(_ choice: Choice) {
        let environment = ProcessInfo.processInfo.environment
        isOn =
            switch choice {
            case .always: true
            case .never: false
            case .auto:
                isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
                    && environment["TERM"] != "dumb"
            }
    }

    /// A text in a tone; it must hold no control characters of its own.
    package func callAsFunction(_ text: String, as tone: Tone) -> String {
        isOn && tone != .plain && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }
}

extension Ink {
    /// A story (``Console``): its title, what was promised, and how to repeat it.
    package func story(_ text: String) -> String {
        guard isOn else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
            index, line in
            let tone: Tone =
                index == 0
                ? .bad
                : line.hasPrefix("  promise ")
                    ? .bold : line.hasPrefix("  replay: ") ? .dim : .plain
            return self(String(line), as: tone)
        }.joined(separator: "\n")
    }
}

/// How wide the terminal of standard output is, in columns; nil where there is none.
package var terminalWidth: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}
