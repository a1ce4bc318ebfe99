package import Bluetooth

// A database that changes while peers are connected (Core Specification Vol 3 Part G 2.5.2 and 7.1).
extension GATTServer {
    package var freeHandles: Int { 0xFFFF - attributes.count }

    /// Says that the service added last includes another one.
    package func addInclude(of service: Service, _ uuid: BluetoothUUID) {
        let end = groupEnd(of: service.handle)
        let handles = [service.handle, end].flatMap { [UInt8](littleEndian: $0) }
        // A UUID of 128 bits is not repeated there (Core Specification Vol 3 Part G 3.2).
        let value = handles + (uuid.short == nil ? [] : uuid.bytes)
        add(Attribute(.declaration, type: .include, value: value))
    }

    package func range(of service: Service) -> HandleRange {
        HandleRange(service.handle, groupEnd(of: service.handle))
    }

    /// Takes a service away; its handles are not given again.
    package func remove(_ service: Service) {
        let range = range(of: service)
        for handle in range.first...range.last {
            let type = attributes[Int(handle) - 1].type
            attributes[Int(handle) - 1] = Attribute(.removed, type: type, value: [])
        }
    }

    /// Indicates to a peer, where it has subscribed to that, which handles have changed.
    ///
    /// What changes before it has confirmed is indicated together.
    package func indicateChange(of range: HandleRange, to connection: Connection) {
        if caching != .none { connection.session.awareness = .unaware }
        guard let serviceChanged = characteristic(.serviceChanged),
            subscription(of: connection, to: serviceChanged).contains(.indications)
        else { return }
        let change = connection.session.change?.union(range) ?? range
        guard !connection.session.isChangeUnconfirmed else {
            connection.session.change = change
            return
        }
        connection.session.change = nil
        let value = [change.first, change.last].flatMap { [UInt8](littleEndian: $0) }
        connection.session.isChangeUnconfirmed = indicate(
            value, of: serviceChanged, to: connection
        ) { [weak self, weak connection] _ in
            guard let self, let connection, connection.isOpen else { return }
            connection.session.isChangeUnconfirmed = false
            becomeAware(connection)
            if let rest = connection.session.change { indicateChange(of: rest, to: connection) }
        }
    }
}

extension HandleRange {
    /// All handles from the first to the last of both.
    fileprivate func union(_ other: HandleRange) -> HandleRange {
        HandleRange(min(first, other.first), max(last, other.last))
    }
}
