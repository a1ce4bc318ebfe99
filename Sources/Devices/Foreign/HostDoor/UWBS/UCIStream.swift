package import Bluetooth

/// Takes UCI's control messages off a stream of bytes, and puts their segments together.
package struct UCIStream: Sendable {
    /// The most octets of a message in segments: more than any command needs.
    package static let longestMessage = 4_096

    private var bytes = StreamBytes()
    /// The segments so far of a message whose last has not come.
    private var partial: UCIPacket?

    package init() {}

    /// Takes what came next.
    package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(more) }

    /// The next message that is all there; nil where there is none.
    ///
    /// - Throws: `MalformedBytes` where a packet is no control packet, is not the segment that has to come, or makes a
    ///   message too long: a stream has no mark by which another packet could be found.
    package mutating func next() throws(MalformedBytes) -> UCIPacket? {
        while let (packet, isLast) = try nextSegment() {
            let message = try join(packet)
            partial = isLast ? nil : message
            if isLast { return message }
        }
        return nil
    }

    private mutating func nextSegment() throws(MalformedBytes) -> (UCIPacket, isLast: Bool)? {
        guard let first = bytes.first else { return nil }
        guard let type = UCIPacket.MessageType(rawValue: first >> 5) else {
            throw MalformedBytes(
                "UCI packet", offset: 0,
                expected: "a message type of 1 (command), 2 (response) or 3 (notification), "
                    + "and not \(first >> 5),")
        }
        let head = UCIPacket.headerLength
        guard bytes.count >= head, let whole = bytes.take(head + Int(bytes[3])) else { return nil }
        let packet = UCIPacket(
            type, group: first & 0x0F, opcode: whole[1] & 0x3F, payload: Array(whole[head...]))
        return (packet, first & UCIPacket.boundaryFlag == 0)
    }

    private func join(_ packet: UCIPacket) throws(MalformedBytes) -> UCIPacket {
        guard var message = partial else { return packet }
        guard (packet.type, packet.code) == (message.type, message.code) else {
            throw MalformedBytes(
                "UCI packet", offset: 0,
                expected: "another segment of the message with group \(message.group) and opcode "
                    + "\(message.opcode), and not one of group \(packet.group) and opcode "
                    + "\(packet.opcode),")
        }
        message.payload += packet.payload
        guard message.payload.count <= Self.longestMessage else {
            throw MalformedBytes(
                "UCI packet", offset: 3,
                expected: "a message of at most \(Self.longestMessage) bytes in all its segments")
        }
        return message
    }
}
