/// A UUID as Bluetooth uses it: 16 bits for assigned numbers, 128 bits for all others.
///
/// A 16-bit UUID is an abbreviation of a 128-bit one (Core Specification Vol 3 Part B 2.5.1); both
/// forms of the same UUID are equal.
package struct BluetoothUUID: Hashable, Sendable {
    /// The first half of the 128 bits, in the order in which the text form writes them.
    ///
    /// No one number, because what has one of 128 bits in it gets its memory the allocator's slow way.
    private let high: UInt64
    private let low: UInt64

    /// The assigned number `short`.
    package init(_ short: UInt16) {
        self.init(high: Self.base.high | UInt64(short) << 32, low: Self.base.low)
    }

    /// The UUID of 128 bits.
    package init(value: UInt128) {
        self.init(
            high: UInt64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
    }

    private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// The UUID in its form on the air, least significant byte first; nil unless 2 or 16 bytes.
    package init?(littleEndian bytes: ArraySlice<UInt8>) {
        switch bytes.count {
        case 2:
            self.init(UInt16(bytes[bytes.startIndex]) | UInt16(bytes[bytes.startIndex + 1]) << 8)
        case 16:
            self.init(
                high: UInt64(littleEndian: bytes.suffix(8)),
                low: UInt64(littleEndian: bytes.prefix(8)))
        default: return nil
        }
    }

    /// The UUID in its form on the air, least significant byte first; nil unless 2 or 16 bytes.
    package init?(littleEndian bytes: [UInt8]) { self.init(littleEndian: bytes[...]) }

    /// The assigned number, where the UUID has one of 16 bits.
    package var short: UInt16? {
        let short = UInt16(truncatingIfNeeded: high >> 32)
        return BluetoothUUID(short) == self ? short : nil
    }

    /// The shortest form on the air, least significant byte first: 2 or 16 bytes.
    package var bytes: [UInt8] {
        guard let short else { return longBytes }
        return [UInt8(truncatingIfNeeded: short), UInt8(truncatingIfNeeded: short >> 8)]
    }

    /// The long form on the air, least significant byte first: always 16 bytes.
    package var longBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        bytes.append(littleEndian: low)
        bytes.append(littleEndian: high)
        return bytes
    }

    /// 00000000-0000-1000-8000-00805F9B34FB.
    private static let base = (
        high: 0x0000_0000_0000_1000 as UInt64, low: 0x8000_0080_5F9B_34FB as UInt64
    )
}

extension BluetoothUUID: CustomStringConvertible, LosslessStringConvertible {
    /// `2902`, or all 32 digits in groups, in upper case as Apple writes them.
    package var description: String {
        let digits = short == nil ? 0..<32 : 4..<8
        // By bytes: every service and characteristic that somebody finds is reported by its UUID.
        return String(unsafeUninitializedCapacity: 36) { memory in
            var count = 0
            for digit in digits {
                switch digit {
                case 8, 12, 16, 20:
                    memory[count] = UInt8(ascii: "-")
                    count += 1
                default: break
                }
                let half = digit < 16 ? high : low
                let number = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (digit % 16))) & 0xF
                memory[count] = number + (number < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
                count += 1
            }
            return count
        }
    }

    /// Reads either text form, in any case; nil where `text` is neither.
    package init?(_ text: String) {
        var (high, low, digits): (UInt64, UInt64, Int) = (0, 0, 0)
        // How many digits stand before each hyphen, a byte for each.
        var hyphens: UInt64 = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "-") {
                guard hyphens >> 56 == 0 else { return nil }
                hyphens = hyphens << 8 | UInt64(digits + 1)
            } else {
                guard let digit = Self.digit(byte), digits < 32 else { return nil }
                (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(digit))
                digits += 1
            }
        }
        switch (digits, hyphens) {
        case (4, 0): self.init(UInt16(truncatingIfNeeded: low))
        case (32, 0x09_0D_11_15): self.init(high: high, low: low)
        default: return nil
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension BluetoothUUID: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A UUID written in the program, in either text form.
    package init(stringLiteral text: String) {
        guard let uuid = BluetoothUUID(text) else {
            preconditionFailure("'\(text)' is not a UUID of 4 or 32 hexadecimal digits")
        }
        self = uuid
    }

    /// An assigned number written in the program.
    package init(integerLiteral short: UInt16) { self.init(short) }
}

/// Assigned numbers that this project uses (Bluetooth Assigned Numbers 3.4 to 3.8).
extension BluetoothUUID {
    package static let primaryService: BluetoothUUID = 0x2800
    package static let secondaryService: BluetoothUUID = 0x2801
    package static let include: BluetoothUUID = 0x2802
    /// The type of the attribute that declares a characteristic (Core Specification Vol 3 Part G 3.3.1).
    package static let characteristic: BluetoothUUID = 0x2803
    package static let extendedProperties: BluetoothUUID = 0x2900
    package static let userDescription: BluetoothUUID = 0x2901
    /// Client Characteristic Configuration descriptor (CCCD).
    package static let clientConfiguration: BluetoothUUID = 0x2902
    package static let genericAccess: BluetoothUUID = 0x1800
    package static let genericAttribute: BluetoothUUID = 0x1801
    package static let deviceName: BluetoothUUID = 0x2A00
    package static let appearance: BluetoothUUID = 0x2A01
    package static let serviceChanged: BluetoothUUID = 0x2A05
    package static let clientSupportedFeatures: BluetoothUUID = 0x2B29
    package static let databaseHash: BluetoothUUID = 0x2B2A
    package static let deviceInformation: BluetoothUUID = 0x180A
    package static let firmwareRevision: BluetoothUUID = 0x2A26
}

extension BluetoothUUID: CodedAsText {
    package static let expectedText = "a UUID"
}
