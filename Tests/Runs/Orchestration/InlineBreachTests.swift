import DeviceLink
import Orchestration
import Testing

/// What an inline device may not answer.
struct InlineBreachTests {
    @Test func anInlineDeviceIsHeldToTheSame() {
        let good = Answer.observe(kind: "mine", fields: [])
        let failure = #expect(throws: DeviceFailure.self) {
            try [good, .observe(kind: "script.ended", fields: [])].check(of: 0, "lock")
        }
        #expect(
            failure?.description
                == "protocol error of lock: answer 2 of the turn (inline, so there is no byte): "
                + "expected a kind that a device may observe, found \"script.ended\", which only the "
                + "orchestrator sees. DEVICE-LINK.md says what a device may send")
        #expect(throws: DeviceFailure.self) {
            try Array(repeating: good, count: LinkLimits.answers + 1).check(of: 0, "lock")
        }
    }
}
