import Bluetooth

// How a request finds its answer (Core Specification Vol 3 Part F 3.4).
extension GATTServer {
    /// Answers a request; nil to a command.
    func answer(_ opcode: ATTOpcode, in bytes: ArraySlice<UInt8>, on connection: Connection)
        -> ATTPDU?
    {
        guard opcode.role == .command || connection.session.pending == nil else {
            connection.drop("a \(opcode.name) before the last request was answered")
            return nil
        }
        guard let pdu = try? ATTPDU(bytes) else {
            guard opcode.role == .request else { return nil }
            return .errorResponse(request: opcode.rawValue, handle: 0, .invalidPDU)
        }
        switch admit(pdu, of: connection) {
        case .taken: return response(to: pdu, on: connection)
        case .passedOver: return nil
        case .refused(let handle):
            return .errorResponse(request: opcode.rawValue, handle: handle, .databaseOutOfSync)
        }
    }

    /// What answers a request now; nil to a command, and where somebody else has to answer first.
    func response(to pdu: ATTPDU, on connection: Connection) -> ATTPDU? {
        let refused: RefusedRequest
        do throws(RefusedRequest) {
            let response = try answer(pdu, on: connection)
            if connection.session.pending != nil, pdu.opcode.role == .request {
                connection.session.pending = nil
            }
            return response
        } catch { refused = error }
        guard pdu.opcode.role == .request else { return nil }
        if let demand = refused.demand {
            ask(for: demand, of: pdu, on: connection)
            return nil
        }
        connection.session.pending = nil
        return .errorResponse(
            request: pdu.opcode.rawValue, handle: refused.handle, refused.code)
    }

    private func answer(
        _ pdu: ATTPDU, on connection: Connection
    ) throws(RefusedRequest) -> ATTPDU? {
        switch pdu {
        case .exchangeMTURequest(let mtu): exchangeMTU(mtu, for: connection)
        case .findInformationRequest(let range):
            try findInformation(in: range, for: connection)
        case .findByTypeValueRequest(let range, let type, let value):
            try findByTypeValue(
                in: range, type: BluetoothUUID(type), value: value, for: connection)
        case .readByTypeRequest(let range, let type):
            try readByType(type, in: range, for: connection)
        case .readByGroupTypeRequest(let range, let type):
            try readByGroupType(type, in: range, for: connection)
        case .readRequest(let handle): .readResponse(try read(handle, for: connection))
        case .readBlobRequest(let handle, let offset):
            .readBlobResponse(try readBlob(of: handle, from: Int(offset), for: connection))
        case .readMultipleRequest(let handles):
            .readMultipleResponse(try readMultiple(handles, for: connection))
        case .writeRequest(let handle, let value): try write(value, to: handle, for: connection)
        case .writeCommand(let handle, let value):
            try writeCommand(value, to: handle, for: connection)
        case .prepareWriteRequest(let handle, let offset, let value):
            try prepareWrite(of: value, to: handle, from: offset, for: connection)
        case .executeWriteRequest(let commit): try executeWrite(commit: commit, for: connection)
        case .errorResponse, .exchangeMTUResponse, .findInformationResponse,
            .findByTypeValueResponse, .readByTypeResponse, .readResponse, .readBlobResponse,
            .readMultipleResponse, .readByGroupTypeResponse, .writeResponse,
            .prepareWriteResponse, .executeWriteResponse, .notification, .indication,
            .confirmation:
            preconditionFailure("\(pdu.opcode.name) is no request")
        }
    }

    /// The response still has the old limit; it is short enough for any.
    private func exchangeMTU(_ client: UInt16, for connection: Connection) -> ATTPDU {
        let own = connection.host.limits.mtu
        connection.bearer.mtu = max(ATTPDU.defaultMTU, min(client, own))
        return .exchangeMTUResponse(own)
    }
}

// Reading and writing values.
extension GATTServer {
    /// The attribute of a handle that came from a peer.
    func attribute(_ handle: UInt16) throws(RefusedRequest) -> Attribute {
        guard exists(handle) else { throw RefusedRequest(.invalidHandle, at: handle) }
        return attributes[Int(handle) - 1]
    }

    /// Whether the owner of an attribute answers for it.
    func hasOwner(_ handle: UInt16) -> Bool {
        exists(handle) && attributes[Int(handle) - 1].onRequest != nil
    }

    private func exists(_ handle: UInt16) -> Bool {
        handle > 0 && handle <= attributes.count && attributes[Int(handle) - 1].kind != .removed
    }

