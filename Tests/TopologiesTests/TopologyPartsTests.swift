import Testing
import Topologies

@Suite struct TopologyPartsTests {
    private let text = """
        length: 20s
        devices:
          ben: {model: iPhone 15}
          lock: {profile: qorvo, at: [2m, 0m]}
        steps:
          - {at: 1s, kill: lock}
          - {at: 2s, restart: lock}

        """

    @Test func thePartsOfAFileComeBiggestFirstButForItsLength() throws {
        let parts = try #require(TopologyParts(text))
        #expect(
            parts.paths.map(\.description) == [
                "devices", "steps", "devices.lock", "steps[1]", "steps[0]", "devices.lock.at",
                "devices.ben", "steps[1].restart", "steps[1].at", "steps[0].kill", "steps[0].at",
                "devices.lock.at[1]", "devices.lock.at[0]", "devices.lock.profile",
                "devices.ben.model",
            ])
    }

    @Test func aPartIsLeftOut() throws {
        let parts = try #require(TopologyParts(text))
        let path = try #require(parts.paths.first { "\($0)" == "steps[0]" })
        let rest = parts.text(without: path)
        #expect(rest.contains("restart: lock") && !rest.contains("kill: lock"))
        #expect(TopologyParts(rest)?.has(path) == true)
    }

    @Test func aDefectIsWrittenWhereItsDeviceStands() throws {
        let parts = try #require(TopologyParts(text))
        let sick = try #require(parts.text(switchingOn: "lost-request", of: "lock"))
        #expect(sick.contains("defects: [lost-request]"))
        #expect(parts.text(switchingOn: "lost-request", of: "door") == nil)
    }
}
