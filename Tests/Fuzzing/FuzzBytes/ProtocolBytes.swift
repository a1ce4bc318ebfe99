import AccessoryProtocol
import Bluetooth

/// Advertising data of a stranger; what we write of it is read as it was written.
func playAdvertising(_ bytes: UnsafeRawBufferPointer) {
    let whole = Array(bytes)
    guard let data = try? AdvertisingData(whole) else { return }
    _ = data.merged(with: data)
    guard let written = try? data.encoded() else { return }
    demand(written.count <= 31, "more than a legacy advertisement holds")
    guard let again = try? AdvertisingData(written).encoded() else {
        fatalError("our own advertising data cannot be read")
    }
    demand(again == written, "advertising data that changes when it is written")
}

/// Messages and configuration data of an accessory: what can be read is written the same way.
func playConfigurationData(_ bytes: UnsafeRawBufferPointer) {
    let whole = Array(bytes)
    if let message = try? Message(whole) {
        // What is no text becomes longer by being read, and may be cut; after that it stays.
        demand(
            (try? Message(message.bytes))?.bytes == message.bytes,
            "a message that changes when it is read again")
    }
    if let data = try? AccessoryConfigurationData(whole) {
        demand(data.bytes == whole, "configuration data that is written in another way")
    }
    if let data = try? MultipleConfigurationData(whole) {
        demand(data.bytes == whole, "configurations that are written in another way")
    }
    if let data = try? UWBConfigData(whole) {
        demand(data.bytes == whole, "UWBConfigData that is written in another way")
    }
}

/// Shareable configuration data: what can be read is written the same way.
func playShareableData(_ bytes: UnsafeRawBufferPointer) {
    let whole = Array(bytes)
    guard let data = try? AppleUWBConfigData(whole) else { return }
    demand(data.bytes == whole, "shareable data that is written in another way")
}
