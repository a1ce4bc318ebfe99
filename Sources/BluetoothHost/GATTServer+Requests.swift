import Bluetooth
import DeviceKit

// How a request finds its answer (Core Specification Vol 3 Part F 3.4).
extension GATTServer {
    /// Answers a request; nil to a command.
    func answer(_ opcode: ATTOpcode, _ bytes: ArraySlice<UInt8>, on connection: Connection)
        -> ATTPDU?
    {
        let refused: RefusedRequest
        do throws(RefusedRequest) {
            guard let pdu = try? ATTPDU(bytes) else { throw RefusedRequest(0, .invalidPDU) }
            return try answer(pdu, on: connection)
        } catch { refused = error }
        guard opcode.role == .request else { return nil }
        return .errorResponse(
            request: opcode.rawValue, handle: refused.handle, refused.code)
    }

    private func answer(
        _ pdu: ATTPDU, on connection: Connection
    ) throws(RefusedRequest) -> ATTPDU? {
        switch pdu {
        case .exchangeMTURequest(let mtu): exchangeMTU(mtu, connection)
        case .findInformationRequest(let range):
            try findInformation(range, connection)
        case .findByTypeValueRequest(let range, let type, let value):
            try findByTypeValue(range, BluetoothUUID(type), value, connection)
        case .readByTypeRequest(let range, let type): try readByType(range, type, connection)
        case .readByGroupTypeRequest(let range, let type):
            try readByGroupType(range, type, connection)
        case .readRequest(let handle): .readResponse(try read(handle, connection))
        case .readBlobRequest(let handle, let offset):
            .readBlobResponse(try readBlob(handle, Int(offset), connection))
        case .readMultipleRequest(let handles):
            .readMultipleResponse(try readMultiple(handles, connection))
        case .writeRequest(let handle, let value): try write(value, handle, connection)
        case .writeCommand(let handle, let value): try writeCommand(value, handle, connection)
        case .prepareWriteRequest(let handle, let offset, let value):
            try prepareWrite(handle, offset, value, connection)
        case .executeWriteRequest(let commit): try executeWrite(commit, connection)
        case .errorResponse, .exchangeMTUResponse, .findInformationResponse,
            .findByTypeValueResponse, .readByTypeResponse, .readResponse, .readBlobResponse,
            .readMultipleResponse, .readByGroupTypeResponse, .writeResponse,
            .prepareWriteResponse, .executeWriteResponse, .notification, .indication,
            .confirmation:
            preconditionFailure("\(pdu.opcode.name) is no request")
        }
    }

    /// The response still has the old limit; it is short enough for any.
    private func exchangeMTU(_ client: UInt16, _ connection: Connection) -> ATTPDU {
        let own = connection.host.limits.mtu
        connection.bearer.mtu = max(ATTPDU.defaultMTU, min(client, own))
        return .exchangeMTUResponse(own)
    }
}

// Reading and writing values.
extension GATTServer {
    /// The attribute of a handle that came from a peer.
    func attribute(_ handle: UInt16) throws(RefusedRequest) -> Attribute {
        guard handle > 0, handle <= attributes.count else {
            throw RefusedRequest(handle, .invalidHandle)
        }
        return attributes[Int(handle) - 1]
    }

    /// The whole value of an attribute, as this peer sees it.
    func value(
        _ handle: UInt16, _ connection: Connection
    ) throws(RefusedRequest) -> [UInt8] {
        let attribute = try attribute(handle)
        do throws(ATTErrorCode) {
            try attribute.read.check(connection, forbidden: .readNotPermitted)
            let value: [UInt8]
            switch attribute.kind {
            case .configuration:
                value = (connection.session.subscriptions[handle] ?? []).bytes
            case .service, .declaration, .value, .descriptor:
                value = try attribute.onRead?(connection) ?? attribute.value
            }
            guard value.count <= ATTPDU.maximumValueLength else { throw .unlikelyError }
            return value
        } catch { throw RefusedRequest(handle, error) }
    }

    private func read(
        _ handle: UInt16, _ connection: Connection
    ) throws(RefusedRequest) -> [UInt8] {
        Array(try value(handle, connection).prefix(Int(connection.mtu) - 1))
    }

    private func readBlob(
        _ handle: UInt16, _ offset: Int, _ connection: Connection
    ) throws(RefusedRequest) -> [UInt8] {
        let room = Int(connection.mtu) - 1
        let value = try value(handle, connection)
        if case .fixed(let length) = try attribute(handle).length, length <= room {
            throw RefusedRequest(handle, .attributeNotLong)
        }
        guard offset <= value.count else { throw RefusedRequest(handle, .invalidOffset) }
        return Array(value[offset...].prefix(room))
    }

    private func readMultiple(
        _ handles: [UInt16], _ connection: Connection
    ) throws(RefusedRequest) -> [UInt8] {
        var values: [UInt8] = []
        for handle in handles { values += try value(handle, connection) }
        return Array(values.prefix(Int(connection.mtu) - 1))
    }

    private func write(
        _ value: [UInt8], _ handle: UInt16, _ connection: Connection
    ) throws(RefusedRequest) -> ATTPDU {
        try checkWrite(handle, connection) { $0.takesRequests }
        try store(value, handle, connection)
        return .writeResponse
    }

    /// A command that is refused is passed over.
    private func writeCommand(
        _ value: [UInt8], _ handle: UInt16, _ connection: Connection
    ) throws(RefusedRequest) -> ATTPDU? {
        try checkWrite(handle, connection) { $0.takesCommands }
        try store(value, handle, connection)
        return nil
    }

    func checkWrite(
        _ handle: UInt16, _ connection: Connection, _ isPermitted: (Attribute) -> Bool
    ) throws(RefusedRequest) {
        let attribute = try attribute(handle)
        guard isPermitted(attribute) else { throw RefusedRequest(handle, .writeNotPermitted) }
        do throws(ATTErrorCode) {
            try attribute.write.check(connection, forbidden: .writeNotPermitted)
        } catch { throw RefusedRequest(handle, error) }
    }

    /// Stores a value that the peer may write, where its length fits and nobody objects.
    func store(
        _ value: [UInt8], _ handle: UInt16, _ connection: Connection
    ) throws(RefusedRequest) {
        let attribute = try attribute(handle)
        guard attribute.takes(length: value.count) else {
            throw RefusedRequest(handle, .invalidAttributeValueLength)
        }
        do throws(ATTErrorCode) {
            if case .configuration(let allowed) = attribute.kind {
                try configure(attribute, handle, value, allowed, connection)
            } else {
                try attribute.onWrite?(connection, value)
                attributes[Int(handle) - 1].value = value
            }
        } catch { throw RefusedRequest(handle, error) }
    }
}