    /// The whole value of an attribute, as this peer sees it; where it has an owner, what that gives from
    /// an offset on.
    func value(
        of handle: UInt16, from offset: Int = 0, for connection: Connection
    ) throws(RefusedRequest) -> [UInt8] {
        let attribute = try attribute(handle)
        do throws(ATTErrorCode) {
            try attribute.read.check(connection, forbidden: .readNotPermitted)
        } catch { throw RefusedRequest(error, at: handle) }
        if attribute.onRequest != nil {
            if let given = connection.session.pending?.values[handle] { return given }
            throw RefusedRequest(awaiting: .read(handle: handle, offset: offset), at: handle)
        }
        do throws(ATTErrorCode) {
            let value: [UInt8]
            switch attribute.kind {
            case .configuration:
                value = (connection.session.subscriptions[handle] ?? []).bytes
            case .service, .declaration, .value, .descriptor, .removed:
                value = try attribute.onRead?(connection) ?? attribute.value
            }
            guard value.count <= ATTPDU.maximumValueLength else { throw .unlikelyError }
            return value
        } catch { throw RefusedRequest(error, at: handle) }
    }

    private func read(
        _ handle: UInt16, for connection: Connection
    ) throws(RefusedRequest) -> [UInt8] {
        Array(try value(of: handle, for: connection).prefix(Int(connection.mtu) - 1))
    }

    private func readBlob(
        of handle: UInt16, from offset: Int, for connection: Connection
    ) throws(RefusedRequest) -> [UInt8] {
        let room = Int(connection.mtu) - 1
        let value = try value(of: handle, from: offset, for: connection)
        if hasOwner(handle) { return Array(value.prefix(room)) }
        if case .fixed(let length) = try attribute(handle).length, length <= room {
            throw RefusedRequest(.attributeNotLong, at: handle)
        }
        guard offset <= value.count else { throw RefusedRequest(.invalidOffset, at: handle) }
        return Array(value[offset...].prefix(room))
    }

    private func readMultiple(
        _ handles: [UInt16], for connection: Connection
    ) throws(RefusedRequest) -> [UInt8] {
        var values: [UInt8] = []
        for handle in handles { values += try value(of: handle, for: connection) }
        return Array(values.prefix(Int(connection.mtu) - 1))
    }

    private func write(
        _ value: [UInt8], to handle: UInt16, for connection: Connection
    ) throws(RefusedRequest) -> ATTPDU {
        try checkWrite(to: handle, for: connection) { $0.takesRequests }
        try store(value, at: handle, for: connection)
        return .writeResponse
    }

    /// A command that is refused is dropped.
    private func writeCommand(
        _ value: [UInt8], to handle: UInt16, for connection: Connection
    ) throws(RefusedRequest) -> ATTPDU? {
        try checkWrite(to: handle, for: connection) { $0.takesCommands }
        if let onRequest = attributes[Int(handle) - 1].onRequest {
            let part = ValuePart(handle: handle, offset: 0, value: value)
            onRequest(DeferredRequest(.write([part]), of: connection))
            return nil
        }
        try store(value, at: handle, for: connection)
        return nil
    }

    func checkWrite(
        to handle: UInt16, for connection: Connection, _ isPermitted: (Attribute) -> Bool
    ) throws(RefusedRequest) {
        let attribute = try attribute(handle)
        guard isPermitted(attribute) else { throw RefusedRequest(.writeNotPermitted, at: handle) }
        do throws(ATTErrorCode) {
            try attribute.write.check(connection, forbidden: .writeNotPermitted)
        } catch { throw RefusedRequest(error, at: handle) }
    }

    /// Stores a value that the peer may write, where its length fits and nobody objects.
    func store(
        _ value: [UInt8], at handle: UInt16, for connection: Connection
    ) throws(RefusedRequest) {
        let attribute = try attribute(handle)
        guard attribute.takes(length: value.count) else {
            throw RefusedRequest(.invalidAttributeValueLength, at: handle)
        }
        if attribute.onRequest != nil {
            guard connection.session.pending?.values[handle] == nil else { return }
            let part = ValuePart(handle: handle, offset: 0, value: value)
            throw RefusedRequest(awaiting: .write([part]), at: handle)
        }
        do throws(ATTErrorCode) {
            if case .configuration(let allowed) = attribute.kind {
                try configure(attribute, at: handle, to: value, allowing: allowed, for: connection)
            } else {
                try attribute.onWrite?(connection, value)
                attributes[Int(handle) - 1].value = value
            }
        } catch { throw RefusedRequest(error, at: handle) }
    }
}
