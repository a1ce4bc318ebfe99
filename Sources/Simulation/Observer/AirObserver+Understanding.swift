import AccessoryProtocol
import Bluetooth

// What a PDU means, found out once: when it is sent.
extension AirObserver {
    mutating func understand(
        _ frame: [UInt8], fromCentral: Bool, _ link: inout ObservedLink
    ) -> ObservedPDU {
        let bytes = frame[4...]
        guard Int(frame[0]) | Int(frame[1]) << 8 == bytes.count, let pdu = try? ATTPDU(bytes) else {
            return ObservedPDU(name: "malformed", length: bytes.count)
        }
        var observed = ObservedPDU(name: pdu.opcode.name, length: bytes.count)
        observed.handle = pdu.handle
        if fromCentral {
            fromClient(pdu, &observed, &link)
        } else {
            fromServer(pdu, &observed, &link)
        }
        return observed
    }

    // MARK: The central is the client

    private func fromClient(
        _ pdu: ATTPDU, _ observed: inout ObservedPDU, _ link: inout ObservedLink
    ) {
        let role = pdu.handle.map { self.role(of: $0, link) }
        observed.isUnresolved = pdu.opcode.role != .response && role == .some(nil)
        if let request = Self.request(pdu, role ?? nil) { link.request = request }
        switch pdu {
        case .writeRequest(_, let value), .writeCommand(_, let value):
            if role == .receive { observed.meanings = [Self.meaning(of: value, .toAccessory)] }
        case .prepareWriteRequest(let handle, let offset, let value):
            prepare(handle, Int(offset), value, &link)
        case .executeWriteRequest(let commit):
            if commit { observed.meanings = written(link) }
            link.writing = []
        default: break
        }
    }

    /// What has to be known of a request until its response; nil for what is no request.
    private static func request(
        _ pdu: ATTPDU, _ role: AttributeMap.Role?
    ) -> ObservedLink.Request? {
        switch pdu {
        case .exchangeMTURequest(let mtu): .exchangeMTU(mtu)
        case .readByTypeRequest(_, let type): .readByType(type)
        case .readByGroupTypeRequest(_, let type): .readByGroupType(type)
        case .findByTypeValueRequest(_, let type, _): .findByTypeValue(type)
        case .findInformationRequest: .findInformation
        case .readRequest(let handle): .read(handle)
        case .readBlobRequest(let handle, let offset): .readBlob(handle, offset: offset)
        case .writeRequest(_, let value): subscription(value, role) ?? .other
        default: pdu.opcode.role == .request ? .other : nil
        }
    }

    /// Notifications are bit 0 of a client configuration, indications bit 1 (Core Spec Vol 3 Part G
    /// 3.3.3.3).
    private static func subscription(
        _ value: [UInt8], _ role: AttributeMap.Role?
    ) -> ObservedLink.Request? {
        guard case .clientConfiguration(let characteristic)? = role, let first = value.first else {
            return nil
        }
        return .subscribe(characteristic: characteristic, on: first & 0x03 != 0)
    }

    private func prepare(
        _ handle: UInt16, _ offset: Int, _ value: [UInt8], _ link: inout ObservedLink
    ) {
        guard let index = link.writing.firstIndex(where: { $0.handle == handle }) else {
            link.writing.append(
                ObservedLink.Partial(handle: handle, bytes: value, isWhole: offset == 0))
            return
        }
        if offset != link.writing[index].bytes.count { link.writing[index].isWhole = false }
        link.writing[index].bytes += value
    }

    /// The messages that an execute request writes.
    private func written(_ link: ObservedLink) -> [ObservedPDU.Meaning] {
        var meanings: [ObservedPDU.Meaning] = []
        for partial in link.writing where role(of: partial.handle, link) == .receive {
            meanings.append(
                partial.isWhole
                    ? Self.meaning(of: partial.bytes, .toAccessory)
                    : .malformed("parts of a long write do not follow one another"))
        }
        return meanings
    }

    /// What the bytes of a message characteristic mean.
    private static func meaning(
        of bytes: [UInt8], _ direction: MessageID.Direction
    ) -> ObservedPDU.Meaning {
        do {
            let message = try Message(bytes)
            guard message.id.direction == direction || message.id.direction == .both else {
                let reader = direction == .toApp ? "app" : "accessory"
                return .malformed("\(message.id.name) is not for the \(reader)")
            }
            return .message(
                ObservedMessage(
                    name: message.id.name, length: bytes.count, payload: message.payload,
                    session: nil))
        } catch {
            return .malformed("\(error)")
        }
    }

    // MARK: The peripheral is the server

    private mutating func fromServer(
        _ pdu: ATTPDU, _ observed: inout ObservedPDU, _ link: inout ObservedLink
    ) {
        switch pdu {
        case .notification(let handle, let value), .indication(let handle, let value):
            let role = self.role(of: handle, link)
            observed.isUnresolved = role == nil
            if role == .transmit { observed.meanings = [Self.meaning(of: value, .toApp)] }
        default:
            guard pdu.opcode.role == .response, let request = link.request else { return }
            link.request = nil
            answered(request, pdu, &observed, &link)
        }
    }

