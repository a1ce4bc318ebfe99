import Scenarios
import Testing
import Topologies

/// What is said of a topology in a line.
struct TopologyWordsTests {
    @Test func devicesAreCountedByKind() throws {
        let text =
            """
            about: Three kinds of devices.
            devices:
              ben: {model: iPhone 15}
              tag: {profile: qorvo, count: 3}
              mine: {run: ./firmware}
            steps: [{at: 1s, kill: tag-1}]
            expect: [never: link.up, violated: quiet]
            """
        let read = try Topology(parsing: Array(text.utf8), name: "t", file: "t.yaml")
        #expect(read.devicesByKind == "1 Apple device, 3 accessories, 1 foreign device")
    }
}
