import AccessoryProtocol
import Bluetooth
import DeviceLink

// What a PDU means, found out once: when it is sent.
extension AttributeMaps {
    mutating func understand(
        _ frame: [UInt8], fromCentral: Bool, on link: inout ObservedLink
    ) -> ObservedPDU {
        let bytes = frame[4...]
        guard Int(frame[0]) | Int(frame[1]) << 8 == bytes.count, let pdu = try? ATTPDU(bytes) else {
            return ObservedPDU(name: "malformed", length: bytes.count)
        }
        var observed = ObservedPDU(name: pdu.opcode.name, length: bytes.count)
        observed.handle = pdu.handle
        observed.mtu = link.mtu
        if fromCentral {
            fromClient(pdu, into: &observed, on: &link)
        } else {
            fromServer(pdu, into: &observed, on: &link)
        }
        return observed
    }

    // MARK: The central is the client

    private func fromClient(
        _ pdu: ATTPDU, into observed: inout ObservedPDU, on link: inout ObservedLink
    ) {
        let role = pdu.handle.map { self.role(of: $0, on: link) }
        observed.isUnresolved = pdu.opcode.role != .response && role == .some(nil)
        if let request = Self.request(pdu, to: role ?? nil) {
            link.request = request
            if let search = request.search { link.search(search) }
        }
        switch pdu {
        case .writeRequest(_, let value), .writeCommand(_, let value):
            if case .receive(let numbers)?? = role {
                observed.meanings = [
                    Self.meaning(of: value, .toAccessory, numbers, mtu: observed.mtu)
                ]
                observed.isRemembered =
                    observed.handle.flatMap { self[link.map].role(of: $0) } == nil
            }
        case .prepareWriteRequest(let handle, let offset, let value):
            prepare(handle, at: Int(offset), value: value, on: &link)
        case .executeWriteRequest(let commit):
            observed.mtu = nil
            if commit { observed.meanings = written(link) }
            link.writing = []
        default: break
        }
    }

    /// What has to be known of a request until its response; nil for what is no request.
    private static func request(
        _ pdu: ATTPDU, to role: AttributeMap.Role?
    ) -> ObservedLink.Request? {
        switch pdu {
        case .exchangeMTURequest(let mtu): .exchangeMTU(mtu)
        case .readByTypeRequest(let range, let type): .readByType(range, type)
        case .readByGroupTypeRequest(let range, let type): .readByGroupType(range, type)
        case .findByTypeValueRequest(_, let type, let value): .findByTypeValue(type, value: value)
        case .findInformationRequest(let range): .findInformation(range)
        case .readRequest(let handle): .read(handle)
        case .readBlobRequest(let handle, let offset): .readBlob(handle, offset: offset)
        case .readMultipleRequest(let handles): .readMultiple(handles)
        case .writeRequest(let handle, let value):
            subscription(handle, writing: value, to: role) ?? .write(handle)
        case .prepareWriteRequest(let handle, _, _): .write(handle)
        case .executeWriteRequest: .executeWrite
        case .errorResponse, .exchangeMTUResponse, .findInformationResponse,
            .findByTypeValueResponse, .readByTypeResponse, .readResponse, .readBlobResponse,
            .readMultipleResponse, .readByGroupTypeResponse, .writeResponse, .writeCommand,
            .prepareWriteResponse, .executeWriteResponse, .notification, .indication,
            .confirmation:
            nil
        }
    }

    /// Notifications are bit 0 of a client configuration, indications bit 1 (Core Spec Vol 3 Part G
    /// 3.3.3.3).
    private static func subscription(
        _ handle: UInt16, writing value: [UInt8], to role: AttributeMap.Role?
    ) -> ObservedLink.Request? {
        guard case .clientConfiguration(let characteristic)? = role, let first = value.first else {
            return nil
        }
        return .subscribe(handle, characteristic: characteristic, on: first & 0x03 != 0)
    }

    private func prepare(
        _ handle: UInt16, at offset: Int, value: [UInt8], on link: inout ObservedLink
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
        for partial in link.writing {
            guard case .receive(let numbers)? = role(of: partial.handle, on: link) else { continue }
            meanings.append(
                partial.isWhole
                    ? Self.meaning(of: partial.bytes, .toAccessory, numbers)
                    : .malformed("parts of a long write do not follow one another", id: nil))
        }
        return meanings
    }

