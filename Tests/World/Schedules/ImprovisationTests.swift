import Artifacts
import Choices
import Orchestration
import Reports
import RunSupport
import Simulation
import TestSupport
import Testing
import Traces

@Suite struct ImprovisationTests {
    private static func task(_ name: String, seed: UInt64) throws -> RunTask {
        let text = try String(contentsOfFile: "\(topologies)/\(name).yaml", encoding: .utf8)
        return RunTask(name: name, file: name, text: text, seed: seed)
    }

    @Test func aRunThatFollowsEveryPickIsTheSameRun() throws {
        let task = try Self.task("dropout/mid-handshake", seed: 7)
        try LocalRunner.inline { runner in
            let noted = try runner.study(task)
            let run = try runner.study(task, by: .schedule(noted.schedule))
            #expect(run.picks.count == run.steps.count)
            func improvised(following count: Int) throws -> RunReport {
                try runner.judge(task, by: .improvised(on: run, following: count), seed: 99).report
            }
            let again = try improvised(following: run.picks.count)
            #expect(again.digest == run.report.digest)
            let other = try improvised(following: 20)
            #expect(other.digest != run.report.digest)
        }
    }

    /// With equal keys two phones would draw the same numbers, and have one address.
    @Test func devicesKeepTheirKeysWhereNothingElseIsDrawn() throws {
        let task = try Self.task("basics/two-phones-one-accessory", seed: 7)
        func addresses(_ study: Study) -> [String: Set<Int64>] {
            study.events.filter { $0.kind == .uwbStarting }.reduce(into: [:]) {
                addresses, event in
                addresses[event.device, default: []].insert(event.number("address") ?? 0)
            }
        }
        try LocalRunner.inline { runner in
            let plain = addresses(try runner.study(task, by: .schedule(Schedule())))
            let all = plain.values.flatMap { $0 }
            #expect(all.count >= 3 && Set(all).count == all.count, "\(plain)")
            let walk = try runner.study(task, by: .portfolio, seed: 99)
            let common = addresses(walk).mapValues { Array($0) }
            for (device, found) in common {
                #expect(plain[device]?.isDisjoint(with: found) == false, "\(device)")
            }
        }
    }

    /// What each device sees and does, and what happens in the air, whatever the order of the steps.
    private static func stories(_ study: Study) -> [String: [String]] {
        study.events.reduce(into: [:]) { stories, event in
            let fields = event.fields.map { "\($0)" }.joined(separator: " ")
            stories[event.device, default: []].append(
                "\(event.time.nanoseconds) \(event.name) \(fields)")
        }
    }

    @Test(arguments: isWhole ? [1, 2, 3] : [1] as [UInt64])
    func neighboursThatDoNotRaceMayBeSwapped(seed: UInt64) throws {
        let task = try Self.task("basics/two-phones-one-accessory", seed: seed)
        try LocalRunner.inline { runner in
            // An order at random, and no delay: what is swapped happens at the same moment.
            let random = try runner.study(task)
            let run = try runner.study(
                task, by: .schedule(Schedule(afters: random.schedule.afters)))
            let stories = Self.stories(run)
            var swapped = 0
            for place in run.picks.indices.dropLast() where swapped < (isWhole ? 40 : 10) {
                let (one, other) = (run.picks[place], run.picks[place + 1])
                let racing = one.rivals + one.others
                guard run.steps[place].time == run.steps[place + 1].time,
                    !racing.contains(other.event)
                else { continue }
                var picks = run.picks
                picks.swapAt(place, place + 1)
                let sibling = try runner.study(task, by: .improvised(run.schedule, picks))
                // One may be the effect of the other: then it could not be first.
                guard sibling.steps[place].event == other.event.text,
                    sibling.steps[place].time == run.steps[place].time
                else { continue }
                swapped += 1
                #expect(Self.stories(sibling) == stories, "\(one.event.text), \(other.event.text)")
            }
            #expect(swapped >= 5)
        }
    }
}
