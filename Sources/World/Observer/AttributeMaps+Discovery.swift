import Bluetooth
import DeviceLink

// Discovery: what is learnt of handles, and what it shows the client.
extension AttributeMaps {
    mutating func discovered(
        _ request: ObservedLink.Request, by pdu: ATTPDU, on link: inout ObservedLink
    ) -> [ObservedPDU.Meaning] {
        var meanings: [ObservedPDU.Meaning]
        switch (request, pdu) {
        case (.readByGroupType(_, let type), .readByGroupTypeResponse(let groups)):
            meanings = []
            for group in groups {
                meanings += service(
                    BluetoothUUID(littleEndian: group.value), at: group.range, declaredAs: type,
                    on: link)
            }
            if groups.last?.range.last == HandleRange.all.last {
                meanings += sought(type, on: link)
            }
        case (.findByTypeValue(let type, let value), .findByTypeValueResponse(let ranges)):
            meanings = []
            for range in ranges {
                meanings += service(
                    BluetoothUUID(littleEndian: value), at: range, declaredAs: BluetoothUUID(type),
                    on: link)
            }
        case (.readByType(let range, .characteristic), .readByTypeResponse(let values)):
            meanings = characteristics(values, from: range.first, on: link)
        case (.readByType(_, let type), .readByTypeResponse(let values)):
            meanings = read(values, of: type, on: &link)
        case (.findInformation(let range), .findInformationResponse(let attributes)):
            meanings = self.attributes(attributes, on: link)
            if attributes.last?.handle == range.last { meanings += described(on: link) }
        default: return []
        }
        keep(link)
        return meanings
    }

    /// A search for services of a kind has ended.
    func sought(_ type: BluetoothUUID, on link: ObservedLink) -> [ObservedPDU.Meaning] {
        guard link.searching?.range == .all, type == .primaryService || type == .secondaryService
        else {
            return []
        }
        return [.told(.gattSearched, [Field("primary", .flag(type == .primaryService))])]
    }

    /// A search for descriptors has ended.
    func described(on link: ObservedLink, isBare: Bool = false) -> [ObservedPDU.Meaning] {
        guard let range = link.searching?.range else { return [] }
        return self[link.map].described(in: range, isBare: isBare).map { description in
            .told(
                .gattDescribed,
                [
                    Field("characteristic", .text(description.characteristic)),
                    Field("value-handle", number: description.value),
                    Field("siblings", number: description.siblings),
                    Field("user-descriptions", number: description.texts),
                ])
        }
    }

    private mutating func service(
        _ uuid: BluetoothUUID?, at range: HandleRange, declaredAs type: BluetoothUUID,
        on link: ObservedLink
    ) -> [ObservedPDU.Meaning] {
        self[link.map].learn(range.first, as: type)
        guard let uuid, type == .primaryService || type == .secondaryService else { return [] }
        let name = self[link.map].learnService(uuid, at: range)
        return [
            .told(
                .gattService,
                [
                    Field("handle", number: range.first), Field("service", .text(name)),
                    Field("primary", .flag(type == .primaryService)),
                ])
        ]
    }

    private mutating func characteristics(
        _ values: [ATTPDU.AttributeValue], from first: UInt16, on link: ObservedLink
    ) -> [ObservedPDU.Meaning] {
        var meanings: [ObservedPDU.Meaning] = []
        for value in values {
            let learnt = self[link.map].learnCharacteristic(
                declaredAt: value.handle, value.value)
            guard let learnt else { continue }
            let service = lookUp(on: link) { $0.service(around: value.handle) }
            meanings.append(
                .told(
                    .gattCharacteristic,
                    [
                        Field("handle", number: learnt.value),
                        Field("characteristic", .text(learnt.name)),
                        Field("properties", number: learnt.properties),
                        Field("read", .flag(learnt.properties & 0x02 != 0)),
                        Field("beyond-read", number: learnt.properties & ~0x02),
                        Field("service", text: service),
                    ] + (learnt.misspelt.map { [Field("misspells", .text($0))] } ?? [])))
        }
        guard let last = values.last else { return meanings }
        return meanings + searched(HandleRange(first, last.handle), on: link)
    }

    /// All characteristics in a range are known: those of the services that end in it.
    func searched(_ range: HandleRange, on link: ObservedLink) -> [ObservedPDU.Meaning] {
        let services = self[link.map].services(endingIn: range)
        if services.isEmpty { return [] }
        return services.map { name in
            .told(
                .gattDiscovered,
                [
                    Field("service", .text(name)),
                    Field("singles", number: count(of: "single", in: name, on: link)),
                    Field("multiples", number: count(of: "multiple", in: name, on: link)),
                ])
        } + described(on: link, isBare: true)
    }

    private func count(of kind: String, in service: String, on link: ObservedLink) -> Int {
        self[link.map].values(of: .configuration(kind), in: service).count
    }

    private mutating func attributes(
        _ attributes: [ATTPDU.AttributeInformation], on link: ObservedLink
    ) -> [ObservedPDU.Meaning] {
        for attribute in attributes { self[link.map].learn(attribute.handle, as: attribute.type) }
        return attributes.flatMap { descriptor($0.handle, on: link) }
    }

    private func descriptor(_ handle: UInt16, on link: ObservedLink) -> [ObservedPDU.Meaning] {
        guard let place = lookUp(on: link, { $0.place(of: handle) }), let name = place.descriptor
        else {
            return []
        }
        return [
            .told(
                .gattDescriptor,
                [
                    Field("handle", number: handle), Field("descriptor", .text(name)),
                    Field("characteristic", text: place.characteristic),
                    Field("value-handle", number: place.value),
                ])
        ]
    }

    /// Values that were read by their type.
    private mutating func read(
        _ values: [ATTPDU.AttributeValue], of type: BluetoothUUID, on link: inout ObservedLink
    ) -> [ObservedPDU.Meaning] {
        for value in values { self[link.map].learnRead(value.handle, as: type) }
        // One element takes at most the MTU less opcode, length and handle; a longer value is cut.
        let whole = values.filter { $0.value.count < min(Int(link.mtu) - 4, 253) }
        var meanings: [ObservedPDU.Meaning] = []
        for value in whole {
            meanings += shown(value.value, of: value.handle, on: &link)
        }
        return meanings
    }
}
