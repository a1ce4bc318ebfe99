import Bluetooth

// Notifications and indications, and who wants them (Core Specification Vol 3 Part G 3.3.3.3, 4.10
// and 4.11).
extension GATTServer {
    package func subscription(
        of connection: Connection, to characteristic: Characteristic
    ) -> Subscription {
        characteristic.configuration.flatMap { connection.session.subscriptions[$0] } ?? []
    }

    /// Whether a peer has subscribed to notifications.
    package func isSubscribed(_ connection: Connection, to characteristic: Characteristic) -> Bool {
        subscription(of: connection, to: characteristic).contains(.notifications)
    }

    /// Notifies a peer.
    ///
    /// A value longer than `connection.maximumValueLength` is cut, as the specification has it (Core
    /// Specification Vol 3 Part F 3.4.7.1).
    ///
    /// - Returns: False, and nothing is sent, where the peer has not subscribed, the connection has
    ///   ended or the queue is full (`isReadyToSendOn` follows then).
    package func notify(
        _ value: [UInt8], of characteristic: Characteristic, to connection: Connection
    ) -> Bool {
        guard isSubscribed(connection, to: characteristic) else { return false }
        let part = Array(value.prefix(connection.maximumValueLength))
        return connection.bearer.sendUnanswered(.notification(characteristic.value, part))
    }

    /// Indicates a value to a peer, after those indicated before it; completes when the peer has
    /// confirmed.
    ///
    /// - Returns: False, and `completion` is not called, where the peer has not subscribed, the
    ///   connection has ended or the queue is full (`isReadyToSendOn` follows then).
    package func indicate(
        _ value: [UInt8], of characteristic: Characteristic, to connection: Connection,
        completion: @escaping Completion<Void> = { _ in }
    ) -> Bool {
        let subscription = subscription(of: connection, to: characteristic)
        guard subscription.contains(.indications) else { return false }
        let part = Array(value.prefix(connection.maximumValueLength))
        return connection.bearer.indicate(.indication(characteristic.value, part)) {
            completion($0.map { _ in })
        }
    }

    /// Whether one more notification or indication would be taken now; where not, `isReadyToSendOn` follows.
    package func hasRoom(for connection: Connection) -> Bool { connection.bearer.takesOneMore() }

    /// Notifies a peer that has subscribed to that, else indicates.
    package func update(
        _ value: [UInt8], of characteristic: Characteristic, to connection: Connection
    ) {
        if isSubscribed(connection, to: characteristic) {
            _ = notify(value, of: characteristic, to: connection)
        } else {
            _ = indicate(value, of: characteristic, to: connection)
        }
    }

    /// A peer writes a client configuration descriptor.
    func configure(
        _ attribute: Attribute, at handle: UInt16, to value: [UInt8],
        allowing allowed: Subscription, for connection: Connection
    ) throws(ATTErrorCode) {
        let subscription = Subscription(rawValue: UInt16(value[0]) | UInt16(value[1]) << 8)
        guard allowed.isSuperset(of: subscription) else { throw .valueNotAllowed }
        connection.session.subscriptions[handle] = subscription
        keepSubscriptions(of: connection)
        attribute.onSubscribe?(connection, subscription)
    }

    /// The link of a bonded peer is encrypted: what it had subscribed to holds again, but for what it
    /// has written in this connection already.
    func restoreSubscriptions(of connection: Connection) {
        guard connection.isBonded else { return }
        for (handle, subscription) in connection.host.bonds[subscriptions: connection.identity] {
            guard let attribute = try? attribute(handle),
                case .configuration(let allowed) = attribute.kind,
                connection.session.subscriptions[handle] == nil,
                allowed.isSuperset(of: subscription)
            else { continue }
            connection.session.subscriptions[handle] = subscription
            attribute.onSubscribe?(connection, subscription)
        }
        keepSubscriptions(of: connection)
    }

    /// Subscriptions outlive the connection only with a bonded peer, whose identity an encrypted link
    /// proves.
    func keepSubscriptions(of connection: Connection) {
        guard connection.isBonded, connection.security.isEncrypted else { return }
        connection.host.bonds[subscriptions: connection.identity] = attributes.indices.compactMap {
            let handle = UInt16($0 + 1)
            guard let subscription = connection.session.subscriptions[handle],
                !subscription.isEmpty
            else { return nil }
            return (handle, subscription)
        }
    }
}
