/// A message between app and embedded application.
///
/// Configuration data stays bytes here: the two ends hand it on as it is (R4 3.5.3).
package enum Message: Equatable, Sendable {
    case accessoryConfigurationData([UInt8])
    case accessoryUwbDidStart
    case accessoryUwbDidStop
    /// Prepare a session and send accessory configuration data.
    case initialize
    /// Start ranging with this shareable configuration data (`AppleUWBConfigData`).
    case configureAndStart([UInt8])
    /// Stop ranging and say so (`accessoryUwbDidStop`).
    case stop
    /// Send the reserved bytes; in the answer, those bytes.
    case getReserved([UInt8])
    /// Take these reserved bytes.
    case setReserved([UInt8])
    /// Show this text; the distance is in whole units of the manufacturer's choice.
    case iOSNotify(distance: UInt8, text: String)

    package var id: MessageID {
        switch self {
        case .accessoryConfigurationData: .accessoryConfigurationData
        case .accessoryUwbDidStart: .accessoryUwbDidStart
        case .accessoryUwbDidStop: .accessoryUwbDidStop
        case .initialize: .initialize
        case .configureAndStart: .configureAndStart
        case .stop: .stop
        case .getReserved: .getReserved
        case .setReserved: .setReserved
        case .iOSNotify: .iOSNotify
        }
    }

    /// The bytes that travel, id first.
    ///
    /// A text is cut to the 253 bytes that its length can count, between two characters.
    package var bytes: [UInt8] { bytes(by: .sample) }

    /// The bytes that travel where messages have these numbers.
    package func bytes(by numbers: MessageNumbers) -> [UInt8] {
        let id = numbers.number(of: id)
        switch self {
        case .accessoryConfigurationData(let data), .configureAndStart(let data),
            .getReserved(let data), .setReserved(let data):
            return [id] + data
        case .accessoryUwbDidStart, .accessoryUwbDidStop, .initialize, .stop: return [id]
        case .iOSNotify(let distance, let text):
            let utf8 = Self.wholeScalars(of: text, atMost: 253)
            return [id, UInt8(utf8.count + 2), distance] + utf8
        }
    }

    private static func wholeScalars(of text: String, atMost limit: Int) -> [UInt8] {
        var count = 0
        for scalar in text.unicodeScalars {
            guard count + UTF8.width(scalar) <= limit else { break }
            count += UTF8.width(scalar)
        }
        return Array(text.utf8.prefix(count))
    }

    /// Reads one message, told apart by these numbers.
    ///
    /// - Throws: `ProtocolError`: no bytes, an unknown id, bytes missing or too many.
    package init(_ bytes: [UInt8], by numbers: MessageNumbers = .sample) throws(ProtocolError) {
        guard let first = bytes.first else { throw .empty }
        guard let id = numbers.id(of: first) else { throw .unknownMessage(id: first) }
        let payload = Array(bytes.dropFirst())
        switch id {
        case .accessoryConfigurationData:
            try Self.checkLength(ofConfiguration: payload)
            self = .accessoryConfigurationData(payload)
        case .configureAndStart:
            guard !payload.isEmpty else {
                throw .truncated(kind: id.name, offset: 1, field: "AppleUWBConfigData")
            }
            self = .configureAndStart(payload)
        case .getReserved: self = .getReserved(payload)
        case .setReserved: self = .setReserved(payload)
        case .iOSNotify: self = try Self.notification(bytes)
        case .accessoryUwbDidStart:
            self = try Self.alone(.accessoryUwbDidStart, before: payload)
        case .accessoryUwbDidStop: self = try Self.alone(.accessoryUwbDidStop, before: payload)
        case .initialize: self = try Self.alone(.initialize, before: payload)
        case .stop: self = try Self.alone(.stop, before: payload)
        }
    }

    /// A message that is its id and nothing else.
    private static func alone(
        _ message: Message, before payload: [UInt8]
    ) throws(ProtocolError) -> Message {
        guard payload.isEmpty else { throw .overlong(kind: message.id.name, offset: 1) }
        return message
    }

    /// The message is as long as its configuration data says, counted from the message id.
    private static func checkLength(ofConfiguration data: [UInt8]) throws(ProtocolError) {
        let kind = MessageID.accessoryConfigurationData.name
        let fixed = AccessoryConfigurationData.fixedLength
        guard data.count >= fixed else {
            throw .truncated(
                kind: kind, offset: data.count + 1, field: "\(fixed) bytes before UWBConfigData")
        }
        let length = fixed + Int(data[fixed - 1])
        guard data.count >= length else {
            throw .short(kind: kind, count: data.count + 1, of: length + 1)
        }
        guard data.count == length else { throw .overlong(kind: kind, offset: length + 1) }
    }

    private static func notification(_ bytes: [UInt8]) throws(ProtocolError) -> Message {
        var reader = FieldReader(bytes, kind: MessageID.iOSNotify.name)
        _ = try reader.take(1, as: "message id")
        let length = Int(try reader.number("length", as: UInt8.self))
        guard length >= 2 else { throw reader.invalid(size: 1, "a length of at least 2") }
        let distance = try reader.number("distance", as: UInt8.self)
        let text = try reader.take(length - 2, as: "text of \(length - 2) bytes")
        try reader.end()
        return .iOSNotify(distance: distance, text: String(decoding: text, as: UTF8.self))
    }
}
