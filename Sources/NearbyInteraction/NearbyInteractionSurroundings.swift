package import DeviceKit

/// What Nearby Interaction asks of the rest of the system.
package protocol NearbyInteractionSurroundings: AnyObject {
    /// The accessory that sent this configuration data by Bluetooth; the latest where there are several.
    func sender(of configuration: [UInt8]) -> Address?
    /// The accessory with this identifier, where it is known.
    func address(of identifier: UUID) -> Address?
    /// Whether there is an encrypted link to a paired accessory.
    func isPairedAndConnected(_ accessory: Address) -> Bool
    /// Reads all configuration data that the accessory's Nearby Interaction Service holds; nil where it
    /// cannot be read.
    func readConfigurations(
        of accessory: Address, completion: @escaping ([[UInt8]]?) -> Void)
}
