import DeviceLink

// Commands (Core Specification Vol 4 Part E 7.1 and 7.8). An opcode is the group in the upper six
// bits and the number within it.
extension HCIPacket {
    private enum Opcode: UInt16 {
        case disconnect = 0x0406
        case leSetAdvertisingParameters = 0x2006
        case leSetAdvertisingData = 0x2008
        case leSetScanResponseData = 0x2009
        case leSetAdvertisingEnable = 0x200A
        case leSetScanParameters = 0x200B
        case leSetScanEnable = 0x200C
        case leCreateConnection = 0x200D
        case leCreateConnectionCancel = 0x200E
        case leConnectionUpdate = 0x2013
        case leEnableEncryption = 0x2019
        case leLongTermKeyRequestReply = 0x201A
        case leLongTermKeyRequestNegativeReply = 0x201B
    }

    /// Scanning and initiating listen without a pause: 30 ms of every 30 ms, in units of 0.625 ms.
    private static let scanWindow: UInt16 = 48

    private static func command(
        _ opcode: Opcode, _ build: (inout [UInt8]) -> Void = { _ in }
    ) -> HCIPacket {
        var parameters: [UInt8] = []
        build(&parameters)
        var bytes = [PacketType.command]
        bytes.append(littleEndian: opcode.rawValue)
        bytes.append(UInt8(truncatingIfNeeded: parameters.count))
        return HCIPacket(direction: .toController, bytes: bytes + parameters)
    }

    static func advertising(_ command: BluetoothCommand) -> [HCIPacket] {
        guard case .advertise(let interval, let data, let scanResponse) = command else {
            return [Self.command(.leSetAdvertisingEnable) { $0.append(0) }]
        }
        return [
            Self.command(.leSetAdvertisingParameters) {
                $0.append(littleEndian: interval)
                $0.append(littleEndian: interval)
                // ADV_IND; own address random; no peer.
                $0 += [0x00, 0x01, 0x00, 0, 0, 0, 0, 0, 0]
                // All three channels; anybody may scan and connect.
                $0 += [0x07, 0x00]
            },
            Self.command(.leSetAdvertisingData) { $0.appendAdvertisingData(data) },
            Self.command(.leSetScanResponseData) { $0.appendAdvertisingData(scanResponse) },
            Self.command(.leSetAdvertisingEnable) { $0.append(1) },
        ]
    }

    static func scanning(_ command: BluetoothCommand) -> [HCIPacket] {
        guard case .scan(let active, let period) = command else {
            return [Self.command(.leSetScanEnable) { $0 += [0, 0] }]
        }
        return [
            Self.command(.leSetScanParameters) {
                $0.append(active ? 1 : 0)
                $0.append(littleEndian: scanWindow)
                $0.append(littleEndian: scanWindow)
                // Own address random; all advertisers.
                $0 += [0x01, 0x00]
            },
            Self.command(.leSetScanEnable) { $0 += [1, period == 0 ? 0 : 1] },
        ]
    }

    static func connecting(_ command: BluetoothCommand) -> HCIPacket {
        switch command {
        case .connect(let peer, let parameters):
            Self.command(.leCreateConnection) {
                $0.append(littleEndian: scanWindow)
                $0.append(littleEndian: scanWindow)
                $0.append(0)
                $0.append(peer)
                $0.append(1)
                $0.append(timing: parameters)
            }
        case .cancelConnect: Self.command(.leCreateConnectionCancel)
        case .disconnect(let handle, let reason):
            Self.command(.disconnect) {
                $0.append(handle: handle)
                $0.append(reason)
            }
        case .updateConnection(let handle, let parameters):
            Self.command(.leConnectionUpdate) {
                $0.append(handle: handle)
                $0.append(timing: parameters)
            }
        default: preconditionFailure("\(command) is no request about a connection")
        }
    }

    static func security(_ command: BluetoothCommand) -> HCIPacket {
        switch command {
        case .encrypt(let handle, let key):
            Self.command(.leEnableEncryption) {
                $0.append(handle: handle)
                // Random number and diversifier are zero for a key of LE Secure Connections.
                $0.append([], count: 10)
                $0.append(key, count: 16)
            }
        case .longTermKey(let handle, let key?):
            Self.command(.leLongTermKeyRequestReply) {
                $0.append(handle: handle)
                $0.append(key, count: 16)
            }
        case .longTermKey(let handle, nil):
            Self.command(.leLongTermKeyRequestNegativeReply) { $0.append(handle: handle) }
        default: preconditionFailure("\(command) is no request about encryption")
        }
    }
}

extension [UInt8] {
    /// Always 31 bytes, of which the first so many count.
    fileprivate mutating func appendAdvertisingData(_ data: [UInt8]) {
        append(UInt8(Swift.min(data.count, AdvertisingData.maximumLength)))
        append(data, count: AdvertisingData.maximumLength)
    }

    /// Shortest and longest interval, latency, timeout, shortest and longest connection event.
    fileprivate mutating func append(timing: ConnectionParameters) {
        append(littleEndian: timing.interval)
        append(littleEndian: timing.interval)
        append(littleEndian: timing.latency)
        append(littleEndian: timing.timeout)
        append([], count: 4)
    }
}
