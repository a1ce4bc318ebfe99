import Bluetooth
import DeviceKit

/// What apps want this device to advertise.
struct Advertisement: Equatable {
    var name: String?
    var services: [BluetoothUUID] = []

    /// As an app's dictionary says it.
    var dictionary: [String: Any] {
        var data: [String: Any] = [:]
        if let name { data[CBAdvertisementDataLocalNameKey] = name }
        if !services.isEmpty {
            data[CBAdvertisementDataServiceUUIDsKey] = services.map { CBUUID($0) }
        }
        return data
    }

    /// What an app's dictionary says; all but these two keys is ignored, as on iOS.
    init(_ data: [String: Any]?) {
        name = data?[CBAdvertisementDataLocalNameKey] as? String
        services = (data?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []).map(\.uuid)
    }

    /// What several apps want together.
    mutating func add(_ other: Advertisement) {
        name = name ?? other.name
        services += other.services.filter { !services.contains($0) }
    }

    /// The room beside the flags.
    private static let room = AdvertisingData.maximumLength - 3
    /// How much of a name a scan response has.
    private static let nameInScanResponse = 10
    /// Length and type of a structure.
    private static let header = 2

    /// What is advertised, and what a scan is answered by.
    ///
    /// In the foreground as many services as fit into 28 bytes, then the name, cut to the rest, or to 10 bytes of the
    /// scan response where nothing is left. Services that do not fit, and all of them in the background, where there
    /// is no name, are in the overflow area (`startAdvertising(_:)`).
    func payloads(isForeground: Bool) -> (data: AdvertisingData, scanResponse: AdvertisingData) {
        var data = AdvertisingData(flags: AdvertisingData.generalDiscoverable)
        var scanResponse = AdvertisingData()
        guard isForeground else {
            data.setOverflow(services)
            return (data, scanResponse)
        }
        var room = Self.room
        var overflow: [BluetoothUUID] = []
        for service in services {
            let isFirst = !data.services.contains { ($0.short == nil) == (service.short == nil) }
            let size = service.bytes.count + (isFirst ? Self.header : 0)
            guard size <= room else {
                overflow.append(service)
                continue
            }
            data.services.append(service)
            room -= size
        }
        if !overflow.isEmpty { scanResponse.setOverflow(overflow) }
        guard let name, !name.isEmpty else { return (data, scanResponse) }
        let shown = name.prefix(utf8: room - Self.header)
        if shown.isEmpty {
            let left = AdvertisingData.maximumLength - Self.header - scanResponse.overflowSize
            scanResponse.setName(name, length: min(Self.nameInScanResponse, left))
        } else {
            data.setName(name, length: room - Self.header)
        }
        return (data, scanResponse)
    }
}

extension AdvertisingData {
    fileprivate mutating func setName(_ name: String, length: Int) {
        let shown = name.prefix(utf8: length)
        localName = shown
        isNameShortened = shown != name
    }
}

extension String {
    /// The first characters, as many as fit into so many bytes.
    fileprivate func prefix(utf8 length: Int) -> String {
        var text = self
        while text.utf8.count > max(0, length) { text.removeLast() }
        return text
    }
}

// The overflow area: Apple's own data, with a bit for each service. Which bit a service has Apple does not say.
extension AdvertisingData {
    private static let apple: UInt16 = 0x004C
    private static let type: UInt8 = 0x01
    private static let bits: UInt64 = 128

    /// Whether the manufacturer's data is an overflow area.
    var isOverflow: Bool {
        guard let manufacturer, manufacturer.company == Self.apple else { return false }
        return manufacturer.data.first == Self.type
            && manufacturer.data.count == 1 + Int(Self.bits / 8)
    }

    /// Whether a service may be in the overflow area.
    func overflows(_ service: BluetoothUUID) -> Bool {
        guard let data = manufacturer?.data, isOverflow else { return false }
        let bit = Self.bit(of: service)
        return data[1 + bit / 8] >> UInt8(bit % 8) & 1 == 1
    }

    fileprivate mutating func setOverflow(_ services: [BluetoothUUID]) {
        guard !services.isEmpty else { return }
        var data = [Self.type] + [UInt8](repeating: 0, count: Int(Self.bits / 8))
        for service in services {
            let bit = Self.bit(of: service)
            data[1 + bit / 8] |= 1 << UInt8(bit % 8)
        }
        manufacturer = Manufacturer(company: Self.apple, data: data)
    }

    /// How many bytes the overflow area takes.
    fileprivate var overflowSize: Int { manufacturer.map { 4 + $0.data.count } ?? 0 }

    private static func bit(of service: BluetoothUUID) -> Int {
        Int(Keyed(UInt64(apple)).with(service.description).below(bits))
    }
}
