import DeviceLink
import Testing

@testable import BluetoothHost

/// The samples of the Core Specification: Vol 3 Part H 2.2.3, 2.2.4 and Appendix D; Vol 2 Part G 7.1.2.
@Suite struct PairingCryptographyTests {
    private let u = bytes("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6")
    private let v = bytes("55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd")
    private let secret = bytes("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698")
    private let n1 = bytes("d5cb8454d177733effffb2ec712baeab")
    private let n2 = bytes("a6e8e7cc25a75f6e216583f7ff3dc4cf")
    private let central = Address(0x5612_3737_BFCE, isRandom: false)
    private let peripheral = Address(0xA713_702D_CFC1, isRandom: false)

    @Test func confirmValueOfLegacyPairing() {
        let value = PairingCryptography.c1(
            key: bytes("00000000000000000000000000000000"),
            random: bytes("5783d52156ad6f0e6388274ec6702ee0"),
            .init(
                request: bytes("07071000000101"), response: bytes("05000800000302"),
                central: Address(0xA1A2_A3A4_A5A6, isRandom: true),
                peripheral: Address(0xB1B2_B3B4_B5B6, isRandom: false)))
        #expect(value == bytes("1e1e3fef878988ead2a74dc5bef13b86"))
    }

    @Test func shortTermKey() {
        let key = PairingCryptography.s1(
            key: bytes("00000000000000000000000000000000"),
            peripheral: bytes("000f0e0d0c0b0a091122334455667788"),
            central: bytes("010203040506070899aabbccddeeff00"))
        #expect(key == bytes("9a1fe1f0e8b0f49b5b4216ae796da062"))
    }

    @Test func confirmValueOfSecureConnections() {
        let value = PairingCryptography.f4(u, v, nonce: n1, 0)
        #expect(value == bytes("f2c916f107a9bd1cf1eda1bea974872d"))
    }

    @Test func keysOfTheSharedSecret() {
        let made = PairingCryptography.f5(
            secret: secret, nonces: (n1, n2), central: central, peripheral: peripheral)
        #expect(made.checkKey == bytes("2965f176a1084a02fd3f6a20ce636e20"))
        #expect(made.longTermKey == bytes("6986791169d7cd23980522b594750a38"))
    }

    @Test func checkOfTheKey() {
        let value = PairingCryptography.f6(
            key: bytes("2965f176a1084a02fd3f6a20ce636e20"), nonces: (n1, n2),
            bytes("12a3343bb453bb5408da42d20c2d0fc8"), features: (2, 1, 1), own: central,
            other: peripheral)
        #expect(value == bytes("e3c473989cd0e8c5d26c0b09da958f61"))
    }

    @Test func sixDigits() {
        #expect(PairingCryptography.g2(u, v, nonces: (n1, n2)) == 0x2F9E_D5BA % 1_000_000)
    }

    @Test func aPrivateAddressIsResolvedByItsKeyAlone() {
        let key = bytes("ec0234a357c8ad05341010a60a397d9b")
        let address = Address(resolvedBy: key, random: 0x708194)
        #expect(address == Address(0x7081_940D_FBAA))
        #expect(address.isResolved(by: key) && !address.isResolved(by: n1))
        #expect(!Address(0xC081_940D_FBAA).isResolvable)
    }

    @Test func bothSidesComputeTheSameSecret() throws {
        let a = try #require(
            PairingKeyPair(
                private: bytes("3f49f6d4a3c55f3874c9b3e3d2103f504aff607beb40b7995899b8a6cd3c1abd")))
        let b = try #require(
            PairingKeyPair(
                private: bytes("55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd")))
        #expect(a.x == u)
        #expect(a.secret(withX: b.x, y: b.y) == secret)
        #expect(b.secret(withX: a.x, y: a.y) == secret)
    }

    @Test func aPointThatIsNotOnTheCurveIsRefused() throws {
        let pair = try #require(PairingKeyPair(private: Array(1...32)))
        #expect(pair.secret(withX: u, y: v) == nil)
        #expect(PairingKeyPair(private: Array(repeating: 0, count: 32)) == nil)
        #expect(PairingKeyPair(private: Array(repeating: 0xFF, count: 32)) == nil)
    }
}

/// Bytes as the specification prints a number: the most significant one first.
private func bytes(_ digits: String) -> [UInt8] {
    let digits = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).reversed().map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
}
