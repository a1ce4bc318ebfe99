import Bluetooth
import BluetoothHost
import DeviceKit
import Testing

/// A phone that asks its user, and an accessory without buttons; handle 3 can be read when encrypted.
@Suite struct PairingTests {
    private let phone = PairingPolicy(interface: .displayYesNo, asksUser: true)

    private func connected(
        _ policy: PairingPolicy? = PairingPolicy(), stored: [StoredPair] = []
    ) -> Wire {
        let wire = Wire(peripheral: .make("accessory", stored: stored))
        wire.central.host.pairing = phone
        wire.peripheral.host.pairing = policy
        wire.peripheral.host.server.addService(0x1234)
        wire.peripheral.host.server.addCharacteristic(
            0xAAAA, properties: .read, read: .encrypted, value: [1])
        wire.connect()
        return wire
    }

    private func pair(_ wire: Wire) { wire.inCentral { _ = wire.link.pair() } }

    @Test func secureConnectionsPairByJustWorks() {
        let wire = connected()
        pair(wire)
        #expect(
            wire.codes == [
                "> 01", "< 02", "> 0c", "< 0c", "< 03", "> 04", "< 04", "> 0d", "< 0d", "< 08",
                "< 09", "> 08", "> 09",
            ])
        #expect(
            wire.central.notes == [
                "connected", "asked consent", "encryption 0", "paired",
            ])
        #expect(wire.peripheral.notes == ["connected", "encryption 0", "paired"])
        #expect(wire.link.security == .encrypted(keySize: 16, isAuthenticated: false))
        #expect(wire.link.isBonded && wire.back.isBonded)
    }

    @Test func legacyPairingGivesAKeyForLater() {
        let wire = connected(PairingPolicy(isSecure: false))
        pair(wire)
        #expect(
            wire.codes == [
                "> 01", "< 02", "> 03", "< 03", "> 04", "< 04", "< 06", "< 07", "< 08", "< 09",
                "> 08", "> 09",
            ])
        let first = wire.commands.count
        wire.lose()
        wire.connect()
        wire.inCentral { _ = wire.link.encrypt() }
        #expect(wire.link.security.isEncrypted)
        #expect(!wire.commands[first].contains("random: 0, diversifier: 0"))
    }

    @Test func twoDisplaysShowTheSameDigits() {
        let wire = connected(PairingPolicy(interface: .displayYesNo))
        pair(wire)
        let digits = wire.central.notes.filter { $0.hasPrefix("asked comparison") }
        #expect(digits.count == 1 && wire.peripheral.notes.contains(digits[0]))
        #expect(wire.link.security == .encrypted(keySize: 16, isAuthenticated: true))
        #expect(wire.back.security == .encrypted(keySize: 16, isAuthenticated: true))
    }

    @Test func aUserWhoRefusesEndsIt() {
        let wire = connected()
        wire.central.answersAtOnce = false
        pair(wire)
        wire.inCentral { wire.link.answerPairing(false) }
        #expect(wire.codes == ["> 01", "< 02", "> 05 08"])
        #expect(wire.central.notes.last == "not paired 8")
        #expect(wire.peripheral.notes.last == "not paired 8")
        #expect(!wire.link.isBonded && wire.link.security == .open)
        wire.central.answersAtOnce = true
        pair(wire)
        #expect(wire.link.isBonded)
    }

    @Test func digitsThatDifferEndIt() {
        let wire = connected(PairingPolicy(interface: .displayYesNo))
        wire.central.answersAtOnce = false
        pair(wire)
        wire.inCentral { wire.link.answerPairing(false) }
        #expect(wire.codes.last == "> 05 0c")
    }

    @Test func after30SecondsNobodyPairsOnThisConnection() {
        let wire = connected()
        wire.central.answersAtOnce = false
        pair(wire)
        wire.advance(seconds: 30)
        wire.inCentral { wire.link.answerPairing(true) }
        #expect(wire.codes == ["> 01", "< 02"])
        #expect(wire.central.notes.last == "not paired 8")
        var begins = true
        wire.inCentral { begins = wire.link.pair() }
        #expect(!begins)
    }

    @Test func whoDoesNotPairSaysSo() {
        let wire = connected(nil)
        pair(wire)
        #expect(wire.codes == ["> 01", "< 05 05"])
        #expect(wire.central.notes.last == "not paired 5")
    }

    @Test func aSecurityRequestBeginsAPairingOnce() {
        let wire = connected()
        wire.central.answersAtOnce = false
        wire.inPeripheral { wire.back.requestSecurity() }
        wire.inPeripheral { wire.back.requestSecurity() }
        #expect(wire.codes == ["< 0b", "> 01", "< 02", "< 0b"])
        wire.inCentral { wire.link.answerPairing(true) }
        #expect(wire.link.isBonded)
    }

    @Test func aSecurityRequestThatCrossesTheEncryptionChangesNothing() {
        let wire = connected()
        pair(wire)
        wire.lose()
        wire.connect()
        let before = wire.commands.count
        let request = L2CAPFrame(channel: 6, payload: [0x0B, 9]).bytes
        wire.inCentral {
            _ = wire.link.encrypt()
            wire.central.host.handle(.acl(handle: 1, request))
        }
        #expect(wire.commands[before...].count { $0.hasPrefix("phone: encrypt") } == 1)
        #expect(wire.link.security.isEncrypted)
    }

    @Test func aForgottenKeyIsToldToTheCentral() {
        let wire = connected()
        pair(wire)
        wire.lose()
        wire.connect()
        wire.inPeripheral { wire.peripheral.host.forgetBond(with: Wire.centralAddress) }
        wire.inCentral { _ = wire.link.encrypt() }
        #expect(wire.central.notes.last == "encryption 6")
    }

    @Test func aNewPrivateAddressIsResolvedByTheBond() {
        let wire = connected()
        pair(wire)
        var address = Address(0)
        wire.inPeripheral {
            wire.peripheral.host.changeAddress()
            address = wire.peripheral.host.address
        }
        #expect(address.isResolvable)
        #expect(wire.central.host.identity(of: address) == Wire.peripheralAddress)
        #expect(wire.peripheral.host.identity(of: address) == address)
    }

    /// Bumble gives such a key unless it is told another one.
    @Test func aResolvingKeyOfZerosResolvesNothing() {
        let zeros = [UInt8](repeating: 0, count: 16)
        let wire = connected(stored: [StoredPair("identity-key", zeros)])
        pair(wire)
        let stranger = Address(resolvedBy: zeros, random: 1)
        #expect(wire.link.isBonded)
        #expect(wire.central.host.identity(of: stranger) == stranger)
    }

    @Test func thePairingIsTheSameEachTime() {
        let (one, two) = (connected(), connected())
        pair(one)
        pair(two)
        #expect(one.others == two.others)
    }

    /// What a stranger sends to an accessory in these moments, and what it is told.
    @Test(
        arguments: [
            ([[0x01, 3, 0, 1, 6, 0, 0]], "< 05 06"), ([[0x01, 3, 0, 1, 17, 0, 0]], "< 05 0a"),
            ([[0x01, 5, 0, 1, 16, 0, 0]], "< 05 0a"), ([[0x01, 3]], "< 05 0a"),
            ([[0x0F]], "< 05 07"), ([[]], "< 05 07"),
            ([[0x01, 3, 0, 1, 16, 0, 0], [0x0D] + Array(repeating: 0, count: 16)], "< 05 08"),
            ([[0x01, 3, 0, 9, 16, 0, 0], [0x0C] + Array(repeating: 1, count: 64)], "< 05 0b"),
            (
                [
                    [0x01, 3, 0, 1, 16, 0, 0], [0x03] + Array(repeating: 0, count: 16),
                    [0x04] + Array(repeating: 0, count: 16),
                ], "< 05 04"
            ),
            ([[0x01, 2, 0, 5, 16, 0, 0]], "< 02"), ([[0x01, 3, 1, 9, 16, 0, 0]], "< 05 02"),
        ] as [([[UInt8]], String)])
    func nonsenseIsAnsweredByAReason(_ pdus: [[UInt8]], _ answer: String) {
        let wire = connected()
        for pdu in pdus {
            let frame = L2CAPFrame(channel: 6, payload: pdu).bytes
            wire.deliver(.acl(handle: 1, frame), to: wire.peripheral)
        }
        #expect(wire.codes.last == answer)
    }

    @Test func whoSendsOurOwnPublicKeyBackIsRefused() {
        let wire = connected()
        let request = L2CAPFrame(channel: 6, payload: [0x01, 3, 0, 9, 16, 0, 0]).bytes
        wire.deliver(.acl(handle: 1, request), to: wire.peripheral)
        // The same accessory in the same moment draws the same key.
        let other = connected()
        pair(other)
        let key = other.others.first { $0.hasPrefix("accessory 6: 0c") }?.split(separator: " ")
            .dropFirst(2).compactMap { UInt8($0, radix: 16) }
        wire.deliver(
            .acl(handle: 1, L2CAPFrame(channel: 6, payload: key ?? []).bytes), to: wire.peripheral)
        #expect(wire.codes.last == "< 05 08")
    }
}

extension Wire {
    /// The codes of the PDUs on the Security Manager's channel; of a failure its reason, too.
    fileprivate var codes: [String] {
        others.map { line in
            let digits = line.drop { $0 != ":" }.dropFirst(2)
            return (line.hasPrefix("phone") ? "> " : "< ")
                + digits.prefix(digits.hasPrefix("05") ? 5 : 2)
        }
    }
}
