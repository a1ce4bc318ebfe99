import AccessoryProtocol
import Basics
import Bluetooth
import DeviceLink

/// What the observer knows of one link.
struct ObservedLink: Sendable {
    /// A client's request that awaits its response, as far as the response has to be understood.
    enum Request: Sendable {
        case exchangeMTU(UInt16)
        case readByType(HandleRange, BluetoothUUID)
        case readByGroupType(HandleRange, BluetoothUUID)
        case findByTypeValue(UInt16, value: [UInt8])
        case findInformation(HandleRange)
        case read(UInt16)
        case readBlob(UInt16, offset: UInt16)
        case readMultiple([UInt16])
        case write(UInt16)
        case subscribe(UInt16, characteristic: String, on: Bool)
        case executeWrite

        /// The search that it is a part of; nil for what is none.
        var search: Search? {
            switch self {
            case .readByType(let range, let type), .readByGroupType(let range, let type):
                Search(type: type, range: range)
            case .findInformation(let range): Search(type: nil, range: range)
            case .exchangeMTU, .findByTypeValue, .read, .readBlob, .readMultiple, .write,
                .subscribe, .executeWrite:
                nil
            }
        }

        /// What is wanted of a value or of descriptors; nil for what is about neither.
        var access: Access? {
            switch self {
            case .read(let handle), .readBlob(let handle, _): Access("read", handle)
            case .readByType(_, let type): type.isDeclaration ? nil : Access("read", nil)
            case .readMultiple: Access("read", nil)
            case .write(let handle), .subscribe(let handle, _, _): Access("write", handle)
            case .executeWrite: Access("write", nil)
            case .findInformation(let range): Access("find-information", range.first)
            case .exchangeMTU, .readByGroupType, .findByTypeValue: nil
            }
        }
    }

    /// A search through handles.
    struct Search: Sendable {
        /// What it looks for; nil for descriptors.
        let type: BluetoothUUID?
        let range: HandleRange
    }

    /// What a client wants to do.
    struct Access: Sendable {
        /// `read`, `write` or `find-information`.
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
        /// How much configuration data the accessory had sent when it was begun.
        var announcements = 0
    }

    /// The values of a kind that a phone has read since configuration data was sent to it last.
    struct Comparison: Sendable {
        var handles: [UInt16] = []
        /// Whether one of them was that configuration data.
        var isFound = false
    }

    let central: String
    let peripheral: String
    /// The place of the accessory's attribute map.
    let map: Int
    /// The places of the maps that a bonded phone keeps from other incarnations, the latest first.
    let keptMaps: [Int]
    /// The longest ATT PDU (Core Spec Vol 3 Part F 3.4.2).
    var mtu = ATTPDU.defaultMTU
    /// The central's request that awaits its response.
    var request: Request?
    var writing: [Partial] = []
    var reading: Partial?
    /// What the central searches, from where it began.
    private(set) var searching: Search?
    /// By kind, `single` or `multiple`; looked up by name alone.
    var comparisons: [String: Comparison] = [:]
    /// Whether the peripheral's host knows the link to be encrypted.
    var isEncrypted = false
    /// The accessory configuration data that the peripheral sent last; nil where there is none, or
    /// nobody knows what it was before it was spoilt.
    var announced: [UInt8]?
    /// What was sent and not yet received, by the sender's side.
    var underway = Sides(both: Queue<ObservedPDU>())
    var conversation = Conversation()

    /// The central looks for something in a range: a search goes on where its last part ended.
    mutating func search(_ part: Search) {
        let goesOn =
            searching.map {
                $0.type == part.type && $0.range.last == part.range.last
                    && $0.range.first < part.range.first
            } ?? false
        if !goesOn { searching = part }
    }

    /// The peripheral has sent a PDU.
    mutating func announce(_ pdu: ObservedPDU) {
        if pdu.isSpoilt { announced = nil }
        for case .message(let message) in pdu.meanings where !pdu.isSpoilt {
            guard message.id == .accessoryConfigurationData else { continue }
            announced = message.payload?.bytes
            comparisons = [:]
        }
    }
}

/// An ATT PDU as it was understood when it was sent, and what it will mean when it is received.
struct ObservedPDU: Sendable {
    /// Something that the PDU carries or completes.
    enum Meaning: Sendable {
        /// A message of the accessory protocol.
        case message(ObservedMessage)
        /// A message of the manufacturer's own, by its id.
        case other(id: UInt8, bytes: [UInt8])
        /// Bytes in the protocol's characteristics that are no message: what is wrong, and the id that they begin with;
        /// nil where they are none, or nobody can tell. What a fault made of them may have been unasked.
        case malformed(String, id: UInt8?, isUnasked: Bool = false)
        /// What an answer tells the client, as an event's kind and fields; seen when it is received.
        case told(EventKind, [Field])
    }

    var name: String
    var length: Int
    var handle: UInt16?
    var isUnresolved = false
    /// Whether the phone knows its handle from an earlier incarnation of the accessory alone.
    var isRemembered = false
    /// The longest PDU of its link; nil where what it carries did not have to fit into one.
    var mtu: UInt16?
    var isSpoilt = false
    var meanings: [Meaning] = []

    /// Whether it is an `initialize`, or nobody can tell that it was none.
    var mayAsk: Bool {
        meanings.contains { meaning in
            switch meaning {
            case .message(let message): isSpoilt || message.id == .initialize
            case .malformed: true
            case .other: isSpoilt
            case .told: false
            }
        }
    }
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
/// received until then. Configuration data of an accessory that sends it by itself begins one, too (R4 3.2 leaves it to
/// the maker how it comes), unless it is repeated and nobody has used it yet.
struct SessionNumbers: Sendable {
    /// At the app: the latest initialize sent, and the latest configuration data received.
    private var initialized: Int64?
    private var configured: Int64?
    /// At the accessory: the latest initialize and the latest configureAndStart received.
    private var asked: Int64?
    private var started: Int64?
    /// At the accessory: the session of the latest configuration data that nobody asked for.
    private var pushed: Int64?
    /// At the accessory: stops received and not answered, oldest first.
    private var stops: [Int64?] = []

    /// The one that the app began last, or has configuration data of.
    var latest: Int64? { initialized ?? configured }

    /// The session of a message that is sent now; an initialize begins the session `next`.
    mutating func session(
        ofSent id: MessageID, isUnasked: Bool, next: inout Int64
    ) -> Int64? {
        switch id {
        case .initialize:
            initialized = next
            next += 1
            return initialized
        case .configureAndStart: return configured
        case .accessoryConfigurationData: return asked ?? (isUnasked ? push(&next) : nil)
        case .accessoryUwbDidStart: return started
        case .accessoryUwbDidStop: return stops.isEmpty ? started ?? asked : stops.removeFirst()
        case .iOSNotify: return started ?? asked
        case .stop, .getReserved, .setReserved: return latest
        }
    }

    private mutating func push(_ next: inout Int64) -> Int64? {
        if pushed == nil || pushed == started {
            pushed = next
            next += 1
        }
        return pushed
    }

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
