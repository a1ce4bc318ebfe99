import AccessoryProtocol
import Bluetooth

/// What an accessory's attribute handles stand for, as far as discovery on the air has shown.
struct AttributeMap: Sendable {
    /// What a handle means to the observer.
    enum Role: Equatable, Sendable {
        /// The app writes messages here; each begins with its number.
        case receive(MessageNumbers)
        /// The accessory notifies messages here; each begins with its number.
        case transmit(MessageNumbers)
        /// A value of the Nearby Interaction Service: `single` or `multiple`.
        case configuration(String)
        /// The client configuration of a characteristic: its name in the trace.
        case clientConfiguration(of: String)
        /// What a characteristic says of itself to people.
        case userDescription
        /// Something known that does not matter.
        case other
    }

    /// Where in the order of handles an attribute stands.
    struct Place: Sendable {
        /// The name of the characteristic whose value or descriptor it is.
        var characteristic: String?
        /// The handle of that characteristic's value.
        var value: UInt16?
        /// The name of the descriptor, where it is one.
        var descriptor: String?
    }

    /// A characteristic as it was declared.
    struct Characteristic {
        let name: String
        let value: UInt16
        let properties: UInt8
        /// The kind of configuration data whose UUID this one's misspells, `single` or `multiple`.
        let misspelt: String?
    }

    private struct Service {
        let name: String
        let range: HandleRange
    }

    /// Whether the accessory sends configuration data only when it is asked; nil as long as nobody knows.
    var asksFirst: Bool?
    /// Services for messages besides those that everybody knows.
    private let ownServices: [MessageService]
    /// The type of each known attribute; looked up only.
    private var types: [UInt16: BluetoothUUID] = [:]
    /// The handles of characteristic values, ascending.
    private var values: [UInt16] = []
    /// In the order of their handles.
    private var services: [Service] = []
    /// How much configuration data the accessory has sent, on all links.
    var announcements = 0
    /// The links whose phone has configuration data of a session that nobody has ended.
    var openLinks: [Int] = []

    /// A map of an accessory of which nothing is known but these services.
    init(services: [MessageService] = []) { ownServices = services }

    /// What a handle stands for; nil where its discovery was never seen.
    func role(of handle: UInt16) -> Role? {
        guard let type = types[handle] else { return nil }
        guard type == .clientConfiguration else { return role(of: type) ?? .other }
        return place(of: handle)?.characteristic.map { Role.clientConfiguration(of: $0) }
    }

    /// Where an attribute stands; nil for what was never discovered, and for declarations.
    ///
    /// A descriptor belongs to the characteristic whose value precedes it (Core Spec Vol 3 Part G
    /// 3.3).
    func place(of handle: UInt16) -> Place? {
        guard let type = types[handle], !type.isDeclaration else { return nil }
        if values.contains(handle) {
            return Place(characteristic: name(ofCharacteristic: type), value: handle)
        }
        let value = values.last { $0 < handle }
        let characteristic = value.flatMap { types[$0] }
        return Place(
            characteristic: characteristic.map { name(ofCharacteristic: $0) }, value: value,
            descriptor: Self.descriptorNames[type] ?? type.description)
    }

    /// The name of the service that a handle belongs to; nil where it was never discovered.
    func service(around handle: UInt16) -> String? {
        services.last { $0.range.contains(handle) }?.name
    }

    func values(of role: Role, in service: String) -> [UInt16] {
        guard let range = services.last(where: { $0.name == service })?.range else { return [] }
        return values.filter { value in
            range.contains(value) && types[value].flatMap { self.role(of: $0) } == role
        }
    }

    /// The values of Single or of Multiple Configuration Data in the Nearby Interaction Service.
    func configurations(of kind: String) -> [UInt16] {
        values(of: .configuration(kind), in: Self.nearbyInteraction)
    }

    /// The last handle where a characteristic may have a descriptor: the next declaration, or the end of
    /// the service, follows it.
    func end(ofValue value: UInt16) -> UInt16 {
        let last = services.last { $0.range.contains(value) }?.range.last ?? value
        let next = types.keys.filter { $0 > value && types[$0] == .characteristic }.min()
        return min(last, next.map { $0 - 1 } ?? last)
    }

    /// The values of the Nearby Interaction Service's characteristics whose descriptors have all been
    /// shown by a search through a range, or that have room for none where `isBare`.
    func described(in range: HandleRange, isBare: Bool) -> [Description] {
        ["single", "multiple"].flatMap { kind in
            let values = values(of: .configuration(kind), in: Self.nearbyInteraction)
            return values.compactMap { value -> Description? in
                let end = end(ofValue: value)
                let isSearched =
                    isBare
                    ? end == value && range.contains(value)
                    : end > value && range.first <= value + 1 && end <= range.last
                guard isSearched else { return nil }
                let texts = (value...end).count { types[$0] == .userDescription }
                return Description(
                    characteristic: kind, value: value, siblings: values.count, texts: texts)
            }
        }
    }

