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
        case .readLocalVersionInformation, .readLocalSupportedCommands,
            .readLocalSupportedFeatures, .readBufferSize, .readBDADDR, .leReadBufferSize,
            .leReadLocalSupportedFeatures, .leReadSupportedStates, .leReadFilterAcceptListSize,
            .leReadAdvertisingPhysicalChannelTxPower, .leReadSuggestedDefaultDataLength,
            .leReadMaximumDataLength, .leReadMaximumAdvertisingDataLength,
            .leReadNumberOfSupportedAdvertisingSets, .leRand:
            return fact(command)
        case .leSetRandomAddress: ownRandomAddress = Address(try fields.number(of: 6))
        case .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData,
            .leSetAdvertisingEnable, .leSetAdvertisingSetRandomAddress,
            .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData,
            .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable,
            .leRemoveAdvertisingSet, .leClearAdvertisingSets:
            return try advertise(command, &fields)
        case .leSetScanParameters, .leSetScanEnable, .leSetExtendedScanParameters,
            .leSetExtendedScanEnable:
            try scan(command, &fields)
        case .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList,
            .leRemoveDeviceFromFilterAcceptList:
            try changeAcceptList(command, &fields)
        case .leCreateConnection, .leExtendedCreateConnection: try connect(command, &fields)
        case .leCreateConnectionCancel: try cancelConnection()
        case .leWriteSuggestedDefaultDataLength: _ = try fields.take(4)
        case .leSetDefaultPHY: _ = try fields.take(3)
        case .disconnect, .readRemoteVersionInformation, .readRSSI, .leConnectionUpdate,
            .leReadRemoteFeatures, .leEnableEncryption, .leLongTermKeyRequestReply,
            .leLongTermKeyRequestNegativeReply, .leSetDataLength, .leReadPHY, .leSetPHY:
            return try useLink(command, &fields)
        }
        return []
    }

    /// Everything is as after power on, but for links, which end as if the device had been switched off.
    private mutating func reset() {
        stopAll()
        for link in links where !link.isEnding {
            request(.disconnect(handle: link.handle, reason: 0x15))
        }
        for index in links.indices { links[index].isForgotten = true }
        masks = EventMasks()
        ownRandomAddress = nil
        advertiser = Advertiser()
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

    /// What the controller says of itself.
    private func fact(_ command: HCICommand) -> [UInt8] {
        var values: [UInt8] = []
        switch command {
        case .readLocalVersionInformation:
            // Bluetooth 5.0; a company identifier that nobody has.
            values = [9, 0, 0, 9, 0xFF, 0xFF, 0, 0]
        case .readLocalSupportedCommands:
            values = [UInt8](repeating: 0, count: 64)
            for command in HCICommand.allCases where isThere(command) {
                values[command.place.octet] |= 1 << UInt8(command.place.bit)
            }
        // LE, and no BR/EDR.
        case .readLocalSupportedFeatures: values.append(littleEndian: UInt64(0x60) << 32)
        // LE has buffers of its own.
        case .readBufferSize: values = [UInt8](repeating: 0, count: 7)
        case .readBDADDR: values.append(littleEndian: publicAddress)
        case .leReadBufferSize:
            values.append(littleEndian: ControllerLink.longestData)
            values.append(UInt8(aclBufferCount))
        case .leReadLocalSupportedFeatures: values.append(littleEndian: features)
        case .leReadSupportedStates: values.append(littleEndian: UInt64(0x0000_03FF_FF3F_FFFF))
        case .leReadFilterAcceptListSize: values = [UInt8(Self.acceptListSize)]
        case .leReadAdvertisingPhysicalChannelTxPower: values = [0]
        case .leReadSuggestedDefaultDataLength:
            values = ControllerLink.longestDataAndTime
        case .leReadMaximumDataLength:
            values = ControllerLink.longestDataAndTime + ControllerLink.longestDataAndTime
        case .leReadMaximumAdvertisingDataLength:
            values.append(littleEndian: UInt16(AdvertisingData.maximumLength))
        case .leReadNumberOfSupportedAdvertisingSets: values = [1]
        case .leRand: values.append(littleEndian: random())
        default: preconditionFailure("\(command) is no question")
        }
        return values
    }

    /// Encryption, features exchange by a peripheral, longer data (Core Specification Vol 6 Part B 4.6).
    var features: UInt64 { 0x29 | (options.hasExtendedAdvertising ? 1 << 12 : 0) }
}

extension [UInt8] {
    /// The six octets of an address, without its type.
    mutating func append(littleEndian address: Address) {
        for shift in stride(from: UInt64(0), to: 48, by: 8) {
            append(UInt8(truncatingIfNeeded: address.value >> shift))
        }
    }
}
