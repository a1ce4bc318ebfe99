import Orchestration
import TestSupport
import Testing
import UV

/// Runs by process keep to one core, and whoever comes after them does not.
struct CoreTests {
    @Test func aRunnerGivesBackTheCoresThatItDoesWithout() throws {
        let before = try ThisProcess.allowedCores()
        let settings = RunSettings(programs: Command.executables, tool: "test")
        let within = try LocalRunner.with(settings) { _ in try ThisProcess.allowedCores() }
        #expect(within.count == 1)
        #expect(try ThisProcess.allowedCores() == before)
    }
}
