/// A control message of the UWB Command Interface: `ControlPacket` of Pica's packet description, whole.
///
/// The header has four octets: message type (3 bits), packet boundary flag (1) and group (4); opcode (6); one that is
/// reserved; the length of the payload.
package struct UCIPacket: Equatable, Sendable {
    /// Who sends it, and why (`MessageType`); data messages are not there.
    package enum MessageType: UInt8, Sendable {
        case command = 1
        case response = 2
        case notification = 3
    }

    package var type: MessageType
    /// The group identifier (GID): 0 … 15.
    package var group: UInt8
    /// The opcode identifier (OID): 0 … 63.
    package var opcode: UInt8
    /// What all its segments carry.
    package var payload: [UInt8]

    package init(_ type: MessageType, group: UInt8, opcode: UInt8, payload: [UInt8]) {
        self.type = type
        self.group = group & 0x0F
        self.opcode = opcode & 0x3F
        self.payload = payload
    }

    var code: UInt16 { UInt16(group) << 8 | UInt16(opcode) }

    /// The packets that it is sent in: one, or segments of 255 octets and a last one.
    package var segments: [[UInt8]] {
        let starts = stride(from: 0, to: max(1, payload.count), by: Self.longestSegment)
        return starts.map { start in
            let part = payload[start...].prefix(Self.longestSegment)
            let isLast = start + part.count == payload.count
            return [
                type.rawValue << 5 | (isLast ? 0 : Self.boundaryFlag) | group, opcode, 0,
                UInt8(part.count),
            ] + part
        }
    }

    /// What goes over the stream.
    package var bytes: [UInt8] { segments.flatMap { $0 } }

    static let headerLength = 4
    static let longestSegment = 255
    /// The bit that says that more segments follow (`PacketBoundaryFlag`, NOT_COMPLETE).
    static let boundaryFlag: UInt8 = 0x10
}
