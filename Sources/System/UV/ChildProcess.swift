import CUV
import Glibc

/// A process we started: it is waited for whatever happens, so it never becomes a zombie.
///
/// A detached child leads a process group of its own; signals reach the whole group, and what is left
/// of the group when the child ends is killed. So are orphans, where we adopt them and the launch says that
/// there may be some.
package final class ChildProcess: Handle {
    package enum Exit: Equatable, CustomStringConvertible {
        /// By itself, with a status of 0 to 255.
        case exited(Int32)
        case signaled(SignalNumber)

        package var description: String {
            switch self {
            case .exited(let status): "exited with status \(status)"
            case .signaled(let signal): "was ended by \(signal)"
            }
        }
    }

    private enum Life {
        case notStarted
        case running(target: pid_t)
        case ended
    }

    /// The process id; it may stand for another process once this one has ended.
    package private(set) var pid: Int32 = 0
    private var life = Life.notStarted
    private let leavesOrphans: Bool
    private var onExit: (Exit) throws -> Void

    /// Starts a process and calls `onExit` once when it has ended, then closes by itself.
    ///
    /// Its pipes may still hold bytes at that moment. Descriptors that the launch gives to the child
    /// are closed here when this returns or throws.
    ///
    /// - Throws: why it did not start; then `onExit` is never called and nothing is left behind.
    package init(
        _ launch: Launch, on loop: Loop, onExit: @escaping (Exit) throws -> Void
    ) throws(UVError) {
        self.onExit = onExit
        leavesOrphans = launch.leavesOrphans
        defer { launch.closeGiven() }
        let containers = try launch.containers()
        var result: Int32 = 0
        // The handle exists, and has to be closed, even where uv_spawn fails.
        try super.init(on: loop, as: UV_PROCESS, by: "uv_spawn") { memory in
            let process = memory.assumingMemoryBound(to: uv_process_t.self)
            result = launch.spawn(on: loop, into: process, containers: containers) {
                Handle.owner(ChildProcess.self, of: $0).ended(status: $1, signal: $2)
            }
            return 0
        }
        do { try check(result, in: "uv_spawn", about: launch.culprit) } catch {
            close()
            throw error
        }
        pid = uv_process_get_pid(process)
        Children.insert(pid)
        life = .running(target: launch.isDetached ? -pid : pid)
    }

    private var process: UnsafeMutablePointer<uv_process_t> {
        memory.assumingMemoryBound(to: uv_process_t.self)
    }

    /// Whether it has not been waited for yet.
    package var isRunning: Bool {
        if case .running = life { true } else { false }
    }

    /// Sends a signal to the child, or to its group where it is detached; does nothing once it ended.
    package func kill(_ signal: SignalNumber) throws(UVError) {
        guard case .running(let target) = life else { return }
        guard Glibc.kill(target, signal.rawValue) == 0 else {
            throw UVError.last(in: "kill", about: "process \(pid)")
        }
    }

    /// Gives the child up: kills it where it runs, waits for it on the loop, and calls nobody.
    package override func close() {
        guard case .running(let target) = life else { return super.close() }
        // Closed now, nobody would ever wait for it: a zombie.
        dropCallbacks()
        keepsLoopAlive = true
        _ = Glibc.kill(target, SIGKILL)
    }

    private func ended(status: Int64, signal: Int32) {
        guard case .running(let target) = life else {
            preconditionFailure("process \(pid) ended in \(life)")
        }
        life = .ended
        Children.remove(pid)
        if target < 0 { _ = Glibc.kill(target, SIGKILL) }
        if leavesOrphans { loop.endOrphans() }
        let exit: Exit =
            signal == 0 ? .exited(Int32(status)) : .signaled(SignalNumber(rawValue: signal))
        loop.attempt { try onExit(exit) }
        super.close()
    }

    override func dropCallbacks() { onExit = { _ in } }
}
