import CUV
import Glibc

/// What the orchestrator sets once for its whole process.
package enum ThisProcess {
    /// Makes a write to a dead reader an error (`brokenPipe`) instead of a signal that kills us.
    ///
    /// Children are not touched: libuv gives them the system's dispositions back.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Gives every signal the system's disposition back and unblocks it, for a program that we become:
    /// what is ignored, or blocked, stays so across `exec`.
    package static func resetSignals() {
        for number in Int32(1)...64 { signal(number, SIG_DFL) }
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
    }

    /// Lets this process, and what it becomes, have at most so many bytes of address space.
    package static func limitMemory(to bytes: UInt64) throws(UVError) {
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
            throw UVError.last(in: "setrlimit", about: "\(bytes) bytes of address space")
        }
    }

    package static var descriptorLimit: UInt64 {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return UInt64(limit.rlim_cur)
    }

    /// Marks every open descriptor from `first` on close-on-exec.
    ///
    /// What our own parent left open would otherwise reach every child; an orphan that holds a build
    /// server's output pipe keeps the build from ending.
    package static func closeOnExec(from first: UInt32 = 3) throws(UVError) {
        try check(cuv_close_on_exec_from(first), in: "close_range")
    }

    /// Raises the soft limit of descriptors to the hard one, and returns it.
    @discardableResult
    package static func raiseDescriptorLimit() throws(UVError) -> UInt64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            throw UVError.last(in: "getrlimit")
        }
        limit.rlim_cur = limit.rlim_max
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            throw UVError.last(in: "setrlimit")
        }
        return UInt64(limit.rlim_cur)
    }

    /// Whether somebody has pressed Enter, or standard input is at its end; it does not wait, and what was
    /// typed is gone.
    ///
    /// No ``Pipe``: a terminal is shared with the shell, which would find it non-blocking, and a file
    /// cannot be waited for.
    package static func hearsEnter() -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&input, 1, 0) > 0 else { return false }
        var typed = [UInt8](repeating: 0, count: 4_096)
        let count = read(STDIN_FILENO, &typed, typed.count)
        if count < 0 { return errno != EINTR && errno != EAGAIN }
        return count == 0 || typed[..<count].contains(UInt8(ascii: "\n"))
    }
}

extension ThisProcess {
    /// Room for 8192 cores, as many as Linux can be built for.
    private static let maskWords = 128

    /// The cores this thread may use, in ascending order.
    package static func allowedCores() throws(UVError) -> [Int] {
        var mask = [UInt64](repeating: 0, count: maskWords)
        let result = mask.withUnsafeMutableBytes { cuv_get_affinity($0.baseAddress, $0.count) }
        try check(result, in: "sched_getaffinity")
        return (0..<maskWords * 64).filter { mask[$0 / 64] >> UInt64($0 % 64) & 1 == 1 }
    }

    /// Keeps this thread, and every child and thread it starts from now on, on `cores`.
    ///
    /// - Throws: `invalidArgument` where none of them exists and is allowed.
    package static func run(onCores cores: [Int]) throws(UVError) {
        var mask = [UInt64](repeating: 0, count: maskWords)
        for core in cores where (0..<maskWords * 64).contains(core) {
            mask[core / 64] |= 1 << UInt64(core % 64)
        }
        let result = mask.withUnsafeBytes { cuv_set_affinity($0.baseAddress, $0.count) }
        try check(result, in: "sched_setaffinity", about: "cores \(cores)")
    }
}
