import TestSupport
import Testing

@Suite(.processes) struct NewAddressTests {
    /// It is no shipped topology: where the two have not paired yet, the phone has two peripherals for one accessory, and
    /// a trace, which names devices, cannot tell them apart.
    @Test func aPhoneKnowsAnAccessoryThatItHasPairedWithByItsNewAddress() throws {
        let place = try Place()
        try place.write(
            """
            about: The accessory shows a new private address; the phone that has paired with it knows it again, and encrypts.
            length: 25s
            devices:
              ben: {model: iPhone 15, pairs: true, at: [0m, 0m]}
              lock: {profile: qorvo, pairing: secure-connections, private-address: true, at: [2m, 0m]}
            steps:
              - {at: 8s, change-address: lock}
              - {at: 9s, disconnect: [ben, lock]}
            expect:
              - in order:
                  - system.paired on ben with peer = lock
                  - fault.command on lock with command = change-address
                  - link.down on ben
                  - link.up on ben
                  - link.encrypted on ben with status = 0
                  - ni.didUpdate on ben
              - exactly 1: system.pairing on ben
              - exactly 1: app.found on ben
            """, to: "t.yaml")
        let outcome = try Command.run("run", "t.yaml", "--seeds", "1..5", in: place)
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
