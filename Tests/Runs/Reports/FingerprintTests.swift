import Testing

@testable import Reports

/// What distinguishes one way to fail from another.
@Suite struct FingerprintTests {
    private static func report(_ status: Reports.ExitStatus, _ failure: String? = nil) -> RunReport
    {
        var report = RunReport(
            topology: "it", seed: 1, scheduler: "fifo", status: status, ended: "abandoned",
            digest: "",
            steps: 0, simulated: 0)
        report.failure = failure
        return report
    }

    private static func crash(_ lines: String...) -> String? {
        report(
            .deviceFailed,
            "crash of lock: the process was ended by SIGABRT unasked; its last lines:\n    "
                + lines.joined(separator: "\n    ")
        ).fingerprint
    }

    @Test func aCrashIsItsSignalAndWhatItSaidOfIt() {
        let way = "device failed: crash of lock: the process was ended by SIGABRT unasked"
        #expect(Self.crash("distance 1.92 m", "boot 7f3a") == way)
        #expect(
            Self.crash("boot", "main.swift:12: Fatal error: Index out of range", "1.2 m")
                == "\(way): main.swift:#: Fatal error: Index out of range")
        #expect(
            Self.crash(
                "thread 'main' panicked at src/main.rs:4:5:", "no link 0x7f", "note: run with …")
                == "\(way): no link #")
        #expect(
            Self.crash(
                "Traceback (most recent call last):", "  File \"lock.py\", line 7, in turn",
                "    self.radio[key]", "KeyError: 3") == "\(way): KeyError: #")
    }

    @Test func noProcessAddressPathOrTimeIsInIt() {
        #expect(
            Self.report(.harnessError, "kill: no such process (ESRCH): process 3625").fingerprint
                == "harness error: kill: no such process (ESRCH): process #")
        #expect(
            Self.crash("/srv/fw/src/radio.c:88: radio_on: Assertion `slot' failed.")
                == "device failed: crash of lock: the process was ended by SIGABRT unasked: "
                + "radio.c:#: radio_on: Assertion `slot' failed.")
        #expect(
            Self.report(.deviceFailed, "launch failure of lock: build/venv/bin/python is none")
                .fingerprint
                == "device failed: launch failure of lock: python is none")
        #expect(
            Self.report(.deviceFailed, "hang of lock: at 7ffe12ab34d0 for 5.2 s").fingerprint
                == "device failed: hang of lock: at # for #.# s")
    }

    @Test func whatWasSeenOfAnExpectationBelongsToIt() {
        func way(_ progress: String) -> String? {
            var report = Self.report(.violated)
            report.expectations = [
                RunReport.ExpectationReport(
                    expectation: "exactly 3: link.down", line: 4, verdict: .violated, reason: nil,
                    progress: progress)
            ]
            return report.fingerprint
        }
        #expect(way("seen 2 times") == "expected: exactly 3: link.down (seen 2 times)")
        #expect(way("seen 2 times") != way("seen 0 times"))
    }
}
