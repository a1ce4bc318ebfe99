package import DeviceLink

// Commands (Core Specification Vol 4 Part E 7.1 and 7.8).
extension HCIPacket {
    /// Scanning and initiating listen without a pause: 30 ms of every 30 ms, in units of 0.625 ms.
    private static let scanWindow: UInt16 = 48

    /// The packets of a request, in the order in which a host would send them.
    ///
    /// `advertise` and `scan` take several commands. The commands are the legacy ones, which know no
    /// period for duplicates: any period but 0 becomes Filter_Duplicates 1.
    package static func packets(for command: BluetoothCommand) -> [HCIPacket] {
        switch command {
        case .advertise(let interval, let data, let scanResponse):
            advertising(every: interval, data: data, scanResponse: scanResponse)
        case .stopAdvertising: [.command(.leSetAdvertisingEnable) { $0.append(0) }]
        case .scan(let isActive, let period): scanning(isActive: isActive, period: period)
        case .stopScan: [.command(.leSetScanEnable) { $0 += [0, 0] }]
        case .connect(let peer, let parameters): [connecting(to: peer, timing: parameters)]
        case .cancelConnect: [.command(.leCreateConnectionCancel)]
        case .acl(let handle, let frame): [.acl(frame, on: handle, going: .toController)]
        case .disconnect(let handle, let reason):
            [
                .command(.disconnect) {
                    $0.append(handle: handle)
                    $0.append(reason)
                }
            ]
        case .encrypt(let handle, let key, let random, let diversifier):
            [
                .command(.leEnableEncryption) {
                    $0.append(handle: handle)
                    $0.append(littleEndian: random)
                    $0.append(littleEndian: diversifier)
                    $0.append(key, count: 16)
                }
            ]
        case .longTermKey(let handle, let key?):
            [
                .command(.leLongTermKeyRequestReply) {
                    $0.append(handle: handle)
                    $0.append(key, count: 16)
                }
            ]
        case .longTermKey(let handle, nil):
            [.command(.leLongTermKeyRequestNegativeReply) { $0.append(handle: handle) }]
        case .updateConnection(let handle, let parameters):
            [
                .command(.leConnectionUpdate) {
                    $0.append(handle: handle)
                    $0.append(timing: parameters)
                }
            ]
        case .setAddress(let address):
            [.command(.leSetRandomAddress) { $0.append(valueOf: address) }]
        }
    }

    /// What a host asks of its controller as it starts, with the answers: Read BD_ADDR and Read Local Name
    /// (Core Specification Vol 4 Part E 7.4.6 and 7.3.12).
    package static func introduction(name: String, address: Address) -> [HCIPacket] {
        answered(0x1009) { $0.append(valueOf: address) }
            + answered(0x0C14) { $0.append(Array(name.utf8), count: 248) }
    }

    /// A command without parameters that succeeds, and what it returns.
    private static func answered(
        _ opcode: UInt16, with write: (inout [UInt8]) -> Void
    ) -> [HCIPacket] {
        var command = [PacketType.command]
        command.append(littleEndian: opcode)
        let answer = event(.commandComplete) {
            // One more command may be sent.
            $0.append(1)
            $0.append(littleEndian: opcode)
            $0.append(0)
            write(&$0)
        }
        return [HCIPacket(direction: .toController, bytes: command + [0]), answer]
    }

    private static func command(
        _ command: HCICommand, parameters write: (inout [UInt8]) -> Void = { _ in }
    ) -> HCIPacket {
        var parameters: [UInt8] = []
        write(&parameters)
        var bytes = [PacketType.command]
        bytes.append(littleEndian: command.rawValue)
        bytes.append(UInt8(truncatingIfNeeded: parameters.count))
        return HCIPacket(direction: .toController, bytes: bytes + parameters)
    }

    private static func advertising(
        every interval: UInt16, data: [UInt8], scanResponse: [UInt8]
    ) -> [HCIPacket] {
        [
            .command(.leSetAdvertisingParameters) {
                $0.append(littleEndian: interval)
                $0.append(littleEndian: interval)
                // ADV_IND; own address random; no peer.
                $0 += [0x00, 0x01, 0x00, 0, 0, 0, 0, 0, 0]
                // All three channels; anybody may scan and connect.
                $0 += [0x07, 0x00]
            },
            .command(.leSetAdvertisingData) { $0.appendAdvertisingData(data) },
            .command(.leSetScanResponseData) { $0.appendAdvertisingData(scanResponse) },
            .command(.leSetAdvertisingEnable) { $0.append(1) },
        ]
    }

    private static func scanning(isActive: Bool, period: UInt16) -> [HCIPacket] {
        [
            .command(.leSetScanParameters) {
                $0.append(isActive ? 1 : 0)
                $0.append(littleEndian: scanWindow)
                $0.append(littleEndian: scanWindow)
                // Own address random; all advertisers.
                $0 += [0x01, 0x00]
            },
            .command(.leSetScanEnable) { $0 += [1, period == 0 ? 0 : 1] },
        ]
    }

    private static func connecting(
        to peer: Address, timing parameters: ConnectionParameters
    ) -> HCIPacket {
        .command(.leCreateConnection) {
            $0.append(littleEndian: scanWindow)
            $0.append(littleEndian: scanWindow)
            $0.append(0)
            $0.append(peer)
            $0.append(1)
            $0.append(timing: parameters)
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
