/// What a characteristic says can be done with it (Core Specification Vol 3 Part G 3.3.1.1).
package struct CharacteristicProperties: OptionSet, Hashable, Codable, Sendable {
    /// The byte in the characteristic's declaration.
    package let rawValue: UInt8

    /// Properties from the byte in a declaration.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value can be broadcast.
    package static let broadcast = CharacteristicProperties(rawValue: 0x01)
    /// The value can be read.
    package static let read = CharacteristicProperties(rawValue: 0x02)
    /// The value can be written by a write command.
    package static let writeWithoutResponse = CharacteristicProperties(rawValue: 0x04)
    /// The value can be written by a write request.
    package static let write = CharacteristicProperties(rawValue: 0x08)
    /// The value can be notified.
    package static let notify = CharacteristicProperties(rawValue: 0x10)
    /// The value can be indicated.
    package static let indicate = CharacteristicProperties(rawValue: 0x20)
    /// The value can be written by a signed write command.
    package static let authenticatedSignedWrites = CharacteristicProperties(rawValue: 0x40)
    /// There is an Extended Properties descriptor.
    package static let extendedProperties = CharacteristicProperties(rawValue: 0x80)
}
