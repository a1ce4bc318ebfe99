import DeviceKit
import Foundation
import UV

/// Why we cannot become somebody else's program.
package struct LaunchError: Error, CustomStringConvertible {
    package let description: String
}

/// What our own program is to somebody else's, beside the link: it starts as us, becomes theirs, and we
/// end what it leaves behind.
package enum ForeignProgram {
    /// Becomes another program, which then dies with `parent`.
    ///
    /// Only a process itself can ask for that, and the wish survives `exec`. The program gets the system's
    /// signals as they are by default, and at most `memory` bytes of address space; 0 is without a limit.
    ///
    /// Until then it is us; how far it came is told through the descriptor `report` (``LaunchReport``), which
    /// the program does not get.
    ///
    /// - Throws: `LaunchError` where the parent is gone or the program cannot be run.
    package static func become(
        _ command: [String], parent: Int32, memory: UInt64, report: Int32
    ) throws -> Never {
        // Between our start and the wish the parent may have died; nobody would tell us any more.
        dieWithParent()
        guard getppid() == parent else {
            throw LaunchError(description: "launch is for a run of anechoic, which is gone")
        }
        guard let program = command.first else {
            throw LaunchError(description: "a program is missing")
        }
        try ThisProcess.adoptOrphans(false)
        ThisProcess.resetSignals()
        let arguments = command.map { strdup($0) } + [nil]
        if memory > 0 { try ThisProcess.limitMemory(to: memory) }
        _ = fcntl(report, F_SETFD, FD_CLOEXEC)
        LaunchReport.tell(0, to: report)
        execvp(program, arguments)
        let reason = errno
        LaunchReport.tell(UInt8(clamping: reason), to: report)
        throw LaunchError(
            description: "cannot run \(program): \(String(cString: strerror(reason)))")
    }

    /// Takes over whatever loses its parent below us, so that each ``LocalRunner`` can end it.
    ///
    /// For the whole process, which must have no children but ours.
    package static func adoptOrphans() { try? ThisProcess.adoptOrphans() }

    /// The variable by which what a killed orchestrator left behind is known.
    static let mark = "ANECHOIC_MARK"

    /// Waits until whoever holds the other end of our standard input is gone, and kills what has its mark.
    ///
    /// An orchestrator that is killed cannot end its devices' helpers any more; its warden, who does
    /// nothing but this, can.
    package static func ward(mark value: String) {
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count == 0 || count < 0 && errno != EINTR { break }
        }
        ThisProcess.killAll(marked: mark, value)
    }
}
