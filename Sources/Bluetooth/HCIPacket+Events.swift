import DeviceLink

// Events (Core Specification Vol 4 Part E 7.7).
extension HCIPacket {
    private enum Code: UInt8 {
        case disconnectionComplete = 0x05
        case encryptionChange = 0x08
        case numberOfCompletedPackets = 0x13
        case leMeta = 0x3E
    }

    private enum Subevent: UInt8 {
        case connectionComplete = 0x01
        case advertisingReport = 0x02
        case connectionUpdateComplete = 0x03
        case longTermKeyRequest = 0x05
    }

    /// The one packet of an event.
    package static func packets(for event: BluetoothEvent) -> [HCIPacket] { [packet(for: event)] }

    private static func packet(for event: BluetoothEvent) -> HCIPacket {
        switch event {
        case .advertisingReport(let peer, let isScanResponse, let isConnectable, let rssi, let data):
            .meta(.advertisingReport) {
                let indirect: UInt8 = isConnectable ? 0x00 : 0x02
                $0 += [1, isScanResponse ? 0x04 : indirect]
                $0.append(peer)
                let data = data.prefix(AdvertisingData.maximumLength)
                $0.append(UInt8(data.count))
                $0 += data
                $0.append(UInt8(bitPattern: rssi))
            }
        case .connectionComplete(let status, let handle, let isCentral, let peer, let parameters):
            .meta(.connectionComplete) {
                $0.append(status)
                $0.append(handle: handle)
                $0.append(isCentral ? 0 : 1)
                $0.append(peer)
                $0.append(parameters)
                // The central's clock is good to 500 ppm.
                $0.append(0)
            }
        case .disconnectionComplete(let handle, let reason):
            .event(.disconnectionComplete) {
                $0.append(0)
                $0.append(handle: handle)
                $0.append(reason)
            }
        case .acl(let handle, let frame): .acl(frame, on: handle, going: .toHost)
        case .completedPackets(let handle, let count):
            .event(.numberOfCompletedPackets) {
                $0.append(1)
                $0.append(handle: handle)
                $0.append(littleEndian: count)
            }
        case .longTermKeyRequest(let handle):
            .meta(.longTermKeyRequest) {
                $0.append(handle: handle)
                $0.append([], count: 10)
            }
        case .encryptionChange(let status, let handle, let isEncrypted):
            .event(.encryptionChange) {
                $0.append(status)
                $0.append(handle: handle)
                $0.append(isEncrypted ? 1 : 0)
            }
        case .connectionUpdateComplete(let status, let handle, let parameters):
            .meta(.connectionUpdateComplete) {
                $0.append(status)
                $0.append(handle: handle)
                $0.append(parameters)
            }
        }
    }

    private static func event(
        _ code: Code, parameters write: (inout [UInt8]) -> Void
    ) -> HCIPacket {
        var parameters: [UInt8] = []
        write(&parameters)
        let header = [PacketType.event, code.rawValue, UInt8(truncatingIfNeeded: parameters.count)]
        return HCIPacket(direction: .toHost, bytes: header + parameters)
    }

    private static func meta(
        _ subevent: Subevent, parameters write: (inout [UInt8]) -> Void
    ) -> HCIPacket {
        .event(.leMeta) {
            $0.append(subevent.rawValue)
            write(&$0)
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
