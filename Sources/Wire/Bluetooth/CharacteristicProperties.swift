/// What a characteristic says can be done with it (Core Specification Vol 3 Part G 3.3.1.1).
package struct CharacteristicProperties: OptionSet, Hashable, Codable, Sendable {
    /// The byte in the characteristic's declaration.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let broadcast = CharacteristicProperties(rawValue: 0x01)
    package static let read = CharacteristicProperties(rawValue: 0x02)
    package static let writeWithoutResponse = CharacteristicProperties(rawValue: 0x04)
    package static let write = CharacteristicProperties(rawValue: 0x08)
    package static let notify = CharacteristicProperties(rawValue: 0x10)
    package static let indicate = CharacteristicProperties(rawValue: 0x20)
    package static let authenticatedSignedWrites = CharacteristicProperties(rawValue: 0x40)
    package static let extendedProperties = CharacteristicProperties(rawValue: 0x80)
}
