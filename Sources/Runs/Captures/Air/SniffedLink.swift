import Bluetooth

/// A link that a sniffer follows: what of it is new, what was missed, and what the central's host has seen of it.
struct SniffedLink: Sendable {
    let handle: UInt16
    let ends: Ends
    /// The type of the peripheral's address, and interval, latency and timeout as they are on air.
    private let type: UInt8
    private let parameters: [UInt8]
    private var latest = Sides(both: Sent())
    private var encryption = Encryption.off
    /// What nobody is told before the link is known to be one.
    private var held: [HCIPacket] = []
    /// Whether the peripheral is known to have heard of the link; one that has not is none.
    private(set) var isUp = false
    /// Whether an end has said that it is over.
    private(set) var isOver = false
    private var lastHeard: UInt64
    /// The supervision timeout, in nanoseconds.
    private var timeout: UInt64

    /// Who has a link with whom, by address.
    struct Ends: Hashable, Sendable {
        let central: UInt64
        let peripheral: [UInt8]
    }

    /// What an end has sent last (Core Specification Vol 6 Part B 4.5.9: numbers have one bit).
    private struct Sent: Sendable {
        /// The first packet of an end is number 0.
        var number = true
        /// The number of the packet that it expects: it has received the one before.
        var expected = false
        /// Nil where the packet was not heard.
        var content: [UInt8]?
    }

    private enum Encryption: Sendable { case off, begins, on }

    /// One that CONNECT_IND asks for (Core Specification Vol 6 Part B 2.3.3.1), with a payload of 34 bytes.
    init(handle: UInt16, type: UInt8, request: [UInt8], at time: UInt64) {
        self.handle = handle
        ends = Ends(
            central: request[0..<6].reversed().reduce(0) { $0 << 8 | UInt64($1) },
            peripheral: Array(request[6..<12]))
        self.type = type
        parameters = Array(request[22..<28])
        timeout = Self.timeout(parameters)
        lastHeard = time
    }

    private static func timeout(_ parameters: [UInt8]) -> UInt64 {
        (UInt64(parameters[4]) | UInt64(parameters[5]) << 8) * 10_000_000
    }

    /// When it is over unless something is heard until then.
    var deadline: UInt64 {
        let (sum, overflow) = lastHeard.addingReportingOverflow(timeout)
        return overflow ? .max : sum
    }

    /// What the host is told at the deadline.
    var timedOut: HCIPacket { .disconnected(handle, CapturedAir.timeout) }

    /// What the host of the central sees with this packet.
    mutating func take(
        _ packet: LinkLayerPacket, from side: Side, at time: UInt64, _ gaps: inout CaptureGaps
    ) -> [HCIPacket] {
        lastHeard = max(lastHeard, time)
        if isNew(packet, from: side, &gaps.unheard), !packet.payload.isEmpty, !isOver {
            held += read(packet, from: side, &gaps.encrypted)
        }
        // The peripheral is heard, or the central has heard it.
        let isAnswered = side == .peripheral || packet.number || packet.expected
        guard isUp || isAnswered else { return [] }
        defer { (isUp, held) = (true, []) }
        return (isUp ? [] : [.connected(handle, type, ends.peripheral, parameters)]) + held
    }

    // MARK: Numbers

    /// Whether a packet is none that was sent again; counts those that must have been sent and were not heard.
    private mutating func isNew(
        _ packet: LinkLayerPacket, from side: Side, _ unheard: inout Int
    ) -> Bool {
        let (last, other) = (latest[side], latest[side.other])
        let isAcknowledged = packet.number != last.number
        let hasReceived = packet.expected != last.expected
        latest[side] = Sent(
            number: packet.number, expected: packet.expected, content: packet.content)
        let isOtherHeard = !hasReceived || other.number == last.expected
        if !isOtherHeard || isAcknowledged && other.expected != packet.number {
            unheard += 1
            latest[side.other] = Sent(
                number: hasReceived ? last.expected : other.number,
                expected: isAcknowledged ? packet.number : other.expected,
                content: isOtherHeard ? other.content : nil)
        }
        guard !isAcknowledged, let content = last.content else { return true }
        // This end has received an acknowledgement, and goes on with the same number all the same.
        let isLater = hasReceived && isOtherHeard && other.expected != last.number
        guard isLater || content != packet.content else { return false }
        unheard += 1
        return true
    }

