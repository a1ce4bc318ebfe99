package import DeviceLink

// Events (Core Specification Vol 4 Part E 7.7).
extension HCIPacket {
    package enum Code: UInt8, Sendable {
        case disconnectionComplete = 0x05
        case encryptionChange = 0x08
        case readRemoteVersionInformationComplete = 0x0C
        case commandComplete = 0x0E
        case commandStatus = 0x0F
        case numberOfCompletedPackets = 0x13
        case dataBufferOverflow = 0x1A
        case encryptionKeyRefreshComplete = 0x30
        case leMeta = 0x3E
    }

    /// LE Meta events by their subevent codes.
    package enum Subevent: UInt8, Sendable {
        case connectionComplete = 0x01
        case advertisingReport = 0x02
        case connectionUpdateComplete = 0x03
        case readRemoteFeaturesComplete = 0x04
        case longTermKeyRequest = 0x05
        case dataLengthChange = 0x07
        case enhancedConnectionComplete = 0x0A
        case phyUpdateComplete = 0x0C
        case extendedAdvertisingReport = 0x0D
        case advertisingSetTerminated = 0x12
    }

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
        case .longTermKeyRequest(let handle, let random, let diversifier):
            .meta(.longTermKeyRequest) {
                $0.append(handle: handle)
                $0.append(littleEndian: random)
                $0.append(littleEndian: diversifier)
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

    /// An event of the parameters that `write` writes.
    package static func event(
        _ code: Code, parameters write: (inout [UInt8]) -> Void
    ) -> HCIPacket {
        var parameters: [UInt8] = []
        write(&parameters)
        let header = [PacketType.event, code.rawValue, UInt8(truncatingIfNeeded: parameters.count)]
        return HCIPacket(direction: .toHost, bytes: header + parameters)
    }

    /// An LE Meta event of the parameters that `write` writes.
    package static func meta(
        _ subevent: Subevent, parameters write: (inout [UInt8]) -> Void
    ) -> HCIPacket {
        .event(.leMeta) {
            $0.append(subevent.rawValue)
            write(&$0)
        }
    }
}

extension [UInt8] {
    package mutating func append(_ parameters: ConnectionParameters) {
        append(littleEndian: parameters.interval)
        append(littleEndian: parameters.latency)
        append(littleEndian: parameters.timeout)
    }
}
