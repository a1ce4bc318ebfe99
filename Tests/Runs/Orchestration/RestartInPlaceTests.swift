import Orchestration
import Reports
import RunSupport
import TestSupport
import Testing

/// While a search plays, a killed device gets its next life by a reset of the process that it had.
@Suite struct RestartInPlaceTests {
    /// A stranger, which is killed at rest, in its turn, while it is frozen, and at random.
    private static let text = """
        length: 12s
        devices:
          ben: {model: iPhone 15, permission: allowed, at: [0m, 0m]}
          lock: {run: \(root)/Tests/Strangers/accessory.py, at: [2m, 0m]}
        steps:
        - {at: 2s, kill: lock, for: 1s}
        - {at: 4s, kill: lock, after-answers: 2, for: 500ms}
        - {at: 6s, freeze: lock, for: 2s}
        - {at: 7s, kill: lock, for: 100ms}
        - {at: 8s, kill: ben, for: 100ms}
        faults: {kill: {ratio: 1/10}, freeze: {ratio: 1/10}}
        """

    @Test func whatIsPlayedIsTheSame() throws {
        let reports = try [false, true].map { restartsInPlace in
            try Self.play { $0.processes.restartsInPlace = restartsInPlace }
        }
        #expect(reports[0].map(\.digest) == reports[1].map(\.digest))
        #expect(reports[0].map(\.status) == reports[1].map(\.status))
        #expect(Set(reports[0].map(\.digest)).count == reports[0].count)
    }

    /// A device that tells its process in each of two lives, of one run after another.
    @Test(arguments: [("local", false, 3), ("local", true, 1), ("global", true, 4)])
    func aProcessIsUsedAgainUnlessItsDeviceSaysNotTo(
        vice: String, restartsInPlace: Bool, processes: Int
    ) throws {
        let place = try Place()
        var settings = RunSettings(programs: Command.executables, tool: "test")
        settings.files.tree = place.path + "/out"
        settings.processes.restartsInPlace = restartsInPlace
        let text = """
            length: 3s
            devices:
              mine: {run: python3, arguments: [-B, \(root)/Tests/Strangers/rogue.py, \(vice)]}
            steps: [{at: 1s, kill: mine, for: 500ms}]
            """
        let reports = try LocalRunner.with(settings) { runner in
            [1, 2].map { runner.run(RunTask(name: "it", file: "it", text: text, seed: $0)) }
        }
        #expect(reports.map(\.status) == [.held, .held])
        let lines = [1, 2].flatMap { seed in
            place.read("out/it/\(seed)/logs/mine.log").split(separator: "\n")
        }
        #expect(lines.count == 4 && Set(lines).count == processes, "\(lines)")
    }

    private static func play(_ change: (inout RunSettings) -> Void) throws -> [RunReport] {
        var settings = RunSettings(programs: Command.executables, tool: "test")
        settings.files.tree = nil
        change(&settings)
        return try LocalRunner.with(settings) { runner in
            (1...(isWhole ? 20 : 5)).map { seed in
                runner.run(RunTask(name: "kills", file: "kills", text: Self.text, seed: seed))
            }
        }
    }
}