    struct Description {
        let characteristic: String
        let value: UInt16
        /// How many characteristics of its kind there are, itself included.
        let siblings: Int
        /// How many user descriptions it has.
        let texts: Int
    }

    /// The names of the services whose last handle lies in a range.
    func services(endingIn range: HandleRange) -> [String] {
        services.filter { range.contains($0.range.last) }.map(\.name)
    }
}

// What discovery shows.
extension AttributeMap {
    /// An attribute was discovered; what follows a declaration is the characteristic's value (Core
    /// Spec Vol 3 Part G 3.3).
    mutating func learn(_ handle: UInt16, as type: BluetoothUUID) {
        types[handle] = type
        if !type.isDeclaration, types[handle &- 1] == .characteristic { learnValue(handle) }
    }

    /// A value was read by its type: that of a characteristic, unless descriptors have that type.
    mutating func learnRead(_ handle: UInt16, as type: BluetoothUUID) {
        types[handle] = type
        if !type.isDeclaration, !type.isDescriptor { learnValue(handle) }
    }

    /// A service was discovered; gives its name in the trace.
    mutating func learnService(_ type: BluetoothUUID, at range: HandleRange) -> String {
        let name = Self.serviceNames[type] ?? type.description
        services.removeAll { $0.range.first == range.first }
        let index = services.firstIndex { $0.range.first > range.first } ?? services.endIndex
        services.insert(Service(name: name, range: range), at: index)
        return name
    }

    /// A characteristic declaration was read: properties, value handle, UUID (Core Spec Vol 3 Part G
    /// 3.3.1); nil where it says none of this.
    mutating func learnCharacteristic(
        declaredAt handle: UInt16, _ declaration: [UInt8]
    ) -> Characteristic? {
        types[handle] = .characteristic
        guard declaration.count >= 5,
            let type = BluetoothUUID(littleEndian: declaration[3...])
        else { return nil }
        let value = UInt16(declaration[1]) | UInt16(declaration[2]) << 8
        types[value] = type
        learnValue(value)
        return Characteristic(
            name: name(ofCharacteristic: type), value: value, properties: declaration[0],
            misspelt: misspelt(type))
    }

    /// The kind of configuration data whose UUID a characteristic misspells: its bytes in the other sequence, or all but
    /// three of them in their places; nil where it is another's, or nobody's.
    private func misspelt(_ type: BluetoothUUID) -> String? {
        guard role(of: type) == nil, type.short == nil else { return nil }
        let bytes = type.longBytes
        return Self.roles.lazy.compactMap { known in
            guard case .configuration(let kind) = known.role else { return nil }
            let right = known.type.longBytes
            let wrong = zip(bytes, right).count { $0 != $1 }
            return wrong <= 3 || bytes == right.reversed() ? kind : nil
        }.first
    }

    private mutating func learnValue(_ handle: UInt16) {
        guard !values.contains(handle) else { return }
        values.insert(handle, at: values.firstIndex { $0 > handle } ?? values.endIndex)
    }
}

// What types mean, and what they are called.
extension AttributeMap {
    /// So few are compared one by one.
    private static let roles: [(type: BluetoothUUID, role: Role)] = [
        (QorvoService.receive, .receive(.sample)), (QorvoService.transmit, .transmit(.sample)),
        (NordicUARTService.receive, .receive(.sample)),
        (NordicUARTService.transmit, .transmit(.sample)),
        (NearbyInteractionService.singleConfigurationData, .configuration("single")),
        (NearbyInteractionService.multipleConfigurationData, .configuration("multiple")),
        (.userDescription, .userDescription),
    ]

    private func role(of type: BluetoothUUID) -> Role? {
        // A manufacturer may have other numbers in a service that everybody knows.
        for service in ownServices {
            if service.receive == type { return .receive(service.numbers) }
            if service.transmit == type { return .transmit(service.numbers) }
        }
        let roles = Self.roles
        for place in roles.indices where roles[place].type == type { return roles[place].role }
        return nil
    }

    private static let nearbyInteraction = "nearby-interaction"

    private static let serviceNames: [BluetoothUUID: String] = [
        NearbyInteractionService.service: nearbyInteraction,
        QorvoService.service: "qnis", NordicUARTService.service: "nus",
    ]

    private static let descriptorNames: [BluetoothUUID: String] = [
        .userDescription: "user-description", .clientConfiguration: "client-configuration",
    ]

    private func name(ofCharacteristic type: BluetoothUUID) -> String {
        switch role(of: type) {
        case .receive?: "rx"
        case .transmit?: "tx"
        case .configuration(let kind)?: kind
        case .clientConfiguration, .userDescription, .other, nil: type.description
        }
    }
}

extension BluetoothUUID {
    /// Whether it marks the declaration of a service, an inclusion or a characteristic.
    var isDeclaration: Bool { short.map { (0x2800...0x2803).contains($0) } ?? false }

    /// Whether it is one of the assigned numbers of descriptors.
    fileprivate var isDescriptor: Bool { short.map { (0x2900...0x29FF).contains($0) } ?? false }
}