    // MARK: Contents

    private mutating func read(
        _ packet: LinkLayerPacket, from side: Side, _ unreadable: inout Int
    ) -> [HCIPacket] {
        guard isReadable(packet) else {
            unreadable += 1
            return []
        }
        var told: [HCIPacket] = []
        if packet.secrecy == .decrypted, encryption != .on {
            encryption = .on
            told = [.encrypted(handle)]
        }
        guard packet.isControl else {
            return told + [.data(on: handle, packet, isToHost: side == .peripheral)]
        }
        return told + controlled(packet.payload, from: side)
    }

    private func isReadable(_ packet: LinkLayerPacket) -> Bool {
        switch (packet.secrecy, encryption) {
        case (.decrypted, _), (.asSent, .off): true
        case (.unreadable, _), (.asSent, .on): false
        // What is encrypted has a check of four bytes; what may come before is shorter.
        case (.asSent, .begins): packet.payload.count < 5
        }
    }

    /// The control PDUs that a host is told of (Core Specification Vol 6 Part B 2.4.2).
    private mutating func controlled(_ payload: [UInt8], from side: Side) -> [HCIPacket] {
        switch (payload[0], side) {
        case (0x00, .central) where payload.count == 12:  // LL_CONNECTION_UPDATE_IND
            let parameters = Array(payload[4..<10])
            timeout = Self.timeout(parameters)
            return [.updated(handle, parameters)]
        case (0x02, .central) where payload.count == 2:  // LL_TERMINATE_IND
            isOver = true
            return [.disconnecting(handle, payload[1]), .disconnected(handle, Self.ownEnd)]
        case (0x02, .peripheral) where payload.count == 2:
            isOver = true
            return [.disconnected(handle, payload[1])]
        case (0x04, .peripheral) where encryption == .off:  // LL_ENC_RSP
            encryption = .begins
        case (0x05, .peripheral) where encryption != .on:  // LL_START_ENC_REQ
            encryption = .on
            return [.encrypted(handle)]
        case (0x0D, .peripheral), (0x11, .peripheral):  // LL_REJECT_IND, LL_REJECT_EXT_IND
            if encryption == .begins { encryption = .off }
        case (0x0B, .peripheral): encryption = .off  // LL_PAUSE_ENC_RSP
        default: break
        }
        return []
    }

    /// Connection Terminated by Local Host.
    private static let ownEnd: UInt8 = 0x16
}

// HCI packets of a host (Core Specification Vol 4 Part E 5.4 and 7.7).
extension HCIPacket {
    private static func event(_ code: UInt8, _ parameters: [UInt8]) -> HCIPacket {
        HCIPacket(direction: .toHost, bytes: [0x04, code, UInt8(parameters.count)] + parameters)
    }

    private static func word(_ value: UInt16) -> [UInt8] {
        [UInt8(value & 0xFF), UInt8(value >> 8)]
    }

    fileprivate static func connected(
        _ handle: UInt16, _ type: UInt8, _ peer: [UInt8], _ parameters: [UInt8]
    ) -> HCIPacket {
        event(0x3E, [0x01, 0] + word(handle) + [0, type] + peer + parameters + [0])
    }

    fileprivate static func updated(_ handle: UInt16, _ parameters: [UInt8]) -> HCIPacket {
        event(0x3E, [0x03, 0] + word(handle) + parameters)
    }

    fileprivate static func disconnected(_ handle: UInt16, _ reason: UInt8) -> HCIPacket {
        event(0x05, [0] + word(handle) + [reason])
    }

    fileprivate static func encrypted(_ handle: UInt16) -> HCIPacket {
        event(0x08, [0] + word(handle) + [1])
    }

    fileprivate static func disconnecting(_ handle: UInt16, _ reason: UInt8) -> HCIPacket {
        HCIPacket(
            direction: .toController, bytes: [0x01, 0x06, 0x04, 3] + word(handle) + [reason])
    }

    fileprivate static func data(
        on handle: UInt16, _ packet: LinkLayerPacket, isToHost: Bool
    ) -> HCIPacket {
        let boundary: UInt16 = packet.isContinued ? 0b01 : isToHost ? 0b10 : 0b00
        return HCIPacket(
            direction: isToHost ? .toHost : .toController,
            bytes: [0x02] + word(handle | boundary << 12) + word(UInt16(packet.payload.count))
                + packet.payload)
    }
}
