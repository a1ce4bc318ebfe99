import Orchestration
import Reports
import Simulation
import Testing

@Suite struct ImprovisationTests {
    @Test func aRunThatFollowsEveryPickIsTheSameRun() throws {
        let name = "dropout/mid-handshake"
        let text = try String(contentsOfFile: "\(topologies)/\(name).yaml", encoding: .utf8)
        let task = RunTask(name: name, file: name, text: text, seed: 7)
        var settings = RunSettings(programs: Command.executables, tool: "test")
        settings.hosting = .inline
        try LocalRunner.with(settings) { runner in
            let noted = try runner.study(task)
            let run = try runner.study(task, .schedule(noted.schedule))
            #expect(run.picks.count == run.steps.count)
            let again = try runner.improvise(
                task, on: run, following: run.picks.count, seed: 99)
            #expect(again.digest == run.report.digest)
            let other = try runner.improvise(task, on: run, following: 20, seed: 99)
            #expect(other.digest != run.report.digest)
        }
    }
}
