import Glibc
import Testing
import UV

@Suite struct TimerTests {
    @Test func timersFireWhenTheyAreDueAndTiesInOrderOfStart() throws {
        var fired: [String] = []
        try Loop.with { loop in
            for (name, delay) in [("c", 30), ("a", 5), ("b1", 15), ("b2", 15)] as [(_, UInt64)] {
                let timer = try Timer(on: loop)
                timer.start(after: delay) {
                    fired.append(name)
                    timer.close()
                }
            }
            try loop.runBriefly()
        }
        #expect(fired == ["a", "b1", "b2", "c"])
    }

    @Test func aRepeatingTimerFiresUntilItIsStopped() throws {
        var count = 0
        try Loop.with { loop in
            let timer = try Timer(on: loop)
            timer.start(after: 1, every: 1) {
                count += 1
                if count == 3 { timer.stop() }
            }
            try loop.runBriefly()
        }
        #expect(count == 3)
    }

    @Test func aTimerCountsFromItsStartAndNotFromTheStartOfTheCallback() throws {
        var fired: [String] = []
        try Loop.with { loop in
            let (early, late) = (try Timer(on: loop), try Timer(on: loop))
            early.start(after: 0) {
                late.start(after: 40) { fired.append("watchdog") }
                usleep(30_000)
                // Counted from the callback's start it would be due before the watchdog.
                early.start(after: 20) { fired.append("grant") }
            }
            try loop.runBriefly()
        }
        #expect(fired == ["watchdog", "grant"])
    }

    @Test func startingAgainForgetsWhatWasSet() throws {
        var fired: [String] = []
        try Loop.with { loop in
            let timer = try Timer(on: loop)
            timer.start(after: 1) { fired.append("old") }
            timer.start(after: 2) { fired.append("new") }
            try loop.runBriefly()
        }
        #expect(fired == ["new"])
    }
}