    private mutating func answered(
        _ request: ObservedLink.Request, _ pdu: ATTPDU, _ observed: inout ObservedPDU,
        _ link: inout ObservedLink
    ) {
        switch (request, pdu) {
        case (.exchangeMTU(let client), .exchangeMTUResponse(let server)):
            link.mtu = max(ATTPDU.defaultMTU, min(client, server))
        case (.subscribe(let characteristic, let on), .writeResponse):
            observed.meanings = [.subscribed(characteristic: characteristic, on: on)]
        case (.read(let handle), .readResponse(let value)):
            link.reading = ObservedLink.Partial(handle: handle, bytes: value)
            observed.meanings = readOn(by: value.count, &link)
        case (.readBlob(let handle, let offset), .readBlobResponse(let value)):
            observed.meanings = readMore(handle, Int(offset), value, &link)
        case (.readBlob(let handle, _), .errorResponse):
            guard link.reading?.handle == handle else { return }
            observed.meanings = wholeValue(&link)
        case (.readByType(let type), .readByTypeResponse(let values)):
            observed.meanings = readByType(type, values, &link)
        default: learn(request, pdu, link)
        }
    }

    private func readMore(
        _ handle: UInt16, _ offset: Int, _ value: [UInt8], _ link: inout ObservedLink
    ) -> [ObservedPDU.Meaning] {
        guard link.reading?.handle == handle, link.reading?.bytes.count == offset else {
            link.reading = nil
            return []
        }
        link.reading?.bytes += value
        return readOn(by: value.count, &link)
    }

    /// A response shorter than the MTU allows is the last part of a value (Core Spec Vol 3 Part F
    /// 3.4.4.5); so is one that completes the value by its own account.
    private func readOn(by count: Int, _ link: inout ObservedLink) -> [ObservedPDU.Meaning] {
        guard let reading = link.reading,
            case .configuration(let kind)? = role(of: reading.handle, link)
        else {
            link.reading = nil
            return []
        }
        guard count < Int(link.mtu) - 1 || Self.isComplete(reading.bytes, kind) else { return [] }
        return wholeValue(&link)
    }

    private func wholeValue(_ link: inout ObservedLink) -> [ObservedPDU.Meaning] {
        guard let reading = link.reading,
            case .configuration(let kind)? = role(of: reading.handle, link)
        else { return [] }
        link.reading = nil
        return [.configuration(reading.bytes, characteristic: kind)]
    }

    private static func isComplete(_ bytes: [UInt8], _ kind: String) -> Bool {
        if kind == "multiple" { return (try? MultipleConfigurationData(bytes)) != nil }
        return (try? AccessoryConfigurationData(bytes)) != nil
    }

    // MARK: Discovery

    private mutating func readByType(
        _ type: BluetoothUUID, _ values: [ATTPDU.AttributeValue], _ link: inout ObservedLink
    ) -> [ObservedPDU.Meaning] {
        keep(link)
        for value in values {
            if type == .characteristic {
                maps[link.map].learnCharacteristic(declaredAt: value.handle, value.value)
            } else {
                maps[link.map].learn(value.handle, type)
            }
        }
        // One element takes at most the MTU less opcode, length and handle; a longer value is cut.
        guard case .configuration(let kind) = AttributeMap.role(ofType: type) else { return [] }
        return values.filter { $0.value.count < min(Int(link.mtu) - 4, 253) }.map {
            .configuration($0.value, characteristic: kind)
        }
    }

    private mutating func learn(
        _ request: ObservedLink.Request, _ pdu: ATTPDU, _ link: ObservedLink
    ) {
        switch (request, pdu) {
        case (.findInformation, .findInformationResponse(let attributes)):
            for attribute in attributes { maps[link.map].learn(attribute.handle, attribute.type) }
        case (.readByGroupType(let type), .readByGroupTypeResponse(let groups)):
            for group in groups { maps[link.map].learn(group.range.first, type) }
        case (.findByTypeValue(let type), .findByTypeValueResponse(let ranges)):
            for range in ranges { maps[link.map].learn(range.first, BluetoothUUID(type)) }
        default: return
        }
        keep(link)
    }

    private mutating func keep(_ link: ObservedLink) {
        keptPlaces["\(link.central) \(link.peripheral)"] = link.map
    }
}

extension Message {
    /// The payload that the trace shows, by the name of its field.
    fileprivate var payload: (name: String, bytes: [UInt8])? {
        switch self {
        case .accessoryConfigurationData(let data): ("configuration", data)
        case .configureAndStart(let data): ("shareable", data)
        default: nil
        }
    }
}

extension ATTPDU {
    /// The one handle a PDU is about; nil where there is none, or a range.
    fileprivate var handle: UInt16? {
        switch self {
        case .errorResponse(_, let handle, _), .readRequest(let handle),
            .readBlobRequest(let handle, _), .writeRequest(let handle, _),
            .writeCommand(let handle, _), .prepareWriteRequest(let handle, _, _),
            .prepareWriteResponse(let handle, _, _), .notification(let handle, _),
            .indication(let handle, _):
            handle
        default: nil
        }
    }
}
