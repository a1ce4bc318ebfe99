internal import AccessoryProtocol
internal import Bluetooth
internal import Containers
internal import DeviceLink

/// What the observer knows of one link.
struct ObservedLink: Sendable {
    /// A client's request that awaits its response, as far as the response has to be understood.
    enum Request: Sendable {
        case exchangeMTU(UInt16)
        case readByType(HandleRange, BluetoothUUID)
        case readByGroupType(BluetoothUUID)
        case findByTypeValue(UInt16, value: [UInt8])
        case findInformation
        case read(UInt16)
        case readBlob(UInt16, offset: UInt16)
        case readMultiple
        case write(UInt16)
        case subscribe(UInt16, characteristic: String, on: Bool)
        case executeWrite

        /// What is wanted of a value; nil for what is not about values.
        var access: Access? {
            switch self {
            case .read(let handle), .readBlob(let handle, _): Access("read", handle)
            case .readByType(_, let type): type.isDeclaration ? nil : Access("read", nil)
            case .readMultiple: Access("read", nil)
            case .write(let handle), .subscribe(let handle, _, _): Access("write", handle)
            case .executeWrite: Access("write", nil)
            case .exchangeMTU, .readByGroupType, .findByTypeValue, .findInformation: nil
            }
        }
    }

    /// What a client wants to do with a value.
    struct Access: Sendable {
        /// `read` or `write`.
        let name: String
        /// The value; nil where the request names none, or several.
        let handle: UInt16?

        init(_ name: String, _ handle: UInt16?) {
            self.name = name
            self.handle = handle
        }
    }

    /// A value that is written or read in parts.
    struct Partial: Sendable {
        let handle: UInt16
        var bytes: [UInt8]
        /// Whether every part began where the one before ended.
        var isWhole = true
    }

    let central: String
    let peripheral: String
    /// The place of the accessory's attribute map.
    let map: Int
    /// The place of the map that a bonded phone keeps from an earlier incarnation.
    let keptMap: Int?
    /// The longest ATT PDU (Core Spec Vol 3 Part F 3.4.2).
    var mtu = ATTPDU.defaultMTU
    /// The central's request that awaits its response.
    var request: Request?
    var writing: [Partial] = []
    var reading: Partial?
    /// Whether the peripheral's host knows the link to be encrypted.
    var isEncrypted = false
    /// The accessory configuration data that the peripheral sent last; nil where there is none, or
    /// nobody knows what it was before it was spoilt.
    var announced: [UInt8]?
    /// What was sent and not yet received, by the sender's side.
    var underway = Sides(both: Queue<ObservedPDU>())
    var sessions = SessionNumbers()

    /// The peripheral has sent a PDU.
    mutating func announce(_ pdu: ObservedPDU) {
        if pdu.isSpoilt { announced = nil }
        for case .message(let message) in pdu.meanings where !pdu.isSpoilt {
            if message.id == .accessoryConfigurationData { announced = message.payload?.bytes }
        }
    }
}

/// An ATT PDU as it was understood when it was sent, and what it will mean when it is received.
struct ObservedPDU: Sendable {
    /// Something that the PDU carries or completes.
    enum Meaning: Sendable {
        /// A message of the accessory protocol.
        case message(ObservedMessage)
        /// Bytes in the protocol's characteristics that are no message.
        case malformed(String)
        /// What an answer tells the client, as an event's kind and fields; seen when it is received.
        case told(EventKind, [Field])
    }

    var name: String
    var length: Int
    var handle: UInt16?
    var isUnresolved = false
    var isSpoilt = false
    var meanings: [Meaning] = []
}

/// A message of the accessory protocol, and the session it belongs to.
struct ObservedMessage: Sendable {
    let id: MessageID
    let length: Int
    /// The name of the field that shows its payload, and the payload.
    let payload: (name: String, bytes: [UInt8])?
    var session: Int64?
    /// What the trace shows of it, twice: found out once, when its session is known.
    var fields: [Field] = []
}

/// Which session the messages of a link belong to.
///
/// Every `initialize` that is sent begins one. What answers it is told apart by what its sender had
/// received until then.
struct SessionNumbers: Sendable {
    /// At the app: the latest initialize sent, and the latest configuration data received.
    private var initialized: Int64?
    private var configured: Int64?
    /// At the accessory: the latest initialize and the latest configureAndStart received.
    private var asked: Int64?
    private var started: Int64?
    /// At the accessory: stops received and not answered, oldest first.
    private var stops: [Int64?] = []

    /// The one that the app began last.
    var latest: Int64? { initialized }

    /// The session of a message that is sent now; an initialize begins the session `next`.
    mutating func session(ofSent id: MessageID, next: inout Int64) -> Int64? {
        switch id {
        case .initialize:
            initialized = next
            next += 1
            return initialized
        case .configureAndStart: return configured
        case .accessoryConfigurationData: return asked
        case .accessoryUwbDidStart: return started
        case .accessoryUwbDidStop: return stops.isEmpty ? started ?? asked : stops.removeFirst()
        case .iOSNotify: return started ?? asked
        case .stop, .getReserved, .setReserved: return initialized
        }
    }

    /// A message has arrived.
    mutating func received(_ message: ObservedMessage) {
        switch message.id {
        case .initialize: asked = message.session
        case .configureAndStart: started = message.session
        case .stop: if stops.count < 16 { stops.append(message.session) }
        case .accessoryConfigurationData: configured = message.session
        case .accessoryUwbDidStart, .accessoryUwbDidStop, .getReserved, .setReserved, .iOSNotify:
            break
        }
    }
}
