import Glibc

/// What the kernel says about a process at one moment, for the report about one that hangs.
package struct ProcessStatus: Equatable, CustomStringConvertible {
    /// What a process is doing, by the letter in `/proc/PID/stat`.
    package enum State: Character {
        /// On a core, or waiting for one.
        case running = "R"
        /// Waiting for something that a signal can interrupt.
        case sleeping = "S"
        /// Waiting for something that no signal can interrupt, mostly a disk.
        case waiting = "D"
        case stopped = "T"
        case traced = "t"
        /// Ended, but not waited for.
        case zombie = "Z"
        /// The kernel is removing it.
        case dead = "X"
    }

    /// What it was doing; nil for a state that newer kernels have and we do not know.
    package let state: State?
    /// The processor time it has used so far, in milliseconds (in steps of a kernel tick, 10 ms).
    package let cpuMilliseconds: UInt64

    /// The status of process `pid`; nil where there is no such process.
    package init?(of pid: Int32) {
        guard let text = wholeText("/proc/\(pid)/stat") else { return nil }
        self.init(parsing: text)
    }

    /// The status in the text of a `/proc/PID/stat`; nil where it is not such a text.
    package init?(parsing text: String) {
        guard let fields = statusFields(text), fields.count > 12, let letter = fields[0].first,
            let user = UInt64(fields[11]), let system = UInt64(fields[12])
        else { return nil }
        let ticksPerSecond = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
        state = State(rawValue: letter)
        cpuMilliseconds = (user + system) * 1000 / ticksPerSecond
    }

    package var description: String {
        let hundredths = String(cpuMilliseconds / 10 % 100)
        let fraction = hundredths.count < 2 ? "0" + hundredths : hundredths
        let doing = state.map { "\($0)" } ?? "in an unknown state"
        return "\(doing), \(cpuMilliseconds / 1000).\(fraction) s of processor time used"
    }

    /// The only child of a process, and its only child, down to the one that has none; nil where it has none or several.
    ///
    /// A process that waits for one that it has started does what that one does.
    package static func lastOfLine(below pid: Int32) -> Int32? {
        guard let text = wholeText("/proc/\(pid)/task/\(pid)/children") else { return nil }
        let children = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        guard let child = children.first, children.count == 1 else { return nil }
        return lastOfLine(below: child) ?? child
    }

    /// How long process `pid` has been ready to run and waited for a core so far; 0 where the kernel does not say.
    package static func queueMilliseconds(of pid: Int32) -> UInt64 {
        let schedule = wholeText("/proc/\(pid)/schedstat")?.split(whereSeparator: \.isWhitespace)
        guard let schedule, schedule.count > 1, let wait = UInt64(schedule[1]) else { return 0 }
        return wait / 1_000_000
    }
}
