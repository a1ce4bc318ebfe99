import Choices
import Orchestration
import RunSupport
import TestSupport
import Testing

@testable import Diagnosis

/// The pairs of races in a lantern of nobody's, one of each sort that is hard to prove.
@Suite(.processes) struct StrangerPairTests {
    struct Bug: CustomTestStringConvertible {
        let name: String
        var parameters = ""
        var phones = "ben: {model: iPhone 15, permission: allowed}"
        var length = "2s"
        var rest = ""
        var seed: UInt64 = 6
        var afters: [(event: String, after: String)] = []
        var delay: (timer: String, nanoseconds: UInt64)?
        /// How many plays are enough to prove it.
        var plays = 60
        /// What is first where it fails, and what is first where it holds.
        let first, second: String

        var testDescription: String { name }

        var text: String {
            """
            length: \(length)
            devices:
              \(phones)
              lamp: {run: \(root)/Tests/Strangers/lantern.py, defects: [\(name)], parameters: {\(parameters)}}
            \(rest)
            """
        }

        var schedule: Schedule {
            Schedule(
                afters: afters.compactMap { pair in
                    guard let event = EventID(pair.event), let after = EventID(pair.after) else {
                        return nil
                    }
                    return After(event: event, after: after)
                },
                decisions: delay.map {
                    [RecordedDecision(identity: "\($0.timer) delay", value: $0.nanoseconds)]
                } ?? [])
        }
    }

    private static let bugs = [
        // The expectation names the phone; where the two part is the other end of its link.
        Bug(
            name: "idle-though-asked", parameters: "idle: 1620ms",
            phones: "ben: {model: iPhone 15, start-slack: 60ms}", length: "1s",
            rest: "expect: [never: link.down on ben]", seed: 21,
            delay: ("timer ben/0 ni/0/resources #0", 60_000_000), plays: 400,
            first: "timer lamp/0 idle/0 #0", second: "link ben/0-lamp/0 1 to peripheral #11"),
        // Behind the end of the link the radio never tells that it has started.
        Bug(
            name: "remembers-starting",
            rest: "steps: [{when: uwb.starting on lamp, disconnect: [ben, lamp]}]", plays: 400,
            first: "link ben/0-lamp/0 1 to peripheral #12", second: "uwb lamp/0 1 to host #0"),
        // Much happens elsewhere between the last event that reaches the lantern and its death.
        Bug(
            name: "flushes-late", parameters: "flush: 200ms, flush-slack: 800ms", length: "10s",
            rest: """
                steps: [{when: msg.initialize.received on lamp, after: 900ms, kill: lamp, for: 100ms}]
                """,
            afters: [("timer lamp/0 flush/0 #0", "step 1 #0")],
            first: "step 1 #0", second: "timer lamp/0 flush/0 #0"),
        // The message that is put off is in time, but what comes of it in the same moment is not.
        Bug(
            name: "answers-last-asked", parameters: "links: 2",
            phones: """
                amy: {model: iPhone 15, permission: allowed}
                  ben: {model: iPhone 14, permission: allowed}
                """, length: "1s", seed: 2,
            first: "queue lamp/0 work #3", second: "uwb lamp/0 1 to host #0"),
        // Between the two orders there is one that holds because the phone never comes to ask.
        Bug(
            name: "cleans-up-another", parameters: "clean-up: 20ms, clean-up-slack: 540ms",
            phones: """
                amy: {model: iPhone 15}
                  ben: {model: iPhone 14}
                """, length: "5s", rest: "steps: [{at: 2s, terminate: amy}]", seed: 25,
            afters: [("timer lamp/0 clean-up/0 #0", "timer lamp/0 prepare/0 #1")],
            first: "link ben/0-lamp/0 1 to peripheral #8", second: "timer lamp/0 clean-up/0 #0"),
    ]

    @Test(.long, arguments: bugs)
    func thePairOfABugIsNamed(_ bug: Bug) throws {
        var settings = RunSettings(programs: Command.executables, tool: "test")
        settings.hosting = .process
        settings.files.tree = nil
        let race = try LocalRunner.with(settings) { runner in
            let task = RunTask(name: bug.name, file: "it.yaml", text: bug.text, seed: bug.seed)
            let failing = try runner.study(task, by: .schedule(bug.schedule))
            #expect(failing.report.status == .violated)
            var explainer = Explainer(
                task, failing: failing, on: runner, defects: [], mostReplays: bug.plays,
                randomRuns: 40)
            try explainer.findPair()
            return explainer.explanation.race
        }
        #expect(race?.first.event.text == bug.first)
        #expect(race?.second.event.text == bug.second)
    }
}
