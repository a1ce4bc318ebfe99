import AccessoryFirmware
import TestSupport
import Testing

/// The embedded application alone: events in, actions out.
@Suite struct ApplicationTests {
    @Test func aSessionAsAValue() throws {
        var application = EmbeddedApplication(try AccessoryParameters.defaults(of: "qorvo"))
        #expect(application.handle(.received([0x0A])) == [.reinitialize, .populate])
        let configuration = bytes("0100 0000 14 00000000000000000000 02 AABB")
        #expect(
            application.handle(.populated([0xAA, 0xBB]))
                == [.publish(configuration), .notify(.accessoryConfigurationData(configuration))])
        #expect(application.handle(.received([0x0B, 1, 2])) == [.configureAndStart([1, 2])])
        #expect(application.handle(.accepted) == [.note(.accessoryConfigured, reason: nil)])
        #expect(
            application.handle(.started)
                == [.note(.accessoryStart, reason: nil), .notify(.accessoryUwbDidStart)])
        #expect(
            application.handle(.disconnected) == [
                .reinitialize, .note(.accessoryStop, reason: nil),
            ])
        #expect(application.state == .idle)
    }

    @Test func aMessageThatWaitsBeginsWhenTheFirstIsHandled() {
        var inbox = Inbox(capacity: 2)
        #expect(inbox.receive([1], on: 1) == .begin)
        #expect(inbox.receive([2], on: 2) == .wait)
        #expect(inbox.receive([3], on: 1) == .dropped)
        #expect(inbox.finish().1 == .begin)
        #expect(inbox.forget(link: 2) == .idle)
    }
}
