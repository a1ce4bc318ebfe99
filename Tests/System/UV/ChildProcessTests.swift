import Glibc
import Testing
import UV

@Suite struct ChildProcessTests {
    /// Runs a shell script and returns how it ended.
    private func end(of script: String) throws -> ChildProcess.Exit? {
        try Loop.with { loop in
            var end: ChildProcess.Exit?
            _ = try ChildProcess(Launch("/bin/sh", arguments: ["-c", script]), on: loop) {
                end = $0
            }
            try loop.runBriefly()
            return end
        }
    }

    @Test func aChildEndsWithAStatusOrBySignal() throws {
        #expect(try end(of: "exit 0") == .exited(0))
        #expect(try end(of: "exit 3") == .exited(3))
        #expect(try end(of: "kill -SEGV $$") == .signaled(SignalNumber(rawValue: SIGSEGV)))
        #expect("\(ChildProcess.Exit.signaled(.kill))" == "was ended by SIGKILL")
    }

    @Test func aKilledChildSaysSoOnce() throws {
        try Loop.with { loop in
            var ends: [ChildProcess.Exit] = []
            let child = try ChildProcess(Launch("/bin/sleep", arguments: ["1000"]), on: loop) {
                ends.append($0)
            }
            #expect(child.pid > 0 && child.isRunning)
            try child.kill(.stop)
            try child.kill(.kill)
            try loop.runBriefly()
            #expect(ends == [.signaled(.kill)])
            #expect(!child.isRunning)
            try child.kill(.kill)
        }
    }

    @Test func aMissingExecutableIsAnErrorAndLeaksNothing() async {
        await #expect(processExitsWith: .success) {
            let before = try openDescriptorsAfterAnyLoop()
            try Loop.with { loop in
                let error = #expect(throws: UVError.self) {
                    try Conversation(loop, "/nowhere/lock") { _ in Issue.record("it never ran") }
                }
                #expect(
                    error == UVError(.notFound, in: "uv_spawn", about: "/nowhere/lock"),
                    "thrown: \(error as Any)")
            }
            // Of what is wrong in a process of its own only the comment is reported.
            let left = openDescriptors().subtracting(before)
            #expect(left == [], "these descriptors are left open: \(left)")
            #expect(hasNoChildren(), "a child is left")
        }
    }

    @Test func aMissingFolderIsNamedInsteadOfTheExecutable() throws {
        try Loop.with { loop in
            #expect(throws: UVError(.notFound, in: "uv_spawn", about: "/nowhere")) {
                try ChildProcess(Launch("/bin/true", directory: "/nowhere"), on: loop) { _ in }
            }
        }
    }

    @Test func aZeroByteInAnArgumentIsRefused() throws {
        try Loop.with { loop in
            #expect(throws: UVError(.invalidArgument, in: "uv_spawn", about: "a\0b")) {
                try ChildProcess(Launch("/bin/echo", arguments: ["a\0b"]), on: loop) { _ in }
            }
        }
    }

    @Test func aChildThatIsLeftRunningIsKilledAndWaitedFor() async {
        await #expect(processExitsWith: .success) {
            let before = try openDescriptorsAfterAnyLoop()
            let pids = try Loop.with { loop in
                let talking = try Conversation(loop, "/bin/cat") { _ in
                    Issue.record("called back after the loop's body")
                }
                let silent = try ChildProcess(Launch("/bin/sleep", arguments: ["1000"]), on: loop) {
                    _ in
                }
                return [talking.child.pid, silent.pid]
            }
            // Of what fails in a process of its own only the comment is reported.
            #expect(pids.allSatisfy { kill($0, 0) == -1 }, "one of \(pids) lives")
            let left = openDescriptors().subtracting(before)
            #expect(left == [], "these descriptors are left open: \(left)")
            #expect(hasNoChildren(), "one was not waited for")
        }
    }

    @Test func aChildThatDoesNotKeepTheLoopAliveIsWaitedForToo() async {
        await #expect(processExitsWith: .success) {
            try Loop.with { loop in
                let launch = Launch("/bin/sleep", arguments: ["1000"], isDetached: false)
                try ChildProcess(launch, on: loop) { _ in }.keepsLoopAlive = false
                try loop.run()
            }
            #expect(hasNoChildren())
        }
    }

    @Test func aGrandchildDoesNotOutliveADetachedChild() throws {
        try Loop.with { loop in
            let shell = try Conversation(loop, "/bin/sh", ["-c", "sleep 1000 & echo $!; exit 0"])
            let sink = try Sink(shell.output)
            // The end of the file comes only when the last holder of the pipe is gone.
            try loop.runBriefly { sink.end == .some(nil) }
            #expect(sink.bytes.count > 1)
        }
    }

    @Test func standardOutputAndErrorShareAPipeInOrder() throws {
        #expect(try output(of: "echo one; echo two >&2; echo three") == "one\ntwo\nthree\n")
    }

    @Test(arguments: [("env", "ALPHA=1=1\nPATH=/usr/bin\nZULU=2\n"), ("pwd", "/proc\n")])
    func aChildHasOnlyTheEnvironmentAndFolderItWasGiven(program: String, answer: String) throws {
        try Loop.with { loop in
            let (ours, childs) = try Descriptor.pipe(for: .reading)
            let sink = try Sink(Pipe(ours, on: loop))
            let launch = Launch(
                program, environment: ["ZULU": "2", "PATH": "/usr/bin", "ALPHA": "1=1"],
                directory: "/proc", descriptors: [.nothing, .given(childs)])
            _ = try ChildProcess(launch, on: loop) { _ in }
            try loop.runBriefly()
            #expect(sink.text == answer)
        }
    }

    @Test func aDetachedChildLeadsItsOwnSession() throws {
        try Loop.with { loop in
            var isDetached = true
            for _ in 0..<2 {
                var launch = Launch("/bin/sleep", arguments: ["1000"])
                launch.isDetached = isDetached
                let child = try ChildProcess(launch, on: loop) { _ in }
                #expect((getsid(child.pid) == child.pid) == isDetached)
                isDetached = false
            }
        }
    }
}
