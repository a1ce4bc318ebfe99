import AccessoryProtocol

// What defects make of bytes that were right; without one of them the bytes stay as they are.
extension AccessoryParameters {
    /// The configuration data of a firmware that fills it in wrongly.
    func spoilt(configuration right: [UInt8]) -> [UInt8] {
        var bytes = right
        if has(.bigEndianVersion) {
            bytes.swapAt(0, 1)
            bytes.swapAt(2, 3)
        }
        if has(.reservedUpdateRate) { bytes[4] = 15 }
        if has(.fillsReservedBytes) {
            bytes.replaceSubrange(5..<15, with: [UInt8](repeating: 0xFF, count: 10))
        }
        if has(.noUWBData) { bytes = Array(bytes.prefix(15)) + [0] }
        if has(.padsConfiguration) {
            bytes += [UInt8](repeating: 0, count: max(0, 64 - bytes.count))
        }
        return bytes
    }

    /// Shareable data as it gets to the middleware of a firmware that reads it wrongly.
    func spoilt(shareable right: [UInt8]) -> [UInt8] {
        guard has(.reordersSessionID), right.count > 10 else { return right }
        var bytes = right
        bytes[7...10].reverse()
        return bytes
    }

    /// The bytes of a message of a firmware that counts them wrongly.
    func spoilt(message: Message) -> [UInt8] {
        var bytes = message.bytes
        if has(.miscountsText), message.id == .iOSNotify { bytes[1] += 1 }
        return bytes
    }

    /// The Multiple value of a firmware that counts wrongly what it holds.
    func spoilt(multiple right: [UInt8]) -> [UInt8] {
        var bytes = right
        if has(.miscountsConfigurations) { bytes[0] &+= 1 }
        return bytes
    }
}
