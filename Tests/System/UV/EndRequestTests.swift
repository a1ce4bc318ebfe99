import Glibc
import Testing
import UV

/// Somebody asks us to end.
@Suite struct EndRequestTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func whereNothingIsToBeKeptTheProgramEndsAtOnce(signal: Int32) async {
        await #expect(processExitsWith: .exitCode(130)) { [signal] in
            try EndRequest.listen()
            kill(getpid(), signal)
            // Another thread may get it, in its time.
            sleep(5)
            exit(1)
        }
    }

    @Test func fromThenOnARequestIsNotedAndCallsBackOnceOnEveryLoop() async {
        await #expect(processExitsWith: .success) {
            try EndRequest.listen()
            EndRequest.beginNoting()
            #expect(!EndRequest.isNoted)
            var calls = 0
            try Loop.with { loop in
                let watch = try EndRequestWatch(on: loop) { calls += 1 }
                let timer = try Timer(on: loop)
                timer.start(after: 20) {
                    kill(getpid(), SIGINT)
                    kill(getpid(), SIGTERM)
                }
                try loop.runBriefly { calls == 1 }
                watch?.close()
            }
            #expect(EndRequest.isNoted)
            try Loop.with { loop in
                let watch = try EndRequestWatch(on: loop) { calls += 1 }
                try loop.runBriefly { calls == 2 }
                watch?.close()
            }
            #expect(calls == 2)
        }
    }

    @Test func theEndOfTheTimeIsARequestThatSaysSo() async {
        await #expect(processExitsWith: .success) {
            try EndRequest.listen()
            try EndRequest.limit(toSeconds: 0.05)
            #expect(!EndRequest.isNoted)
            var calls = 0
            try Loop.with { loop in
                let watch = try EndRequestWatch(on: loop) { calls += 1 }
                try loop.runBriefly { calls == 1 }
                watch?.close()
            }
            #expect(calls == 1 && EndRequest.isNoted && EndRequest.isTimeUp)
        }
        await #expect(processExitsWith: .success) {
            try EndRequest.listen()
            EndRequest.beginNoting()
            try EndRequest.limit(toSeconds: 0.2)
            kill(getpid(), SIGTERM)
            usleep(500_000)
            #expect(EndRequest.isNoted && !EndRequest.isTimeUp, "somebody asked before")
        }
    }

    @Test func aSecondRequestMuchLaterEndsWhateverHangs() async {
        await #expect(processExitsWith: .exitCode(130)) {
            try EndRequest.listen()
            EndRequest.beginNoting()
            kill(getpid(), SIGTERM)
            while !EndRequest.isNoted { usleep(1_000) }
            usleep(1_100_000)
            kill(getpid(), SIGTERM)
            sleep(5)
            exit(1)
        }
    }

    @Test func nobodyWatchesWhereTheProgramDoesNotListen() async {
        await #expect(processExitsWith: .success) {
            try Loop.with { loop in
                let watch = try EndRequestWatch(on: loop) {}
                #expect(watch == nil)
            }
        }
    }

    /// A child of a program that notes requests has the system's own handling of signals.
    @Test func aChildEndsBySignalAllTheSame() async {
        await #expect(processExitsWith: .success) {
            try EndRequest.listen()
            EndRequest.beginNoting()
            var exit: ChildProcess.Exit?
            try Loop.with { loop in
                let child = try ChildProcess(Launch("/bin/sleep", arguments: ["60"]), on: loop) {
                    exit = $0
                }
                try child.kill(.terminate)
                try loop.runBriefly { exit != nil }
            }
            #expect(exit == .signaled(.terminate))
        }
    }
}
