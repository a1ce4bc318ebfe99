import TestSupport
import Testing

/// An app that is loaded, in a program that is its own orchestrator: a test's own process has threads.
struct LoadTests {
    @Test func anAppIsGrantedTurnsByFramesAndPrintsToItsLog() throws {
        let outcome = try Place().run(["\(Command.executables)/loaded-app"])
        #expect(
            outcome.said == """
                nobody at version 0
                hello(DeviceLink.Hello(major: 1, minor: 5, program: "parrot", keepsGlobalState: false, \
                isAfreshByReset: false))
                ready
                log: [0.000000 s] launched on ben, launch 1
                answers of turn 7
                ready
                log: [0.000000 s] launched on amy, launch 1
                answers of turn 8
                hello(DeviceLink.Hello(major: 1, minor: 5, program: "parrot", keepsGlobalState: false, \
                isAfreshByReset: false))
                log: the orchestrator broke the contract at byte 22: expected a reset before it, found a grant.

                """)
    }
}
