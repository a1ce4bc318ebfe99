package import DeviceKit

package enum KnownAccessory: Equatable, Sendable {
    case address(Address)
    /// By the name of its device on the network.
    case host(String)

    /// What observations say of it.
    package var told: Field {
        switch self {
        case .address(let address): Field("peripheral", .text(address.description))
        case .host(let name): Field("peer", .text(name))
        }
    }
}

/// What Nearby Interaction asks of the rest of the system.
package protocol NearbyInteractionSurroundings: AnyObject {
    /// The accessory that sent this configuration data; the latest where there are several.
    func sender(of configuration: [UInt8]) -> KnownAccessory?
    /// The accessory with this identifier, where it is known.
    func address(of identifier: UUID) -> Address?
    /// Whether there is an encrypted link to a paired accessory.
    func isPairedAndConnected(_ accessory: Address) -> Bool
    /// Reads all configuration data that the accessory's Nearby Interaction Service holds; nil where it
    /// cannot be read.
    func readConfigurations(
        of accessory: Address, completion: @escaping ([[UInt8]]?) -> Void)
}
