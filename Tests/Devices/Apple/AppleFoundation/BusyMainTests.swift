import AppleFoundation
import DeviceChamber
import DeviceKit
import Testing

/// An app whose main thread is busy from 0 s to 1 s.
struct BusyMainTests {
    private let bench: AppBench
    private let story = Story()

    /// What happens, each behind its second.
    private final class Story {
        var lines: [String] = []

        func note(_ line: String) {
            let now = DispatchTime.now().uptimeNanoseconds
            lines.append("\(Double(now / 1_000_000) / 1_000) \(line)")
        }
    }

    init() throws { bench = try AppBench() }

    private func busy(_ isBusy: Bool) {
        bench.app { AppRuntime.current.setMainBusy(isBusy) }
    }

    @Test func theMainQueueWaitsInItsSequenceAndOtherQueuesDoNot() {
        let story = story
        bench.app { DispatchQueue.main.post { story.note("before") } }
        busy(true)
        bench.app {
            DispatchQueue.main.post { story.note("first") }
            DispatchQueue(label: "bluetooth").post { story.note("elsewhere") }
            let second = DispatchWorkItem { story.note("second") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: second)
        }
        bench.app { AppRuntime.current.onMain { story.note("by the user") } }
        bench.wait(.seconds(1))
        bench.app {
            DispatchQueue.main.post { story.note("third") }
            AppRuntime.current.setMainBusy(false)
            DispatchQueue.main.post { story.note("fourth") }
        }
        bench.wait(.seconds(1))
        bench.app { DispatchQueue.main.post { story.note("after") } }
        #expect(
            story.lines == [
                "0.0 before", "0.0 elsewhere", "1.0 first", "1.0 by the user", "1.0 second",
                "1.0 third", "1.0 fourth", "2.0 after",
            ])
    }

    @Test func aTimerFiresOnceForAllThatItMissed() {
        let story = story
        busy(true)
        bench.app {
            Timer.scheduledTimer(withTimeInterval: 0.3, repeats: true) { _ in story.note("fires") }
        }
        bench.wait(.seconds(1))
        busy(false)
        bench.wait(.milliseconds(700))
        #expect(story.lines == ["1.0 fires", "1.2 fires", "1.5 fires"])
    }

    @Test func aTimerThatIsInvalidWhenItsTurnComesDoesNotFire() {
        let story = story
        busy(true)
        var timer: Timer?
        bench.app {
            timer = .scheduledTimer(withTimeInterval: 0.3, repeats: true) { _ in story.note("fires")
            }
        }
        bench.wait(.seconds(1))
        bench.app { timer?.invalidate() }
        busy(false)
        bench.wait(.seconds(1))
        #expect(story.lines == [])
    }

    @Test func busyTwiceIsBusyUntilItIsFreeOnce() {
        let story = story
        busy(true)
        bench.app { DispatchQueue.main.post { story.note("first") } }
        busy(true)
        bench.wait(.seconds(1))
        bench.app {
            AppRuntime.current.setMainBusy(false)
            AppRuntime.current.setMainBusy(true)
        }
        bench.wait(.seconds(1))
        busy(false)
        #expect(story.lines == ["2.0 first"])
    }

    @Test func whatWaitedForAnAppThatWasEndedNeverHappens() {
        let story = story
        busy(true)
        bench.app {
            DispatchQueue.main.post { story.note("of the first launch") }
            AppRuntime.current.onMain { story.note("of the user") }
        }
        bench.app { AppRuntime.current.terminate() }
        busy(false)
        bench.app { DispatchQueue.main.post { story.note("of the second launch") } }
        #expect(story.lines == ["0.0 of the second launch"])
    }
}
