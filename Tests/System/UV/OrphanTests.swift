import Glibc
import Testing
import UV

/// Each in a process of its own: adopting is for a whole process.
@Suite struct OrphanTests {
    /// Starts a shell that leaves a process with a session of its own behind, which it has waited for, and
    /// returns its number when the shell has ended.
    private static func leaveBehind(_ loop: Loop, marked mark: String = "") throws -> Int32 {
        let (ours, childs) = try Descriptor.pipe(for: .reading)
        let sink = try Sink(Pipe(ours, on: loop))
        var launch = Launch(
            "/bin/sh",
            arguments: ["-c", "echo $(setsid sh -c 'echo $$; exec sleep 600 <&- >&- 2>&-' &)"],
            environment: ["PATH": "/usr/bin:/bin", "MARK": mark],
            descriptors: [.nothing, .given(childs), .nothing])
        launch.leavesOrphans = true
        var hasEnded = false
        _ = try ChildProcess(launch, on: loop) { _ in hasEnded = true }
        try loop.runBriefly { hasEnded && sink.end != nil }
        return Int32(sink.text.dropLast()) ?? -1
    }

    private static func isAlive(_ pid: Int32) -> Bool {
        guard let state = ProcessStatus(of: pid)?.state else { return false }
        return state != .zombie && state != .dead
    }

    /// Whether it ends within ten seconds: a signal is sent, and a busy machine takes its time to deliver it.
    private static func dies(_ pid: Int32) -> Bool {
        for _ in 0..<1000 where isAlive(pid) { usleep(10_000) }
        return !isAlive(pid)
    }

    @Test func whatAChildLeavesBehindEndsWithTheLoopAndIsNoZombie() async {
        await #expect(processExitsWith: .success) {
            try ThisProcess.adoptOrphans()
            let orphan = try Loop.with { loop in try Self.leaveBehind(loop) }
            #expect(orphan > 0 && ProcessStatus(of: orphan) == nil)
        }
    }

    @Test func whoWasThereBeforeTheLoopIsLeftAlone() async {
        await #expect(processExitsWith: .success) {
            try ThisProcess.adoptOrphans()
            try Loop.with { outer in
                let bystander = try ChildProcess(
                    Launch("/bin/sleep", arguments: ["600"]), on: outer
                ) { _ in }
                _ = try Loop.with { inner in try Self.leaveBehind(inner) }
                #expect(bystander.isRunning && Self.isAlive(bystander.pid))
            }
        }
    }

    @Test func whoWasStartedOnAnotherLoopIsLeftAlone() async {
        await #expect(processExitsWith: .success) {
            try ThisProcess.adoptOrphans()
            try Loop.with { outer in
                try Loop.with { inner in
                    let bystander = try ChildProcess(
                        Launch("/bin/sleep", arguments: ["600"]), on: inner
                    ) { _ in }
                    // The outer loop was there before it, and ends what it finds when a child of its own has ended.
                    let orphan = try Self.leaveBehind(outer)
                    #expect(Self.dies(orphan))
                    #expect(bystander.isRunning && Self.isAlive(bystander.pid))
                }
            }
        }
    }

    @Test func aMarkFindsWhatNobodyAdopts() async {
        await #expect(processExitsWith: .success) {
            let mark = "test-\(getpid())"
            let stray = try Loop.with { loop in try Self.leaveBehind(loop, marked: mark) }
            #expect(Self.isAlive(stray))
            ThisProcess.killAll(marked: "MARK", mark + "0")
            #expect(Self.isAlive(stray))
            ThisProcess.killAll(marked: "MARK", mark)
            #expect(Self.dies(stray))
        }
    }
}
