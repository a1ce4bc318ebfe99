/// What an advertisement or a scan response says (Core Specification Vol 3 Part C 11; Supplement
/// Part A 1).
package struct AdvertisingData: Equatable, Sendable {
    /// The Flags byte; `generalDiscoverable` for a usual peripheral.
    package var flags: UInt8?
    /// Service UUIDs; written as complete lists, those of 16 bits first.
    package var services: [BluetoothUUID]
    /// The local name, shortened or complete, in UTF-8.
    package var localName: String?
    /// Whether the name is only the beginning of one.
    package var isNameShortened = false
    /// Transmitted power in dBm.
    package var txPower: Int8?
    package var manufacturer: Manufacturer?
    package var serviceData: [ServiceData]

    package struct Manufacturer: Equatable, Sendable {
        package var company: UInt16
        /// The company's own bytes.
        package var data: [UInt8]

        package init(company: UInt16, data: [UInt8]) {
            self.company = company
            self.data = data
        }

        /// The company identifier, and the company's own bytes behind it.
        package var bytes: [UInt8] { [UInt8](littleEndian: company) + data }
    }

    package struct ServiceData: Equatable, Sendable {
        package var service: BluetoothUUID
        /// The bytes behind the UUID.
        package var data: [UInt8]

        package init(service: BluetoothUUID, data: [UInt8]) {
            self.service = service
            self.data = data
        }
    }

    package init(
        flags: UInt8? = nil, services: [BluetoothUUID] = [], localName: String? = nil,
        txPower: Int8? = nil, manufacturer: Manufacturer? = nil, serviceData: [ServiceData] = []
    ) {
        self.flags = flags
        self.services = services
        self.localName = localName
        self.txPower = txPower
        self.manufacturer = manufacturer
        self.serviceData = serviceData
    }

    /// LE General Discoverable Mode, BR/EDR not supported.
    package static let generalDiscoverable: UInt8 = 0x06
    /// The room in a legacy advertisement or scan response.
    package static let maximumLength = 31
}

extension AdvertisingData {
    /// The AD structures, one after the other.
    ///
    /// - Throws: `MalformedBytes` where they need more than 31 bytes.
    package func encoded() throws(MalformedBytes) -> [UInt8] {
        var bytes: [UInt8] = []
        if let flags { bytes.append(structure: 0x01, [flags]) }
        let short = services.filter { $0.short != nil }
        let long = services.filter { $0.short == nil }
        if !short.isEmpty { bytes.append(structure: 0x03, short.flatMap(\.bytes)) }
        if !long.isEmpty { bytes.append(structure: 0x07, long.flatMap(\.bytes)) }
        if let localName {
            bytes.append(structure: isNameShortened ? 0x08 : 0x09, Array(localName.utf8))
        }
        if let txPower { bytes.append(structure: 0x0A, [UInt8(bitPattern: txPower)]) }
        for element in serviceData {
            let type: UInt8 = element.service.short == nil ? 0x21 : 0x16
            bytes.append(structure: type, element.service.bytes + element.data)
        }
        if let manufacturer { bytes.append(structure: 0xFF, manufacturer.bytes) }
        guard bytes.count <= Self.maximumLength else {
            throw MalformedBytes(
                "advertising data", offset: Self.maximumLength, expected: "at most 31 bytes")
        }
        return bytes
    }

    /// Reads AD structures.
    ///
    /// Unknown types are ignored; a length of 0 ends the data early.
    ///
    /// - Throws: `MalformedBytes` where a structure is cut short or has the wrong length.
    package init(_ bytes: [UInt8]) throws(MalformedBytes) {
        self.init()
        var reader = ByteReader(bytes[...], kind: "advertising data")
        while reader.remaining > 0 {
            let length = Int(try reader.uint8("length"))
            if length == 0 { return }
            let complaint = reader.malformed("an AD structure that fits its type")
            let type = try reader.uint8("type")
            let data = try reader.take(length - 1, as: "data")
            guard take(data, ofType: type) else { throw complaint }
        }
    }

    /// What an advertisement and its scan response say together; `other` wins where both say it.
    package func merged(with other: AdvertisingData) -> AdvertisingData {
        var merged = AdvertisingData(
            flags: other.flags ?? flags,
            services: services + other.services.filter { !services.contains($0) },
            localName: other.localName ?? localName,
            txPower: other.txPower ?? txPower,
            manufacturer: other.manufacturer ?? manufacturer,
            serviceData: serviceData + other.serviceData.filter { !serviceData.contains($0) })
        merged.isNameShortened = other.localName == nil ? isNameShortened : other.isNameShortened
        return merged
    }

    /// Takes one AD structure; false where its length does not fit its type.
    private mutating func take(_ data: [UInt8], ofType type: UInt8) -> Bool {
        switch type {
        case 0x01: flags = data.first
        case 0x02, 0x03: return takeServices(data, length: 2)
        case 0x06, 0x07: return takeServices(data, length: 16)
        case 0x08, 0x09:
            localName = String(decoding: data, as: UTF8.self)
            isNameShortened = type == 0x08
        case 0x0A:
            guard data.count == 1 else { return false }
            txPower = Int8(bitPattern: data[0])
        case 0x16: return takeServiceData(data, length: 2)
        case 0x21: return takeServiceData(data, length: 16)
        case 0xFF:
            guard data.count >= 2 else { return false }
            let company = UInt16(data[0]) | UInt16(data[1]) << 8
            manufacturer = Manufacturer(company: company, data: Array(data[2...]))
        default: break
        }
        return true
    }

    private mutating func takeServices(_ data: [UInt8], length: Int) -> Bool {
        guard data.count.isMultiple(of: length) else { return false }
        for start in stride(from: 0, to: data.count, by: length) {
            guard let uuid = BluetoothUUID(littleEndian: data[start..<start + length]) else {
                return false
            }
            services.append(uuid)
        }
        return true
    }

    private mutating func takeServiceData(_ data: [UInt8], length: Int) -> Bool {
        guard data.count >= length, let uuid = BluetoothUUID(littleEndian: data[..<length]) else {
            return false
        }
        serviceData.append(ServiceData(service: uuid, data: Array(data[length...])))
        return true
    }
}

extension [UInt8] {
    fileprivate mutating func append(structure type: UInt8, _ data: [UInt8]) {
        append(UInt8(truncatingIfNeeded: data.count + 1))
        append(type)
        self += data
    }
}
