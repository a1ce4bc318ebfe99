import DeviceKit
import Glibc

/// One life of a guest: a process that works only while we wait for it.
final class GuestLife {
    /// What a guest has come to.
    enum Rest: Equatable {
        /// It waits, for something that comes or until a moment in nanoseconds.
        case blocked(until: UInt64?, sent: UInt64, connections: UInt64)
        /// It has ended; what `waitpid` says of it.
        case ended(status: Int32)
    }

    private let control: GuestControl
    private let pid: pid_t
    private let log: (String) -> Void
    private let end: () -> Int32
    private var isOver = false

    init(
        _ control: GuestControl, pid: pid_t, log: @escaping (String) -> Void,
        end: @escaping () -> Int32
    ) {
        self.control = control
        self.pid = pid
        self.log = log
        self.end = end
    }

    deinit {
        if !isOver {
            kill(pid, SIGKILL)
            _ = end()
        }
        close(control.socket)
    }

    /// Gives it the turn.
    func wake(at now: VirtualTime, sent: UInt64) { control.wake(at: now, sent: sent) }

    /// What it has called since it was woken; it waits.
    func calls() -> String {
        control.tell()
        while true {
            switch control.hear() {
            case .told(let calls): return calls
            case .note(let text): log(text)
            case .gone: return ""
            case .hello, .snapshot, .forked, .reaped, .blocked: continue
            }
        }
    }

    /// Waits until it gives the turn back.
    func rest() -> Rest {
        while true {
            switch control.hear() {
            case .note(let text): log(text)
            case .blocked(let until, let sent, let connections, _):
                return .blocked(until: until, sent: sent, connections: connections)
            case .gone:
                isOver = true
                return .ended(status: end())
            case .hello, .snapshot, .forked, .reaped, .told: continue
            }
        }
    }
}
