/// The fixed L2CAP channels of LE (Core Specification Vol 3 Part A 2.1).
package enum L2CAPChannel {
    package static let attribute: UInt16 = 0x0004
    package static let signalling: UInt16 = 0x0005
    package static let security: UInt16 = 0x0006
}

/// One L2CAP frame in basic mode (Core Specification Vol 3 Part A 3.1).
package struct L2CAPFrame: Equatable, Sendable {
    package var channel: UInt16
    /// What it carries: at most 65,535 bytes.
    package var payload: [UInt8]

    package init(channel: UInt16, payload: [UInt8]) {
        self.channel = channel
        self.payload = payload
    }

    /// Reads one whole frame.
    ///
    /// - Throws: `MalformedBytes` where the header is cut short or the length is not that of the rest.
    package init(_ bytes: [UInt8]) throws(MalformedBytes) {
        channel = try Self.channel(of: bytes)
        payload = Array(bytes[4...])
    }

    /// The channel of a whole frame, whose payload is all from the fourth byte on.
    ///
    /// - Throws: `MalformedBytes` as `init` does.
    package static func channel(of bytes: [UInt8]) throws(MalformedBytes) -> UInt16 {
        var reader = ByteReader(bytes[...], kind: "L2CAP frame")
        let length = Int(try reader.uint16("length"))
        let channel = try reader.uint16("channel")
        guard reader.remaining >= length else {
            throw reader.malformed("payload (\(length) bytes)")
        }
        guard reader.remaining == length else {
            throw MalformedBytes("L2CAP frame", offset: 4 + length, expected: "the end")
        }
        return channel
    }

    /// The bytes on the air, header first.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + payload.count)
        bytes.append(littleEndian: UInt16(truncatingIfNeeded: payload.count))
        bytes.append(littleEndian: channel)
        return bytes + payload
    }
}

/// The connection timing that a peripheral asks its central for
/// (Core Specification Vol 3 Part A 4.20).
package struct ConnectionParameterRequest: Equatable, Hashable, Sendable {
    /// The shortest interval in units of 1.25 ms.
    package var minimumInterval: UInt16
    /// The longest interval in units of 1.25 ms.
    package var maximumInterval: UInt16
    /// Peripheral latency in connection events.
    package var latency: UInt16
    /// Supervision timeout in units of 10 ms.
    package var timeout: UInt16

    package init(
        minimumInterval: UInt16, maximumInterval: UInt16, latency: UInt16, timeout: UInt16
    ) {
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.latency = latency
        self.timeout = timeout
    }
}

/// One PDU on the LE signalling channel (Core Specification Vol 3 Part A 4).
package enum SignallingPDU: Equatable, Sendable {
    /// A command was not understood (reason 0x0000), or did not fit (0x0001).
    case commandReject(identifier: UInt8, reason: UInt16)
    /// A peripheral asks for other timing.
    case parameterUpdateRequest(identifier: UInt8, ConnectionParameterRequest)
    /// The central's answer: accepted (result 0x0000) or rejected (0x0001).
    case parameterUpdateResponse(identifier: UInt8, isAccepted: Bool)
    /// A command this host does not know.
    case other(code: UInt8, identifier: UInt8)

    /// Reads one PDU; LE allows one a frame.
    ///
    /// - Throws: `MalformedBytes` where a field is missing or the length is wrong.
    package init(_ bytes: [UInt8]) throws(MalformedBytes) {
        var reader = ByteReader(bytes[...], kind: "L2CAP signalling PDU")
        let code = try reader.uint8("code")
        let identifier = try reader.uint8("identifier")
        let length = Int(try reader.uint16("length"))
        guard reader.remaining == length else { throw reader.malformed("\(length) bytes of data") }
        switch code {
        case 0x01:
            self = .commandReject(identifier: identifier, reason: try reader.uint16("reason"))
            _ = reader.rest()
        case 0x12:
            self = .parameterUpdateRequest(
                identifier: identifier,
                ConnectionParameterRequest(
                    minimumInterval: try reader.uint16("minimum interval"),
                    maximumInterval: try reader.uint16("maximum interval"),
                    latency: try reader.uint16("latency"),
                    timeout: try reader.uint16("timeout")))
        case 0x13:
            let result = try reader.uint16("result")
            self = .parameterUpdateResponse(identifier: identifier, isAccepted: result == 0)
        default:
            self = .other(code: code, identifier: identifier)
            _ = reader.rest()
        }
        try reader.end()
    }

    package var bytes: [UInt8] {
        var data: [UInt8] = []
        let header: (code: UInt8, identifier: UInt8)
        switch self {
        case .commandReject(let identifier, let reason):
            header = (0x01, identifier)
            data.append(littleEndian: reason)
        case .parameterUpdateRequest(let identifier, let request):
            header = (0x12, identifier)
            data.append(littleEndian: request.minimumInterval)
            data.append(littleEndian: request.maximumInterval)
            data.append(littleEndian: request.latency)
            data.append(littleEndian: request.timeout)
        case .parameterUpdateResponse(let identifier, let isAccepted):
            header = (0x13, identifier)
            data.append(littleEndian: UInt16(isAccepted ? 0 : 1))
        case .other(let code, let identifier): header = (code, identifier)
        }
        var bytes = [header.code, header.identifier]
        bytes.append(littleEndian: UInt16(truncatingIfNeeded: data.count))
        return bytes + data
    }
}
