import DeviceLink
import Promises
import Testing
import Topologies
import Traces

/// Promises that a topology makes for itself.
struct OwnPromiseTests {
    @Test func anExpectationMayBeAPromise() throws {
        let read = try topology(
            phoneAndLock(
                """
                fluents: {up: {per: link, set: link.up, clear: link.down}}
                expect:
                  - {when: link.down on ben, then: link.up on ben, within: 2 connection intervals + 5s}
                  - never: ni.didInvalidate
                  - {per: link, while: up, never: link.updated}
                """))
        #expect(read.expectations.map(\.text) == ["never: ni.didInvalidate"])
        #expect(
            read.properties.properties.map(\.id) == ["expected in line 4", "expected in line 6"])
        #expect(
            read.properties.properties.map(\.about.sentence) == [
                "{when: link.down on ben, then: link.up on ben, within: 2 connection intervals + 5s}",
                "{per: link, while: up, never: link.updated}",
            ])
        #expect(
            read.properties.properties[0].body
                == .response(
                    when: [EventPattern(kind: "link.down", device: "ben")],
                    then: [EventPattern(kind: "link.up", device: "ben")],
                    within: Property.TimeBound(.seconds(5), intervals: 2)))
        #expect(read.properties.fluents.map(\.name) == ["up"])
    }
}
