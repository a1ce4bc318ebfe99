import Bluetooth

/// How a server lets clients keep what they have discovered (Core Specification Vol 3 Part G 2.5.2).
package enum GATTCaching: Equatable, Sendable {
    /// Not at all: nobody is told that the attributes are others than on the last connection.
    case none
    /// Bonded peers are told by Service Changed.
    case serviceChanged
    /// There are a Database Hash and Client Supported Features as well, and a client that asks for robust caching is
    /// refused with Database Out Of Sync until it knows of the change.
    case robust
}

/// What a client knows of the attributes.
enum ClientAwareness: Equatable {
    /// What it has discovered holds.
    case aware
    /// They have changed, and it does not know.
    case unaware
    /// It has been refused, or has read the Database Hash: with its next PDU it is aware.
    case told
}

extension GATTServer {
    /// Adds what clients that keep attributes need, to the Generic Attribute service, which is the one added last.
    func addCaching() {
        guard caching == .robust else { return }
        addCharacteristic(
            .clientSupportedFeatures, properties: [.read, .write], length: .fixed(1),
            onRead: { [$0.session.features] },
            onWrite: { [unowned self] connection, value throws(ATTErrorCode) in
                // A client may not take back what it has said (Vol 3 Part G 7.2).
                guard value[0] & connection.session.features == connection.session.features else {
                    throw .valueNotAllowed
                }
                connection.session.features = value[0]
                keepAwareness(of: connection)
            })
        addCharacteristic(
            .databaseHash, properties: .read, length: .fixed(16),
            onRead: { [unowned self] connection in
                if connection.session.awareness == .unaware { connection.session.awareness = .told }
                return databaseHash
            })
    }

    /// A number for how the database is built, least significant octet first: AES-CMAC with a key of zeros over all
    /// declarations, the values of those that say where something is, and the types of the descriptors (Core
    /// Specification Vol 3 Part G 7.3.1).
    package var databaseHash: [UInt8] {
        var message: [UInt8] = []
        for (index, attribute) in attributes.enumerated() {
            guard let type = attribute.type.short, ![.value, .removed].contains(attribute.kind)
            else { continue }
            let isWhole = (0x2800...0x2803).contains(type) || type == 0x2900
            guard isWhole || (0x2901...0x2905).contains(type) else { continue }
            message.append(littleEndian: UInt16(index + 1))
            message.append(littleEndian: type)
            if isWhole { message += attribute.value }
        }
        return PairingCryptography.cmac(
            key: [UInt8](repeating: 0, count: 16), ofWhole: message.reversed())
    }

    /// Finds out whether a bonded peer, whose link is encrypted now, knows the attributes.
    func compareDatabase(with connection: Connection) {
        guard caching != .none, connection.isBonded else { return }
        let kept = connection.host.bonds[database: connection.identity]
        if let kept, let features = kept.first { connection.session.features |= features }
        guard let kept, Array(kept.dropFirst()) != databaseHash else {
            return keepAwareness(of: connection)
        }
        indicateChange(of: .all, to: connection)
    }

    /// What a bonded peer knows outlives the connection.
    func keepAwareness(of connection: Connection) {
        guard caching != .none, connection.isBonded, connection.security.isEncrypted,
            connection.session.awareness == .aware
        else { return }
        connection.host.bonds[database: connection.identity] =
            [connection.session.features] + databaseHash
    }

    func becomeAware(_ connection: Connection) {
        guard connection.session.awareness != .aware else { return }
        connection.session.awareness = .aware
        keepAwareness(of: connection)
    }

    /// What is done about a PDU of a client that may not know the attributes.
    enum Admission: Equatable {
        case taken
        case passedOver
        case refused(handle: UInt16)
    }

    /// Whether a client's PDU is taken (Core Specification Vol 3 Part G 2.5.2.1).
    func admit(_ pdu: ATTPDU, of connection: Connection) -> Admission {
        guard connection.session.awareness != .aware else { return .taken }
        if connection.session.awareness == .told {
            becomeAware(connection)
            return .taken
        }
        let isRobust = connection.session.features & Self.robustCaching != 0
        guard caching == .robust, isRobust, let handle = pdu.usedHandle else { return .taken }
        if pdu.opcode.role == .command { return .passedOver }
        connection.session.awareness = .told
        return .refused(handle: handle)
    }

    private static let robustCaching: UInt8 = 0x01
}

extension ATTPDU {
    /// The handle by which a client uses an attribute that it has to know; nil where it still looks for it.
    fileprivate var usedHandle: UInt16? {
        switch self {
        case .readRequest(let handle), .readBlobRequest(let handle, _),
            .writeRequest(let handle, _), .writeCommand(let handle, _),
            .prepareWriteRequest(let handle, _, _):
            handle
        case .readMultipleRequest(let handles): handles.first
        case .readByTypeRequest(let range, let type):
            range != .all && [.include, .characteristic].contains(type) ? range.first : nil
        default: nil
        }
    }
}
