import Glibc

/// One life of a host that goes by the wall clock: a process that works whenever it likes.
final class FreeLife {
    private let pid: pid_t
    private var isOver = false

    init(pid: pid_t) { self.pid = pid }

    deinit {
        guard !isOver else { return }
        kill(pid, SIGKILL)
        _ = GuestProgram.status(of: pid)
    }

    /// What `waitpid` says of its end; nil while it lives.
    var end: Int32? {
        var status: Int32 = 0
        guard !isOver, waitpid(pid, &status, WNOHANG) == pid else { return nil }
        isOver = true
        return status
    }
}
