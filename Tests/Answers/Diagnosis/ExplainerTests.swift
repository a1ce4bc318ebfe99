import Orchestration
import Reports
import RunSupport
import Simulation
import TestSupport
import Testing

@testable import Diagnosis

/// Two events that race, proven with inline devices.
struct ExplainerTests {
    private static let defect = RunSettings.Defect(device: "coordinator", name: "commits-early")

    /// The first seed's run that breaks the commit, explained.
    private static func explained(replays: Int) throws -> Explanation {
        let name = "classics/two-phase-commit"
        var task = RunTask(
            name: name, file: name, text: try text(of: "Topologies/\(name).yaml"), seed: 1)
        return try LocalRunner.inline { settings in
            settings.defects = [defect]
        } _: { runner in
            var run = try runner.study(task, by: .portfolio)
            while run.report.status != .violated {
                task.seed += 1
                run = try runner.study(task, by: .portfolio)
            }
            let failing = try runner.study(task, by: .schedule(run.schedule))
            var explainer = Explainer(
                task, failing: failing, on: runner, defects: [defect], mostReplays: replays,
                randomRuns: 20)
            try explainer.explain()
            return explainer.explanation
        }
    }

    /// The vote against comes last: with it one place earlier the transaction is aborted.
    @Test func theVoteAgainstRacesWithTheLastButOneVoteFor() throws {
        let explanation = try Self.explained(replays: 400)
        let race = try #require(explanation.race)
        #expect(race.declared.map(\.defect) == ["commits-early"])
        #expect(race.declared.allSatisfy { $0.isThis || $0.isEffect })
        #expect(race.proof.otherwise == nil)
        #expect(race.proof.moved == nil, "both orders were played at one time")
        // Which of the two votes for it is the later one, the schedule says.
        let votes = ["anna", "bert"].map { "att.received (\($0) → coordinator)" }
        #expect(votes.contains(race.first.words))
        #expect(race.second.words == "att.received (carl → coordinator)")
        #expect(explanation.parting != nil)
        #expect(explanation.fingerprint.contains("transaction.ended on carl"))
    }

    /// A run of a phone and a lock that forgets to answer shareable data, or does not.
    private static func study(phone: String, lock: String) throws -> Study {
        let text = """
            length: 5s
            devices:
              ben: {model: iPhone 15, permission: allowed, \(phone)}
              lock: {profile: qorvo\(lock)}

            """
        return try LocalRunner.inline { runner in
            try runner.study(RunTask(name: "it", file: "it.yaml", text: text, seed: 1))
        }
    }

    @Test func aRequestThatNobodyMakesIsNotAnswered() throws {
        let failing = try Self.study(
            phone: "auto-start: true", lock: ", defects: [loses-an-event], wrong-after: 0.56s")
        let request = try #require(
            UnansweredRequest(of: failing), "\(failing.report.fingerprint ?? "")")
        for (phone, isMade) in [("auto-start: true", true), ("auto-start: false", false)] {
            for event in try Self.study(phone: phone, lock: "").events { request.take(event) }
            #expect(request.isMade == isMade)
        }
        #expect(try UnansweredRequest(of: Self.study(phone: "auto-start: true", lock: "")) == nil)
    }

    @Test func whereTwoRunsPartMayBeTheOtherEndOfALink() throws {
        let words = EventWords(try Self.study(phone: "auto-start: true", lock: ""))
        #expect(words.partners(of: "ben") == ["lock"])
    }

    @Test func withoutPlaysNothingIsClaimed() throws {
        let explanation = try Self.explained(replays: 0)
        #expect(explanation.race == nil && explanation.parting == nil)
        #expect(explanation.isExhausted && explanation.candidates == 0)
    }
}
