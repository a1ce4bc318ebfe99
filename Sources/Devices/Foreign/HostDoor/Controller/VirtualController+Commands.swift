import Bluetooth
import DeviceLink

extension VirtualController {
    /// Does what a command wants; gives the return parameters behind the status.
    mutating func perform(
        _ command: HCICommand, _ fields: inout CommandFields
    ) throws(HCIError) -> [UInt8] {
        switch command {
        case .reset: reset()
        case .setEventMask: masks.events = try fields.number(of: 8)
        case .leSetEventMask: masks.meta = try fields.number(of: 8)
        // None of its events is there.
        case .setEventMaskPage2: _ = try fields.number(of: 8)
        case .setControllerToHostFlowControl: try setFlowControl(&fields)
        case .hostBufferSize: try setHostBuffers(&fields)
        case .hostNumberOfCompletedPackets: try completeByHost(&fields)
        case .readLocalVersionInformation: return Self.version
        case .readLocalSupportedCommands: return supportedCommands
        // LE, and no BR/EDR.
        case .readLocalSupportedFeatures: return [UInt8](littleEndian: UInt64(0x60) << 32)
        // LE has buffers of its own.
        case .readBufferSize: return [UInt8](repeating: 0, count: 7)
        case .readBDADDR: return publicAddress.octets
        case .leReadBufferSize:
            return [UInt8](littleEndian: ControllerLink.longestData) + [UInt8(Self.bufferCount)]
        case .leReadLocalSupportedFeatures: return [UInt8](littleEndian: features)
        case .leReadSupportedStates: return [UInt8](littleEndian: UInt64(0x0000_03FF_FF3F_FFFF))
        case .leRand: return [UInt8](littleEndian: random())
        case .leSetRandomAddress: ownRandomAddress = Address(try fields.number(of: 6))
        // Advertising.
        case .leReadAdvertisingPhysicalChannelTxPower: return [0]
        case .leSetAdvertisingParameters: try setParameters(&fields)
        case .leSetAdvertisingData: try setData(\.data, to: legacyData(&fields))
        case .leSetScanResponseData: try setData(\.scanResponse, to: legacyData(&fields))
        case .leSetAdvertisingEnable: try enable(fields.flag(), random: ownRandomAddress)
        case .leSetAdvertisingSetRandomAddress:
            try useSet(fields.uint8())
            advertiser.set?.randomAddress = Address(try fields.number(of: 6))
        case .leSetExtendedAdvertisingParameters: return try setExtendedParameters(&fields)
        case .leSetExtendedAdvertisingData: try setExtendedData(\.data, &fields)
        case .leSetExtendedScanResponseData: try setExtendedData(\.scanResponse, &fields)
        case .leSetExtendedAdvertisingEnable: try enableSets(&fields)
        case .leReadMaximumAdvertisingDataLength:
            return [UInt8](littleEndian: UInt16(AdvertisingData.maximumLength))
        case .leReadNumberOfSupportedAdvertisingSets: return [1]
        case .leRemoveAdvertisingSet:
            try useSet(fields.uint8())
            try removeSet()
        case .leClearAdvertisingSets: try removeSet()
        // Scanning and connecting.
        case .leSetScanParameters: try setScanParameters(&fields)
        case .leSetExtendedScanParameters: try setExtendedScanParameters(&fields)
        case .leSetScanEnable: try enableScan(fields.flag(), onceFor: fields.flag() ? .max : 0)
        case .leSetExtendedScanEnable: try enableExtendedScan(&fields)
        case .leReadFilterAcceptListSize: return [UInt8(Self.acceptListSize)]
        case .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList,
            .leRemoveDeviceFromFilterAcceptList:
            try changeAcceptList(command, &fields)
        case .leCreateConnection, .leExtendedCreateConnection: try connect(command, &fields)
        case .leCreateConnectionCancel: try cancelConnection()
        // Connections.
        case .disconnect: return try disconnect(&fields)
        case .readRemoteVersionInformation: return try readRemoteVersion(&fields)
        case .readRSSI: return try readRSSI(&fields)
        case .leConnectionUpdate: return try updateConnection(&fields)
        case .leReadRemoteFeatures: return try readRemoteFeatures(&fields)
        case .leEnableEncryption: return try encrypt(&fields)
        case .leLongTermKeyRequestReply: return try replyWithKey(&fields)
        case .leLongTermKeyRequestNegativeReply: return try replyWithoutKey(&fields)
        case .leReadSuggestedDefaultDataLength: return ControllerLink.longestDataAndTime
        case .leWriteSuggestedDefaultDataLength: _ = try fields.take(4)
        case .leReadMaximumDataLength:
            return ControllerLink.longestDataAndTime + ControllerLink.longestDataAndTime
        case .leSetDataLength: return try setDataLength(&fields)
        case .leSetDefaultPHY: _ = try fields.take(3)
        case .leReadPHY: return try readPHY(&fields)
        case .leSetPHY: return try setPHY(&fields)
        }
        return []
    }

    /// Everything is as after power on, but for links, which end as if the device had been switched off.
    private mutating func reset() {
        stopAll()
        for link in links where !link.isEnding {
            request(.disconnect(handle: link.handle, reason: 0x15))
        }
        for index in links.indices {
            links[index].isEnding = true
            links[index].isForgotten = true
        }
        masks = EventMasks()
        ownRandomAddress = nil
        advertiser = AdvertisingSet()
        scanner = Scanner()
        acceptList = []
        toHost = HostBuffers()
    }

    private mutating func stopAll() {
        if advertiser.isOn { request(.stopAdvertising) }
        if scanner.isOn { request(.stopScan) }
        for peer in initiator.pending { request(.cancelConnect(peer: peer)) }
        initiator.hidden += initiator.pending
        initiator.pending = []
    }

    /// Bluetooth 5.0; a company identifier that nobody has.
    private static let version: [UInt8] = [9, 0, 0, 9, 0xFF, 0xFF, 0, 0]

    private var supportedCommands: [UInt8] {
        var octets = [UInt8](repeating: 0, count: 64)
        for command in HCICommand.allCases where isThere(command) {
            octets[command.place.octet] |= 1 << UInt8(command.place.bit)
        }
        return octets
    }

    /// Encryption, features exchange by a peripheral, longer data (Core Specification Vol 6 Part B 4.6).
    var features: UInt64 { 0x29 | (options.hasExtendedAdvertising ? 1 << 12 : 0) }
}
