import CUV
import Glibc

/// Processes that descend from us and have lost their parent: a device's helpers, say, that it left
/// behind, also those with a session of their own.
extension ThisProcess {
    /// Makes us the parent of every process below us that loses its own, instead of the system.
    ///
    /// Every ``Loop`` then kills and waits for those that no loop has started. `exec` hands this on, so a
    /// program that becomes another one gives it back first.
    package static func adoptOrphans(_ adopts: Bool = true) throws(UVError) {
        try check(cuv_adopt_orphans(adopts ? 1 : 0), in: "prctl")
    }

    static var adoptsOrphans: Bool { cuv_adopts_orphans() == 1 }

    /// The processes whose parent we are, zombies among them.
    ///
    /// Looks at every process there is: `/proc/self/task/…/children` is not there in every kernel.
    static var children: Set<Int32> {
        let own = getpid()
        return Set(numberedEntries(of: "/proc").filter { parent(of: $0) == own })
    }

    /// Kills every process that has `NAME=VALUE` in the environment it was started with, again until
    /// none is left or for a second: whoever is killed may just have started another one.
    ///
    /// For what a killed orchestrator cannot do any more. This process itself is spared.
    package static func killAll(marked name: String, _ value: String) {
        let mark = Array("\(name)=\(value)".utf8)
        for _ in 0..<100 {
            let found = numberedEntries(of: "/proc").filter {
                $0 != getpid() && kill($0, marked: mark)
            }
            if found.isEmpty { return }
            usleep(10_000)
        }
    }

    /// Kills a process where it has the mark; true where it has and still lives.
    private static func kill(_ pid: Int32, marked mark: [UInt8]) -> Bool {
        // Held while we look, so that the number cannot come to mean another process.
        let process = cuv_process_descriptor(pid)
        guard process >= 0 else { return false }
        defer { close(process) }
        // A zombie has no environment any more.
        let environment = wholeFile("/proc/\(pid)/environ") ?? []
        guard environment.split(separator: 0).contains(where: { $0.elementsEqual(mark) }) else {
            return false
        }
        return cuv_signal_process(process, SIGKILL) == 0
    }
}

extension Loop {
    /// Kills the orphans that we have got, and waits for those that have ended.
    ///
    /// Does nothing unless ``ThisProcess/adoptOrphans(_:)`` was called.
    ///
    /// - Returns: Whether there was any.
    @discardableResult
    func endOrphans() -> Bool {
        guard ThisProcess.adoptsOrphans else { return false }
        let orphans = ThisProcess.children.subtracting(Children.all).subtracting(elders)
        for orphan in orphans {
            _ = kill(orphan, SIGKILL)
            _ = waitpid(orphan, nil, WNOHANG)
        }
        return !orphans.isEmpty
    }

    /// Ends orphans until there are none, for a second at most: whoever is killed leaves us his children.
    func endAllOrphans() {
        for _ in 0..<500 {
            guard endOrphans() else { return }
            usleep(2_000)
        }
    }
}
