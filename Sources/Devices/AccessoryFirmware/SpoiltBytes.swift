import AccessoryProtocol
import DeviceKit

// What a firmware makes of bytes that were right; without a defect, or another framing, they stay as they are.
extension AccessoryParameters {
    /// A request as the firmware takes it: where it looks at no length, it copies the bytes into 50 that are zero, and
    /// takes of them what the id, and for shareable data its own length, ask for (NXP's demo, `TLV_Mng.c`).
    func framed(_ request: [UInt8]) -> [UInt8] {
        guard messageLength == .ignored, let id = request.first.flatMap(messageNumbers.id) else {
            return request
        }
        switch id {
        case .initialize, .stop: return [request[0]]
        case .configureAndStart:
            let buffer = (request + [UInt8](repeating: 0, count: 50)).prefix(50)
            // Behind the id: two version numbers, and the length of the rest.
            return Array(buffer.prefix(1 + 5 + Int(buffer[5])))
        case .accessoryConfigurationData, .accessoryUwbDidStart, .accessoryUwbDidStop,
            .getReserved, .setReserved, .iOSNotify:
            return request
        }
    }

    /// The configuration data of a firmware that fills it in wrongly.
    func spoilt(configuration right: [UInt8]) -> [UInt8] {
        var bytes = right
        if has(.bigEndianVersion) {
            bytes.swapAt(0, 1)
            bytes.swapAt(2, 3)
        }
        if has(.wrongVersion) { bytes[2] = 1 }
        if has(.countsOneTooFew) { bytes[15] -= 1 }
        if has(.reservedUpdateRate) { bytes[4] = 15 }
        if has(.fillsReservedBytes) {
            bytes.replaceSubrange(5..<15, with: [UInt8](repeating: 0xFF, count: 10))
        }
        if has(.eightReservedBytes) { bytes.removeSubrange(13..<15) }
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
        var bytes = message.bytes(by: messageNumbers)
        if has(.miscountsText), message.id == .iOSNotify { bytes[1] += 1 }
        return bytes
    }

    /// The Multiple value of a firmware that writes it wrongly.
    func multipleValue(of configurations: [[UInt8]]) -> [UInt8] {
        if has(.omitsLengths) {
            return [UInt8(truncatingIfNeeded: configurations.count)] + configurations.joined()
        }
        var bytes = (try? MultipleConfigurationData(configurations: configurations))?.bytes ?? [0]
        if has(.miscountsConfigurations) { bytes[0] &+= 1 }
        if has(.padsMultiple) { bytes += [0, 0, 0, 0] }
        return bytes
    }

    /// What the radio of a firmware that mixes things up is asked for.
    func spoilt(radio right: UWBParameters) -> UWBParameters {
        var radio = right
        if has(.swapsAddressOctets) { radio.address = radio.address.byteSwapped }
        if has(.wrongDestination) { radio.peer = radio.peer.byteSwapped }
        if has(.corruptsSTSIV) { radio.stsIV.reverse() }
        if has(.wrongChannel) { radio.channel = 5 }
        if has(.wrongPreamble) { radio.preamble = 9 }
        if has(.wrongSlots) { radio.slotsPerRound += 1 }
        if has(.wrongSlotDuration) { radio.slotDuration = 2_400 }
        if has(.wrongInterval) { radio.interval = 200 }
        if has(.wrongRole) { radio.isInitiator.toggle() }
        return radio
    }
}
