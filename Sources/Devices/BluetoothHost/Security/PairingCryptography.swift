import Bluetooth
import CMbedTLS
package import DeviceLink

/// The functions of pairing (Core Specification Vol 3 Part H 2.2), on AES and AES-CMAC of Mbed TLS.
///
/// The specification writes numbers with the most significant byte first, and so does AES; on the air, and
/// in all values here, the least significant one is first.
package enum PairingCryptography {
    /// The numbers and names that go into a pairing's confirm value.
    package struct LegacyExchange: Equatable, Sendable {
        /// Pairing Request and Pairing Response: 7 bytes each, code included.
        package var request: [UInt8]
        package var response: [UInt8]
        /// The addresses with which the connection began.
        package var central: Address
        package var peripheral: Address
    }

    /// c1: the confirm value of legacy pairing for a random number (2.2.3).
    package static func c1(
        key: [UInt8], random: [UInt8], _ exchange: LegacyExchange
    ) -> [UInt8] {
        let types: [UInt8] = [exchange.central, exchange.peripheral].map { $0.isRandom ? 1 : 0 }
        let first = types + exchange.request + exchange.response
        let second = exchange.peripheral.octets + exchange.central.octets + [0, 0, 0, 0]
        return e(key: key, xor(e(key: key, xor(random, first)), second))
    }

    /// s1: the short-term key of legacy pairing (2.2.4).
    package static func s1(key: [UInt8], peripheral: [UInt8], central: [UInt8]) -> [UInt8] {
        e(key: key, Array(central[..<8] + peripheral[..<8]))
    }

    /// f4: the confirm value of Secure Connections, of two x coordinates, a nonce and a byte (2.2.6).
    package static func f4(_ u: [UInt8], _ v: [UInt8], nonce: [UInt8], _ z: UInt8) -> [UInt8] {
        cmac(key: nonce, [[z], v, u])
    }

    /// f5: the key for the checks and the long-term key, of the shared secret (2.2.7).
    package static func f5(
        secret: [UInt8], nonces: (central: [UInt8], peripheral: [UInt8]), central: Address,
        peripheral: Address
    ) -> (checkKey: [UInt8], longTermKey: [UInt8]) {
        let key = cmac(key: salt, [secret])
        func made(_ counter: UInt8) -> [UInt8] {
            let length: [UInt8] = [0, 1]
            return cmac(
                key: key,
                [
                    length, peripheral.typed, central.typed, nonces.peripheral, nonces.central,
                    btle,
                    [counter],
                ])
        }
        return (made(0), made(1))
    }

    /// f6: what proves that one has the check key (2.2.8); `own` and `other` are the prover's and the verifier's.
    package static func f6(
        key: [UInt8], nonces: (own: [UInt8], other: [UInt8]), _ r: [UInt8],
        features: (interface: UInt8, hasOutOfBandData: UInt8, authentication: UInt8), own: Address,
        other: Address
    ) -> [UInt8] {
        let capabilities = [
            features.interface, features.hasOutOfBandData, features.authentication,
        ]
        return cmac(
            key: key, [other.typed, own.typed, capabilities, r, nonces.other, nonces.own])
    }

    /// g2: the six digits that both sides show (2.2.9).
    package static func g2(
        _ u: [UInt8], _ v: [UInt8], nonces: (central: [UInt8], peripheral: [UInt8])
    ) -> UInt32 {
        let value = cmac(key: nonces.central, [nonces.peripheral, v, u])
        return UInt32(UInt64(littleEndian: value[..<4]) % 1_000_000)
    }

    /// ah: the lower half of a resolvable private address, of its upper half (2.2.2).
    package static func ah(key: [UInt8], _ random: [UInt8]) -> [UInt8] {
        Array(e(key: key, random + Array(repeating: 0, count: 13))[..<3])
    }

    /// e: AES-128 of one block (2.2.1).
    package static func e(key: [UInt8], _ block: [UInt8]) -> [UInt8] {
        precondition(key.count == 16 && block.count == 16, "a key and a block have 16 bytes")
        var result = [UInt8](repeating: 0, count: 16)
        var context = mbedtls_aes_context()
        mbedtls_aes_init(&context)
        defer { mbedtls_aes_free(&context) }
        let failed =
            mbedtls_aes_setkey_enc(&context, Array(key.reversed()), 128) != 0
            || mbedtls_aes_crypt_ecb(
                &context, MBEDTLS_AES_ENCRYPT, Array(block.reversed()), &result) != 0
        precondition(!failed, "AES-128 takes every key and every block")
        return result.reversed()
    }

    /// AES-CMAC of fields, of which the last one is the most significant.
    private static func cmac(key: [UInt8], _ fields: [[UInt8]]) -> [UInt8] {
        cmac(key: key, ofWhole: Array(fields.joined()))
    }

    /// AES-CMAC of a message, least significant octet first like its key.
    package static func cmac(key: [UInt8], ofWhole reversed: [UInt8]) -> [UInt8] {
        precondition(key.count == 16, "a key has 16 bytes")
        let message = Array(reversed.reversed())
        var result = [UInt8](repeating: 0, count: 16)
        let failed = mbedtls_cipher_cmac(
            mbedtls_cipher_info_from_type(MBEDTLS_CIPHER_AES_128_ECB), Array(key.reversed()), 128,
            message, message.count, &result)
        precondition(failed == 0, "AES-CMAC takes every key and every message")
        return result.reversed()
    }

    private static func xor(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        zip(left, right).map { $0 ^ $1 }
    }

    /// 0x6C888391AAF5A53860370BDB5A6083BE.
    private static let salt: [UInt8] = [
        0xBE, 0x83, 0x60, 0x5A, 0xDB, 0x0B, 0x37, 0x60, 0x38, 0xA5, 0xF5, 0xAA, 0x91, 0x83, 0x88,
        0x6C,
    ]
    /// "btle", 0x62746C65.
    private static let btle: [UInt8] = [0x65, 0x6C, 0x74, 0x62]
}

extension Address {
    /// Its octets, and then its type.
    fileprivate var typed: [UInt8] { octets + [isRandom ? 1 : 0] }
}
