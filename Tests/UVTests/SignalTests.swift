import Glibc
import Testing
import UV

@Suite struct SignalTests {
    @Test func aSignalToUsCallsBackOnTheLoop() async {
        await #expect(processExitsWith: .success) {
            var seen: [String] = []
            try Loop.with { loop in
                for number in [SignalNumber.interrupt, .terminate] {
                    let signal = try Signal(loop, number) { seen.append("\(number)") }
                    signal.keepsLoopAlive = false
                }
                let timer = try Timer(loop)
                kill(getpid(), SIGINT)
                timer.start(after: 50) { kill(getpid(), SIGTERM) }
                try loop.runBriefly { seen.count == 2 }
            }
            #expect(seen == ["SIGINT", "SIGTERM"])
        }
    }

    @Test func aSignalThatCannotBeHandledIsAnError() throws {
        try Loop.with { loop in
            let error = #expect(throws: UVError.self) { try Signal(loop, .kill) {} }
            #expect(error?.description == "uv_signal_start: invalid argument (EINVAL): SIGKILL")
        }
    }
}
