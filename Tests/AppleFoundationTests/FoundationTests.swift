import AppleFoundation
import DeviceKit
import Testing

import struct FoundationEssentials.Data

/// Queues, timers, dates and settings in virtual time.
struct FoundationTests {
    @Test func itemsOfAQueueRunInOrderAndInTurnsOfTheirOwn() throws {
        let bench = try AppBench()
        var ran: [String] = []
        bench.app {
            DispatchQueue.main.post { ran.append("first") }
            DispatchQueue.main.post { ran.append("second") }
            ran.append("the turn itself")
        }
        #expect(ran == ["the turn itself", "first", "second"])
    }

    @Test func queuesOfTheSameLabelAreDifferentQueues() throws {
        let bench = try AppBench()
        bench.app {
            let queues = [DispatchQueue(label: "work"), DispatchQueue(label: "work")]
            #expect(queues[0] != queues[1])
            #expect(queues.map(\.description) == ["queue work", "queue work#2"])
        }
    }

    @Test func aRepeatingTimerKeepsItsPaceUntilItIsInvalid() throws {
        let bench = try AppBench()
        var times: [Double] = []
        var timer: Timer?
        bench.app {
            let start = Date()
            timer = .scheduledTimer(withTimeInterval: 0.2, repeats: true) { timer in
                times.append(Date().timeIntervalSince(start))
                if times.count == 3 { timer.invalidate() }
            }
        }
        bench.wait(.seconds(2))
        #expect(times == [0.2, 0.4, 0.6])
        #expect(timer?.isValid == false)
    }

    @Test func asyncAfterWaitsInVirtualTimeAndCanBeCancelled() throws {
        let bench = try AppBench()
        var ran: [String] = []
        var item: DispatchWorkItem?
        bench.app {
            item = DispatchWorkItem { ran.append("cancelled") }
            let kept = DispatchWorkItem { ran.append("kept") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: kept)
            if let item {
                DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(1), execute: item)
            }
        }
        bench.wait(.milliseconds(499))
        #expect(ran == [])
        bench.wait(.milliseconds(2))
        bench.app { item?.cancel() }
        bench.wait(.seconds(2))
        #expect(ran == ["kept"])
    }

    @Test func aTerminatedAppsTimersAndItemsAreForgotten() throws {
        let bench = try AppBench()
        var ran = false
        bench.app {
            Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in ran = true }
            DispatchQueue.main.post { ran = true }
            AppRuntime.current.terminate()
        }
        bench.wait(.seconds(5))
        #expect(!ran)
    }

    @Test func settingsSurviveADeath() throws {
        let bench = try AppBench()
        bench.app {
            UserDefaults.standard.set("lock", forKey: "name")
            UserDefaults.standard.set(-3, forKey: "count")
            UserDefaults.standard.set(true, forKey: "on")
            UserDefaults.standard.set(2.5, forKey: "range")
            UserDefaults.standard.set(["a", "", "b"], forKey: "list")
            UserDefaults.standard.set(Data([1, 2]), forKey: "data")
            UserDefaults.standard.set(1, forKey: "gone")
            UserDefaults.standard.removeObject(forKey: "gone")
        }
        let next = try AppBench(stored: bench.chamber.stored[0] ?? [])
        next.app {
            let defaults = UserDefaults.standard
            #expect(defaults.string(forKey: "name") == "lock")
            #expect(defaults.integer(forKey: "count") == -3)
            #expect(defaults.bool(forKey: "on"))
            #expect(defaults.double(forKey: "range") == 2.5)
            #expect(defaults.stringArray(forKey: "list") == ["a", "", "b"])
            #expect(defaults.data(forKey: "data") == Data([1, 2]))
            #expect(defaults.object(forKey: "gone") == nil)
        }
    }

    @Test func datesCountNanosecondsFromTheBeginningOfTheRun() throws {
        let bench = try AppBench()
        var dates: [Date] = []
        bench.app { dates.append(Date()) }
        bench.wait(.milliseconds(1_500))
        bench.app { dates.append(.now) }
        #expect(dates[1].timeIntervalSince(dates[0]) == 1.5)
        #expect(dates[0] < dates[1])
        #expect(dates[0].timeIntervalSince1970 == 1_767_225_600)
        #expect(dates[0] + 1.5 == dates[1])
        #expect(Date.distantFuture > dates[1])
    }
}
