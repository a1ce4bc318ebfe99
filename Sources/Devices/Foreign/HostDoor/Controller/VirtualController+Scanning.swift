import Bluetooth
import DeviceLink

/// What the host wants to hear.
struct Scanner: Sendable {
    var isActive = false
    /// Whether only those in the accept list are heard.
    var usesAcceptList = false
    /// Whether reports are those of extended advertising.
    var isExtended = false
    var isOn = false
}

extension VirtualController {
    static let acceptListSize = 16

    mutating func setScanParameters(_ fields: inout CommandFields) throws(HCIError) {
        let type = try fields.uint8()
        _ = try fields.take(5)
        try setScan(isActive: type == 1, policy: fields.uint8(), isExtended: false)
    }

    mutating func setExtendedScanParameters(_ fields: inout CommandFields) throws(HCIError) {
        _ = try fields.uint8()
        let policy = try fields.uint8()
        _ = try fields.uint8()
        let type = try fields.uint8()
        try setScan(isActive: type == 1, policy: policy, isExtended: true)
        // The other values of this radio, and those of another one, which the air does not have.
        fields.skipRest()
    }

    mutating func enableExtendedScan(_ fields: inout CommandFields) throws(HCIError) {
        let isOn = try fields.flag()
        let filter = try fields.uint8()
        if try fields.uint16() > 0 {
            remark("HCI: a scan goes on until the host ends it, whatever its duration")
        }
        let period = try fields.uint16()
        enableScan(isOn, onceFor: filter == 0 ? 0 : filter == 1 ? .max : period)
    }

    private mutating func setScan(
        isActive: Bool, policy: UInt8, isExtended: Bool
    ) throws(HCIError) {
        guard !scanner.isOn else { throw .commandDisallowed }
        guard policy <= 3 else { throw .invalidParameters }
        scanner = Scanner(
            isActive: isActive, usesAcceptList: policy & 1 == 1, isExtended: isExtended)
    }

    mutating func enableScan(_ isOn: Bool, onceFor period: UInt16) {
        if isOn {
            request(.scan(active: scanner.isActive, period: period))
        } else if scanner.isOn {
            request(.stopScan)
        }
        scanner.isOn = isOn
    }

    /// An advertisement or a scan response was heard.
    mutating func heard(_ event: BluetoothEvent) {
        guard case .advertisingReport(let peer, let isScanResponse, _, let rssi, let data) = event,
            scanner.isOn, !scanner.usesAcceptList || acceptList.contains(peer)
        else { return }
        guard scanner.isExtended else {
            if masks.show(.advertisingReport) { HCIPacket.packets(for: event).forEach { hand($0) } }
            return
        }
        tell(.extendedAdvertisingReport) {
            // Legacy PDUs: ADV_IND, and SCAN_RSP to it (Core Specification Vol 4 Part E 7.7.65.13).
            $0 += [1, isScanResponse ? 0x1B : 0x13, 0]
            $0.append(peer)
            // On LE 1M and no other channel; without a set; no power; no train.
            $0 += [0x01, 0x00, 0xFF, 0x7F, UInt8(bitPattern: rssi), 0, 0]
            $0 += [0, 0, 0, 0, 0, 0, 0]
            $0.append(UInt8(truncatingIfNeeded: data.count))
            $0 += data
        }
    }

    mutating func changeAcceptList(
        _ command: HCICommand, _ fields: inout CommandFields
    ) throws(HCIError) {
        guard !initiator.usesAcceptList || initiator.pending.isEmpty,
            !scanner.isOn || !scanner.usesAcceptList
        else { throw .commandDisallowed }
        if command == .leClearFilterAcceptList {
            acceptList = []
            return
        }
        let peer = try fields.address()
        acceptList.removeAll { $0 == peer }
        guard command == .leAddDeviceToFilterAcceptList else { return }
        guard acceptList.count < Self.acceptListSize else { throw .memoryCapacityExceeded }
        acceptList.append(peer)
    }
}
