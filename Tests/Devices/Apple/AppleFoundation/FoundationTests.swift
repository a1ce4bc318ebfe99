import AppleFoundation
import DeviceChamber
import DeviceKit
import Testing

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

    @Test func aQueueCanBeMadeBeforeTheFirstTurn() throws {
        let queue = DispatchQueue(label: "global")
        let bench = try AppBench()
        var ran: [String] = []
        bench.app { queue.post { ran.append("here") } }
        #expect(ran == ["here"] && queue.description == "queue global")
    }

    @Test func aRepeatingTimerKeepsItsPaceUntilItIsInvalid() throws {
        let bench = try AppBench()
        var times: [Double] = []
        var timer: Timer?
        bench.app {
            let start = DispatchTime.now()
            timer = .scheduledTimer(withTimeInterval: 0.2, repeats: true) { timer in
                let now = DispatchTime.now().uptimeNanoseconds
                times.append(Double(now - start.uptimeNanoseconds) / 1_000_000_000)
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
            UserDefaults.standard.set(["lock": 3], forKey: "tree")
            UserDefaults.standard.set(Date(timeIntervalSinceReferenceDate: 7.5), forKey: "date")
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
            #expect(defaults.dictionary(forKey: "tree") as? [String: Int] == ["lock": 3])
            #expect(
                defaults.object(forKey: "date") as? Date
                    == Date(timeIntervalSinceReferenceDate: 7.5))
            #expect(defaults.object(forKey: "gone") == nil)
            #expect(defaults.float(forKey: "range") == 2.5)
            defaults.register(defaults: ["gone": 4])
            #expect(defaults.integer(forKey: "gone") == 4)
        }
    }

    @Test func theDateOfATimerIsThatOfTheRun() throws {
        let bench = try AppBench()
        var timer: Timer?
        bench.wait(.milliseconds(1_500))
        bench.app { timer = .scheduledTimer(withTimeInterval: 1, repeats: false) { _ in } }
        #expect(timer?.fireDate.timeIntervalSince1970 == 1_767_225_602.5)
    }

    @Test func aTimerOfARunLoopFiresOnceItWasAdded() throws {
        let bench = try AppBench()
        var fired = 0
        bench.app {
            _ = Timer(timeInterval: 1, repeats: false) { _ in fired += 100 }
            RunLoop.main.add(
                Timer(timeInterval: 1, repeats: true) { _ in fired += 1 }, forMode: .common)
        }
        bench.wait(.milliseconds(3_500))
        #expect(fired == 3)
    }

    @Test func aTimerOfAQueueComesOnItUntilItIsCancelled() throws {
        let bench = try AppBench()
        var told: [String] = []
        var source: (any DispatchSourceTimer)?
        bench.app {
            let queue = DispatchQueue(label: "work", attributes: .concurrent)
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + 1, repeating: 0.5)
            timer.setEventHandler {
                dispatchPrecondition(condition: .onQueue(queue))
                told.append("tick")
                if told.count == 3 { source?.cancel() }
            }
            timer.setCancelHandler { told.append("cancelled") }
            timer.resume()
            source = timer
        }
        bench.wait(.seconds(5))
        #expect(told == ["tick", "tick", "tick", "cancelled"])
    }

    @Test func aGroupTellsWhenAllOfItIsDone() throws {
        let bench = try AppBench()
        var told: [String] = []
        bench.app {
            let group = DispatchGroup()
            group.enter()
            Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in
                told.append("one")
                group.leave()
            }
            let item = DispatchWorkItem { told.append("two") }
            DispatchQueue(label: "work").async(group: group, execute: item)
            group.notify(queue: .main) { told.append("all") }
        }
        bench.wait(.seconds(2))
        #expect(told == ["two", "one", "all"])
    }
}
