import Bluetooth
import DeviceLink

/// How the host wants to be found.
///
/// There is one advertising set, whose commands are legacy or extended ones.
struct AdvertisingSet: Sendable {
    /// In units of 0.625 ms; 1.28 s is the default.
    var interval: UInt16 = 0x0800
    var ownAddressType: UInt8 = 0
    var data: [UInt8] = []
    var scanResponse: [UInt8] = []
    var isOn = false
    /// Of the extended set, once there is one.
    var set: (handle: UInt8, randomAddress: Address?)?
}

extension VirtualController {
    /// A connection ends advertising, as the air has done already.
    mutating func advertisingEnded(by handle: UInt16) {
        guard advertiser.isOn else { return }
        advertiser.isOn = false
        guard let set = advertiser.set else { return }
        tell(.advertisingSetTerminated) {
            $0 += [0, set.handle]
            $0.append(handle: handle)
            $0.append(0)
        }
    }

    // MARK: Legacy commands

    mutating func setParameters(_ fields: inout CommandFields) throws(HCIError) {
        guard !advertiser.isOn else { throw .commandDisallowed }
        let shortest = try fields.uint16()
        let longest = try fields.uint16()
        let type = try fields.uint8()
        let ownAddressType = try fields.uint8()
        _ = try fields.take(7)
        _ = try fields.take(2)
        guard (0x20...0x4000).contains(shortest), (shortest...0x4000).contains(longest)
        else { throw .invalidParameters }
        try needConnectable(type == 0, name: "type \(type)")
        advertiser.interval = longest
        advertiser.ownAddressType = ownAddressType
    }

    func legacyData(_ fields: inout CommandFields) throws(HCIError) -> [UInt8] {
        let length = Int(try fields.uint8())
        guard length <= AdvertisingData.maximumLength else { throw .invalidParameters }
        return Array(try fields.take(AdvertisingData.maximumLength)[..<length])
    }

    mutating func setData(
        _ part: WritableKeyPath<AdvertisingSet, [UInt8]>, to data: [UInt8]
    ) {
        advertiser[keyPath: part] = data
        if advertiser.isOn { advertiseNow() }
    }

    mutating func enable(_ isOn: Bool, random: Address?) throws(HCIError) {
        if isOn {
            try use(ownAddressType: advertiser.ownAddressType, random: random)
            advertiseNow()
        } else if advertiser.isOn {
            request(.stopAdvertising)
        }
        advertiser.isOn = isOn
    }

    private mutating func advertiseNow() {
        request(
            .advertise(
                interval: advertiser.interval, data: advertiser.data,
                scanResponse: advertiser.scanResponse))
    }

    private mutating func needConnectable(_ isConnectable: Bool, name: String) throws(HCIError) {
        guard !isConnectable else { return }
        remark(
            "HCI: the host wants to advertise so that nobody can connect, or one device alone (\(name)); "
                + "the air knows connectable undirected advertising only")
        throw .unsupportedFeature
    }

    // MARK: Extended commands

    /// Core Specification Vol 4 Part E 7.8.53; gives the selected power.
    mutating func setExtendedParameters(
        _ fields: inout CommandFields
    ) throws(HCIError) -> [UInt8] {
        let handle = try fields.uint8()
        guard handle <= 0xEF else { throw .invalidParameters }
        if let set = advertiser.set, set.handle != handle { throw .memoryCapacityExceeded }
        guard !advertiser.isOn else { throw .commandDisallowed }
        let properties = try fields.uint16()
        let shortest = try fields.number(of: 3)
        let longest = try fields.number(of: 3)
        _ = try fields.uint8()
        let ownAddressType = try fields.uint8()
        // The peer, the filter policy, the power, and what is for advertising beyond the primary channels.
        _ = try fields.take(7 + 1 + 1 + 5)
        guard shortest >= 0x20, longest >= shortest else { throw .invalidParameters }
        let connectableUndirected = properties & 0b1101 == 0b0001
        try needConnectable(connectableUndirected, name: "properties \(properties)")
        advertiser.interval = UInt16(min(longest, 0x4000))
        advertiser.ownAddressType = ownAddressType
        if advertiser.set == nil { advertiser.set = (handle, nil) }
        return [0]
    }

    mutating func setExtendedData(
        _ part: WritableKeyPath<AdvertisingSet, [UInt8]>, _ fields: inout CommandFields
    ) throws(HCIError) {
        try useSet(fields.uint8())
        let operation = try fields.uint8()
        _ = try fields.uint8()
        let data = try fields.take(Int(fields.uint8()))
        switch operation {
        // All at once; the rest are parts of what is too long for an advertisement of ours.
        case 3 where data.count <= AdvertisingData.maximumLength: setData(part, to: data)
        case 4: break
        case 0...3:
            remark(
                "HCI: the host wants to advertise more than 31 bytes; the air has legacy advertisements only"
            )
            throw .unsupportedFeature
        default: throw .invalidParameters
        }
    }

    mutating func enableSets(_ fields: inout CommandFields) throws(HCIError) {
        let isOn = try fields.flag()
        let count = try fields.uint8()
        if count == 0 {
            guard !isOn else { throw .invalidParameters }
            return try enable(false, random: nil)
        }
        guard count == 1 else { throw .memoryCapacityExceeded }
        try useSet(fields.uint8())
        let duration = try fields.uint16()
        _ = try fields.uint8()
        if duration > 0 {
            remark(
                "HCI: advertising goes on until the host ends it, and not for \(duration) times 10 ms"
            )
        }
        try enable(isOn, random: advertiser.set?.randomAddress)
    }

    func useSet(_ handle: UInt8) throws(HCIError) {
        guard advertiser.set?.handle == handle else { throw .unknownAdvertisingIdentifier }
    }

    mutating func removeSet() throws(HCIError) {
        guard !advertiser.isOn else { throw .commandDisallowed }
        advertiser = AdvertisingSet()
    }
}
