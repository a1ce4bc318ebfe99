import Glibc
import Testing
import UV

@Suite struct ProcessTests {
    @Test func aThreadAndItsChildrenStayOnTheCoreTheyWereGiven() async {
        await #expect(processExitsWith: .success) {
            let core = try #require(ThisProcess.allowedCores().last)
            try ThisProcess.run(onCores: [core])
            #expect(try ThisProcess.allowedCores() == [core])
            #expect(
                try output(of: "grep Cpus_allowed_list: /proc/self/status")
                    == "Cpus_allowed_list:\t\(core)\n")
        }
    }

    @Test func aCoreThatDoesNotExistIsAnError() {
        let error = #expect(throws: UVError.self) { try ThisProcess.run(onCores: [8191, -1]) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func aStatusTellsStateAndProcessorTime() throws {
        let line = "17 (a) S (b)) R 1 17 17 0 -1 4194304 100 0 0 0 123 45 0 0 20 0 1 0 99 0 0"
        let status = try #require(ProcessStatus(parsing: line))
        #expect(status.state == .running)
        #expect(status.cpuMilliseconds == 1680)
        #expect("\(status)" == "running, 1.68 s of processor time used")
        #expect(ProcessStatus(parsing: "") == nil)
        #expect(ProcessStatus(parsing: "17 (a) R 1 2") == nil)
    }

    @Test func twoThatShareACoreWaitForIt() throws {
        try Loop.with { loop in
            let spin = ["-c", "0", "/bin/sh", "-c", "while :; do :; done"]
            let children = try (1...2).map { _ in
                try ChildProcess(Launch("/usr/bin/taskset", arguments: spin), on: loop) { _ in }
            }
            let timer = try Timer(on: loop)
            timer.start(after: 0, every: 1) {}
            try loop.runBriefly {
                children.allSatisfy { ProcessStatus.queueMilliseconds(of: $0.pid) > 0 }
            }
            timer.close()
            for child in children { try child.kill(.kill) }
            try loop.runBriefly()
        }
    }

    @Test func aFrozenChildIsStoppedAndAGoneOneHasNoStatus() throws {
        try Loop.with { loop in
            let child = try ChildProcess(Launch("/bin/sleep", arguments: ["1000"]), on: loop) { _ in
            }
            try child.kill(.stop)
            let timer = try Timer(on: loop)
            timer.start(after: 0, every: 1) {}
            try loop.runBriefly { ProcessStatus(of: child.pid)?.state == .stopped }
            timer.close()
            try child.kill(.kill)
            try loop.runBriefly()
            #expect(ProcessStatus(of: child.pid) == nil)
        }
    }
}