    /// What the bytes of a message mean, which had to fit into a PDU as long as `mtu`.
    static func meaning(
        of bytes: [UInt8], _ direction: MessageID.Direction, _ numbers: MessageNumbers,
        mtu: UInt16? = nil
    ) -> ObservedPDU.Meaning {
        do {
            let message = try Message(bytes, by: numbers)
            guard message.id.direction == direction || message.id.direction == .both else {
                let reader = direction == .toApp ? "app" : "accessory"
                return .malformed("\(message.id.name) is not for the \(reader)", id: bytes.first)
            }
            return .message(
                ObservedMessage(
                    id: message.id, length: bytes.count, payload: message.payload,
                    session: nil))
        } catch .unknownMessage(let id) {
            // R4 3.2 leaves all messages but two to the manufacturer.
            return .other(id: id, bytes: Array(bytes.dropFirst()))
        } catch {
            return .malformed(error.words(mtu: mtu), id: bytes.first)
        }
    }

    // MARK: The peripheral is the server

    private mutating func fromServer(
        _ pdu: ATTPDU, into observed: inout ObservedPDU, on link: inout ObservedLink
    ) {
        switch pdu {
        case .notification(let handle, let value), .indication(let handle, let value):
            let role = self.role(of: handle, on: link)
            observed.isUnresolved = role == nil
            if case .transmit(let numbers)? = role {
                observed.meanings = [Self.meaning(of: value, .toApp, numbers, mtu: observed.mtu)]
            }
        default:
            guard pdu.opcode.role == .response, let request = link.request else { return }
            link.request = nil
            observed.meanings = answered(request, by: pdu, on: &link)
        }
    }

    private mutating func answered(
        _ request: ObservedLink.Request, by pdu: ATTPDU, on link: inout ObservedLink
    ) -> [ObservedPDU.Meaning] {
        switch (request, pdu) {
        case (.exchangeMTU(let client), .exchangeMTUResponse(let server)):
            link.mtu = max(ATTPDU.defaultMTU, min(client, server))
            return []
        case (.subscribe(_, let characteristic, let on), .writeResponse):
            let fields = [Field("characteristic", .text(characteristic)), Field("on", .flag(on))]
            return [.told(.gattSubscribed, fields)]
        case (.read(let handle), .readResponse(let value)):
            link.reading = ObservedLink.Partial(
                handle: handle, bytes: value, announcements: self[link.map].announcements)
            return readOn(by: value.count, on: &link)
        case (.readBlob(let handle, let offset), .readBlobResponse(let value)):
            return readMore(handle, at: Int(offset), value: value, on: &link)
        case (.readMultiple(let handles), .readMultipleResponse(let values)):
            return leaked(values, of: handles, on: &link)
        case (_, .errorResponse(_, let handle, let code)):
            return refused(request, at: handle, with: code, on: &link)
        case (.write(let handle), .writeResponse): return written(handle, on: link)
        default: return discovered(request, by: pdu, on: &link)
        }
    }
}

extension ProtocolError {
    /// What is wrong; of what ends too early also what the PDU had room for.
    func words(mtu: UInt16?) -> String {
        guard case .short = self, let mtu else { return description }
        return "\(self); the MTU of \(mtu) takes \(mtu - 3)"
    }
}

extension Message {
    /// The payload that the trace shows, by the name of its field.
    fileprivate var payload: (name: String, bytes: [UInt8])? {
        switch self {
        case .accessoryConfigurationData(let data): ("configuration", data)
        case .configureAndStart(let data): ("shareable", data)
        case .accessoryUwbDidStart, .accessoryUwbDidStop, .initialize, .stop, .getReserved,
            .setReserved, .iOSNotify:
            nil
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
        case .exchangeMTURequest, .exchangeMTUResponse, .findInformationRequest,
            .findInformationResponse, .findByTypeValueRequest, .findByTypeValueResponse,
            .readByTypeRequest, .readByTypeResponse, .readResponse, .readBlobResponse,
            .readMultipleRequest, .readMultipleResponse, .readByGroupTypeRequest,
            .readByGroupTypeResponse, .writeResponse, .executeWriteRequest, .executeWriteResponse,
            .confirmation:
            nil
        }
    }
}
