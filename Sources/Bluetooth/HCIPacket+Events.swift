import DeviceLink

// Events (Core Specification Vol 4 Part E 7.7).
extension HCIPacket {
    private enum Code {
        static let disconnectionComplete: UInt8 = 0x05
        static let encryptionChange: UInt8 = 0x08
        static let numberOfCompletedPackets: UInt8 = 0x13
        static let leMeta: UInt8 = 0x3E
    }

    private enum Subevent {
        static let connectionComplete: UInt8 = 0x01
        static let advertisingReport: UInt8 = 0x02
        static let connectionUpdateComplete: UInt8 = 0x03
        static let longTermKeyRequest: UInt8 = 0x05
    }

    static func eventBytes(_ event: BluetoothEvent) -> [UInt8] {
        var parameters: [UInt8] = []
        let code = append(event, to: &parameters)
        return [PacketType.event, code, UInt8(truncatingIfNeeded: parameters.count)] + parameters
    }

    /// Appends an event's parameters and gives its code.
    private static func append(_ event: BluetoothEvent, to bytes: inout [UInt8]) -> UInt8 {
        switch event {
        case .advertisingReport, .connectionComplete, .longTermKeyRequest,
            .connectionUpdateComplete:
            appendMeta(event, to: &bytes)
            return Code.leMeta
        case .disconnectionComplete(let handle, let reason):
            bytes.append(0)
            bytes.append(handle: handle)
            bytes.append(reason)
            return Code.disconnectionComplete
        case .completedPackets(let handle, let count):
            bytes.append(1)
            bytes.append(handle: handle)
            bytes.append(littleEndian: count)
            return Code.numberOfCompletedPackets
        case .encryptionChange(let status, let handle, let isEncrypted):
            bytes.append(status)
            bytes.append(handle: handle)
            bytes.append(isEncrypted ? 1 : 0)
            return Code.encryptionChange
        case .acl: preconditionFailure("ACL data is no event")
        }
    }

    private static func appendMeta(_ event: BluetoothEvent, to bytes: inout [UInt8]) {
        switch event {
        case .advertisingReport(let peer, let isScanResponse, let isConnectable, let rssi, let data):
            let indirect: UInt8 = isConnectable ? 0x00 : 0x02
            bytes += [Subevent.advertisingReport, 1, isScanResponse ? 0x04 : indirect]
            bytes.append(peer)
            let data = data.prefix(AdvertisingData.maximumLength)
            bytes.append(UInt8(data.count))
            bytes += data
            bytes.append(UInt8(bitPattern: rssi))
        case .connectionComplete(let status, let handle, let isCentral, let peer, let parameters):
            bytes += [Subevent.connectionComplete, status]
            bytes.append(handle: handle)
            bytes.append(isCentral ? 0 : 1)
            bytes.append(peer)
            bytes.append(parameters)
            // The central's clock is good to 500 ppm.
            bytes.append(0)
        case .connectionUpdateComplete(let status, let handle, let parameters):
            bytes += [Subevent.connectionUpdateComplete, status]
            bytes.append(handle: handle)
            bytes.append(parameters)
        case .longTermKeyRequest(let handle):
            bytes.append(Subevent.longTermKeyRequest)
            bytes.append(handle: handle)
            bytes.append([], count: 10)
        default: preconditionFailure("\(event) is no LE meta event")
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ parameters: ConnectionParameters) {
        append(littleEndian: parameters.interval)
        append(littleEndian: parameters.latency)
        append(littleEndian: parameters.timeout)
    }
}
