internal import Bluetooth
internal import DeviceLink

// Discovery: what is learnt of handles, and what it shows the client.
extension AttributeMaps {
    mutating func discovered(
        _ request: ObservedLink.Request, by pdu: ATTPDU, on link: ObservedLink
    ) -> [ObservedPDU.Meaning] {
        let meanings: [ObservedPDU.Meaning]
        switch (request, pdu) {
        case (.readByGroupType(let type), .readByGroupTypeResponse(let groups)):
            meanings = groups.flatMap {
                service(
                    BluetoothUUID(littleEndian: $0.value), at: $0.range, declaredAs: type, on: link)
            }
        case (.findByTypeValue(let type, let value), .findByTypeValueResponse(let ranges)):
            meanings = ranges.flatMap {
                service(
                    BluetoothUUID(littleEndian: value), at: $0, declaredAs: BluetoothUUID(type),
                    on: link)
            }
        case (.readByType(let range, .characteristic), .readByTypeResponse(let values)):
            meanings = characteristics(values, from: range.first, on: link)
        case (.readByType(_, let type), .readByTypeResponse(let values)):
            meanings = read(values, of: type, on: link)
        case (.findInformation, .findInformationResponse(let attributes)):
            meanings = self.attributes(attributes, on: link)
        default: return []
        }
        keep(link)
        return meanings
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
                        Field("service", text: service),
                    ]))
        }
        guard let last = values.last else { return meanings }
        return meanings + searched(HandleRange(first, last.handle), on: link)
    }

    /// All characteristics in a range are known: those of the services that end in it.
    func searched(_ range: HandleRange, on link: ObservedLink) -> [ObservedPDU.Meaning] {
        self[link.map].services(endingIn: range).map { name in
            let single = self[link.map].census(of: .configuration("single"), in: name)
            let multiple = self[link.map].census(of: .configuration("multiple"), in: name)
            return .told(
                .gattDiscovered,
                [
                    Field("service", .text(name)), Field("singles", number: single.all),
                    Field("bare-singles", number: single.bare),
                    Field("multiples", number: multiple.all),
                    Field("bare-multiples", number: multiple.bare),
                ])
        }
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
        _ values: [ATTPDU.AttributeValue], of type: BluetoothUUID, on link: ObservedLink
    ) -> [ObservedPDU.Meaning] {
        for value in values { self[link.map].learnRead(value.handle, as: type) }
        // One element takes at most the MTU less opcode, length and handle; a longer value is cut.
        let whole = values.filter { $0.value.count < min(Int(link.mtu) - 4, 253) }
        return whole.flatMap { shown($0.value, of: $0.handle, on: link) }
    }
}
