import Glibc

/// A signal's number, printed by its name: `SIGKILL`.
package struct SignalNumber: RawRepresentable, Equatable, CustomStringConvertible {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let interrupt = SignalNumber(rawValue: SIGINT)
    package static let terminate = SignalNumber(rawValue: SIGTERM)
    package static let kill = SignalNumber(rawValue: SIGKILL)
    package static let stop = SignalNumber(rawValue: SIGSTOP)
    package static let `continue` = SignalNumber(rawValue: SIGCONT)

    private static let names = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
        "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
        "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ]

    package var description: String {
        let index = Int(rawValue) - 1
        return Self.names.indices.contains(index) ? "SIG" + Self.names[index] : "signal \(rawValue)"
    }
}
