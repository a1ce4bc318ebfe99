import Bluetooth
package import DeviceLink

/// Resolvable private addresses (Core Specification Vol 6 Part B 1.3.2.2): those who have the identity resolving
/// key see whose they are, for others each is a new device.
extension Address {
    /// The private address of a key; of the random number 22 bits count.
    package init(resolvedBy key: [UInt8], random: UInt64) {
        let upper = random & 0x3F_FFFF | 0x40_0000
        let lower = PairingCryptography.ah(
            key: key, (0..<3).map { UInt8(truncatingIfNeeded: upper >> (8 * UInt64($0))) })
        self.init(upper << 24 | UInt64(littleEndian: lower))
    }

    /// Whether it is a resolvable private address by its form.
    package var isResolvable: Bool { isRandom && value >> 46 == 0b01 }

    /// Whether it was made with a key.
    package func isResolved(by key: [UInt8]) -> Bool {
        isResolvable && self == Address(resolvedBy: key, random: value >> 24)
    }
}
