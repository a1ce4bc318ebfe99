/// What an app offers on the network, as Bonjour names it (RFC 6763): a type of service and one instance of it.
public struct NetworkService: Hashable, Sendable {
    /// What is offered, for example `_nearby._tcp`: 1 to 255 bytes without control characters.
    public var type: String
    /// Who offers it: 1 to 255 bytes without control characters.
    ///
    /// Two devices may use the same name; whoever opens a
    /// connection to it gets the one that offered it first.
    public var name: String

    public init(type: String, name: String) {
        self.type = type
        self.name = name
    }
}

/// A request to the network on which apps reach one another.
///
/// It stands for whatever carries an app's data without Bluetooth: Wi-Fi, peer to peer or by an access point, or
/// Ethernet. A connection carries messages, whole and in sequence, as a stream with frames of its own does.
public enum NetworkCommand: Equatable, Sendable {
    /// Offers a service; those who browse for its type find it, and `record` (Bonjour's TXT record, at most 1,300
    /// bytes) with it. Offered again, it has the new record.
    case publish(NetworkService, record: [UInt8])
    /// Offers it no more. Connections stay.
    case withdraw(NetworkService)
    /// Looks for services of a type.
    case browse(type: String)
    case stopBrowsing(type: String)
    /// Opens a connection to a service that somebody else offers. The number is the device's own, 1 … 0x7FFF_FFFF, and
    /// unique among its connections. Answered by `opened`, or by `closed`.
    case open(connection: UInt32, NetworkService)
    /// Sends a message of at most 65,535 bytes. A reliable one arrives, behind all reliable ones before it, or the
    /// connection ends; another may be lost, and may overtake.
    case send(connection: UInt32, isReliable: Bool, [UInt8])
    /// Ends a connection once all that was sent reliably has arrived; nothing more is heard of it here.
    case close(connection: UInt32)
}

/// What the network tells an app's device.
public enum NetworkEvent: Equatable, Sendable {
    /// A service that is browsed for is there, or has another record now. `host` is the name of the device.
    case found(NetworkService, host: String, record: [UInt8])
    /// It is there no more, or was not heard of for too long.
    case lost(NetworkService, host: String)
    /// A connection is there: one that this device has opened, or (with a number of the network's, 0x8000_0000 and
    /// above) one that `host` has opened to a service of this device.
    case opened(connection: UInt32, NetworkService, host: String)
    /// The other side has sent a message.
    case received(connection: UInt32, [UInt8])
    /// A connection is no more, or could not be opened.
    case closed(connection: UInt32, NetworkEnd)
}

/// Why a connection has ended.
public enum NetworkEnd: UInt8, Equatable, Sendable {
    /// The other side has closed it.
    case closed = 0
    /// The device was reached, but nobody there offers this service.
    case refused = 1
    /// The other side was not reached for as long as the network waits.
    case timedOut = 2
    /// The program on the other side is gone: its system, or its next life, knows nothing of the connection.
    case reset = 3
}

extension NetworkService {
    func encode(into out: inout ByteWriter) throws(LinkError) {
        try out.put(type)
        try out.put(name)
    }

    init(from reader: inout FrameFields) throws(LinkError) {
        self.init(
            type: try reader.text("a type of service"), name: try reader.text("a service's name"))
    }
}

extension NetworkCommand {
    var type: AnswerType {
        switch self {
        case .publish: .publish
        case .withdraw: .withdraw
        case .browse: .browse
        case .stopBrowsing: .stopBrowsing
        case .open: .openConnection
        case .send: .sendMessage
        case .close: .closeConnection
        }
    }

    func encode(into out: inout ByteWriter) throws(LinkError) {
        switch self {
        case .publish(let service, let record):
            try service.encode(into: &out)
            try out.put(block: record)
        case .withdraw(let service): try service.encode(into: &out)
        case .browse(let type), .stopBrowsing(let type): try out.put(type)
        case .open(let connection, let service):
            out.put(connection)
            try service.encode(into: &out)
        case .send(let connection, let isReliable, let bytes):
            out.put(connection)
            out.put(isReliable)
            try out.put(block: bytes)
        case .close(let connection): out.put(connection)
        }
    }

    init(_ type: AnswerType, from reader: inout FrameFields) throws(LinkError) {
        switch type {
        case .publish:
            self = .publish(
                try NetworkService(from: &reader), record: try reader.block("a record"))
        case .withdraw: self = .withdraw(try NetworkService(from: &reader))
        case .browse: self = .browse(type: try reader.text("a type of service"))
        case .stopBrowsing: self = .stopBrowsing(type: try reader.text("a type of service"))
        case .openConnection:
            self = .open(
                connection: try reader.integer("a connection"), try NetworkService(from: &reader))
        case .sendMessage:
            self = .send(
                connection: try reader.integer("a connection"),
                isReliable: try reader.flag("reliable"), try reader.block("a message"))
        default: self = .close(connection: try reader.integer("a connection"))
        }
    }
}

extension NetworkEvent {
    var type: EventType {
        switch self {
        case .found: .found
        case .lost: .lost
        case .opened: .opened
        case .received: .received
        case .closed: .closed
        }
    }

    func encode(into out: inout ByteWriter) throws(LinkError) {
        switch self {
        case .found(let service, let host, let record):
            try service.encode(into: &out)
            try out.put(host)
            try out.put(block: record)
        case .lost(let service, let host):
            try service.encode(into: &out)
            try out.put(host)
        case .opened(let connection, let service, let host):
            out.put(connection)
            try service.encode(into: &out)
            try out.put(host)
        case .received(let connection, let bytes):
            out.put(connection)
            try out.put(block: bytes)
        case .closed(let connection, let end):
            out.put(connection)
            out.put(end.rawValue)
        }
    }

    init(_ type: EventType, from reader: inout FrameFields) throws(LinkError) {
        switch type {
        case .found:
            self = .found(
                try NetworkService(from: &reader), host: try reader.text("a host"),
                record: try reader.block("a record"))
        case .lost:
            self = .lost(try NetworkService(from: &reader), host: try reader.text("a host"))
        case .opened:
            self = .opened(
                connection: try reader.integer("a connection"), try NetworkService(from: &reader),
                host: try reader.text("a host"))
        case .received:
            self = .received(
                connection: try reader.integer("a connection"), try reader.block("a message"))
        default:
            let connection = try reader.integer("a connection", as: UInt32.self)
            let code = try reader.byte("an end")
            guard let end = NetworkEnd(rawValue: code) else {
                throw reader.unknown(code, expected: "why a connection has ended, 0 to 3")
            }
            self = .closed(connection: connection, end)
        }
    }
}
