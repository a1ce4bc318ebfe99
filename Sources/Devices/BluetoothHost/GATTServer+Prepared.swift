import Bluetooth

// Prepared writes (Core Specification Vol 3 Part F 3.4.6): permission is checked when a part is
// prepared, offset and length when all of it is executed.
extension GATTServer {
    func prepareWrite(
        of value: [UInt8], to handle: UInt16, from offset: UInt16, for connection: Connection
    ) throws(RefusedRequest) -> ATTPDU {
        try checkWrite(to: handle, for: connection) { $0.takesRequests }
        let limits = connection.host.limits
        guard connection.session.prepared.count < limits.preparedWrites else {
            throw RefusedRequest(.prepareQueueFull, at: handle)
        }
        guard preparedBytes(on: connection.host) + value.count <= limits.preparedBytes else {
            throw RefusedRequest(.insufficientResources, at: handle)
        }
        connection.session.prepared.append(
            ValuePart(handle: handle, offset: Int(offset), value: value))
        return .prepareWriteResponse(handle, offset: offset, value)
    }

    /// Writes all values, or none where one part does not fit; the queue is empty afterwards.
    func executeWrite(
        commit: Bool, for connection: Connection
    ) throws(RefusedRequest) -> ATTPDU {
        let prepared = connection.session.prepared
        let owned = commit ? prepared.filter { hasOwner($0.handle) } : []
        // The parts are kept until the owner has taken its own.
        if let first = owned.first, connection.session.pending?.values[first.handle] == nil {
            throw RefusedRequest(awaiting: .write(owned), at: first.handle)
        }
        connection.session.prepared = []
        guard commit else { return .executeWriteResponse }
        let values = try assemble(prepared.filter { !hasOwner($0.handle) })
        for (handle, value) in values { try store(value, at: handle, for: connection) }
        return .executeWriteResponse
    }

    /// The values, in the order in which their first parts were prepared.
    private func assemble(
        _ parts: [ValuePart]
    ) throws(RefusedRequest) -> [(handle: UInt16, value: [UInt8])] {
        var values: [(handle: UInt16, value: [UInt8])] = []
        for part in parts {
            let index = values.firstIndex { $0.handle == part.handle } ?? values.count
            if index == values.count { values.append((part.handle, [])) }
            guard part.offset <= values[index].value.count else {
                throw RefusedRequest(.invalidOffset, at: part.handle)
            }
            values[index].value.removeSubrange(
                part.offset..<min(part.offset + part.value.count, values[index].value.count))
            values[index].value.insert(contentsOf: part.value, at: part.offset)
        }
        for (handle, value) in values where !(try attribute(handle)).takes(length: value.count) {
            throw RefusedRequest(.invalidAttributeValueLength, at: handle)
        }
        return values
    }

    private func preparedBytes(on host: Host) -> Int {
        host.connections.reduce(0) { sum, connection in
            connection.session.prepared.reduce(sum) { $0 + $1.value.count }
        }
    }
}
