import Invariants
import Testing

/// What becomes of a bond, and how often a user is asked.
@Suite struct PairingPromiseTests {
    private let paired = linked + "2.0 ben system.paired peer=lock\n"
    /// They have ranged since, so that both have the key.
    private let bonded =
        linked + """
            2.0 ben system.paired peer=lock
            3.0 ben ni.didUpdate ni-session=1 peer=lock distance=2000

            """

    @Test func theNextLinkIsEncryptedByTheBond() {
        let text = bonded + "9.0 ben link.encrypted link=2 peer=lock status=0\n"
        #expect(result(of: "bond-kept", text).outcome == .held)
    }

    @Test func anAccessoryThatHasLostItsKeyBreaksIt() {
        let text = bonded + "9.0 ben link.encrypted link=2 peer=lock status=6\n"
        #expect(result(of: "bond-kept", text).outcome == .violated)
    }

    /// The link may have ended before the accessory had the last key.
    @Test func whoHasNotRangedSinceMayHaveNoKey() {
        let text = paired + "9.0 ben link.encrypted link=2 peer=lock status=6\n"
        #expect(result(of: "bond-kept", text).outcome != .violated)
    }

    @Test(arguments: ["lock", "ben"])
    func whoWasToldToForgetHasNoBond(device: String) {
        let text =
            bonded + """
                8.0 \(device) fault.command command=forget-bond
                9.0 ben link.encrypted link=2 peer=lock status=6
                """
        #expect(result(of: "bond-kept", text).outcome != .violated)
    }

    @Test func whoIsAskedAgainOnTheSameConnectionIsAskedTooOften() {
        let text =
            linked + """
                2.0 ben system.pairing peer=lock
                3.0 ben system.paired peer=lock reason=8
                4.0 ben system.pairing peer=lock
                """
        #expect(result(of: "no-second-pairing-prompt", text).outcome == .violated)
    }

    @Test func aNewConnectionMayAskAgain() {
        let text =
            linked + """
                2.0 ben system.pairing peer=lock
                3.0 ben system.paired peer=lock reason=8
                4.0 ben link.down link=1 peer=lock reason=8
                5.0 ben system.pairing peer=lock
                """
        #expect(result(of: "no-second-pairing-prompt", text).outcome != .violated)
    }
}
