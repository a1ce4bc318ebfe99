import CUV
import Glibc

/// A signal's number, printed by its name: `SIGKILL`.
package struct SignalNumber: RawRepresentable, Equatable, CustomStringConvertible {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// SIGINT: Ctrl-C.
    package static let interrupt = SignalNumber(rawValue: SIGINT)
    /// SIGTERM: please end.
    package static let terminate = SignalNumber(rawValue: SIGTERM)
    /// SIGHUP: the terminal is gone.
    package static let hangUp = SignalNumber(rawValue: SIGHUP)
    /// Those by which somebody asks us to end.
    package static let farewells = [interrupt, terminate, hangUp]
    /// SIGKILL: ends a process, which cannot refuse.
    package static let kill = SignalNumber(rawValue: SIGKILL)
    /// SIGSTOP: freezes a process, which cannot refuse.
    package static let stop = SignalNumber(rawValue: SIGSTOP)
    /// SIGCONT: thaws a frozen process.
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

/// A signal sent to this process, handled on the loop instead of where it struck.
package final class Signal: Handle {
    private var onSignal: () throws -> Void

    /// Calls `onSignal` for every `number` this process gets, until the handle is closed.
    package init(
        _ loop: Loop, _ number: SignalNumber, _ onSignal: @escaping () throws -> Void
    ) throws(UVError) {
        self.onSignal = onSignal
        try super.init(loop, UV_SIGNAL, "uv_signal_init") {
            uv_signal_init(loop.raw, $0.assumingMemoryBound(to: uv_signal_t.self))
        }
        do { try listen(for: number) } catch {
            close()
            throw error
        }
    }

    private func listen(for number: SignalNumber) throws(UVError) {
        let result = uv_signal_start(
            memory.assumingMemoryBound(to: uv_signal_t.self),
            { raw, _ in
                let signal = Handle.owner(Signal.self, of: raw)
                signal.loop.attempt(signal.onSignal)
            }, number.rawValue)
        try check("uv_signal_start", result, "\(number)")
    }

    override func dropCallbacks() { onSignal = {} }
}
