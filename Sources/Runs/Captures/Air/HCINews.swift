import Bluetooth
import DeviceLink

/// What an HCI packet tells of LE links, as far as a trace shows it.
enum HCINews: Equatable {
    /// LE Connection Complete, in any of its versions, with status 0.
    case connected(handle: UInt16, isCentral: Bool, peer: Address, ConnectionParameters)
    /// A connection of BR/EDR, over which nothing of the protocol goes.
    case connectedClassic(handle: UInt16)
    case disconnected(handle: UInt16, reason: UInt8)
    case encrypted(handle: UInt16, status: UInt8, isOn: Bool)
    case updated(handle: UInt16, status: UInt8, ConnectionParameters)
    /// The host's own address.
    case address(Address)
    /// The host asked for it.
    case advertising(Bool)
    case scanning(Bool)
    case connecting(Address)
    case disconnecting(handle: UInt16, reason: UInt8)
    /// A part of an L2CAP frame.
    case data(handle: UInt16, isFirst: Bool, [UInt8])
    /// Nothing that a trace shows.
    case other

    /// What one packet tells.
    ///
    /// - Throws: `MalformedBytes` where it is cut short.
    init(_ packet: HCIPacket) throws(MalformedBytes) {
        var fields = HCIFields(packet.bytes)
        switch try fields.uint8("packet type") {
        case 1: self = try Self.command(&fields)
        case 2: self = try Self.data(&fields)
        case 4: self = try Self.event(&fields)
        default: self = .other
        }
    }

    /// Core Specification Vol 4 Part E 5.4.2.
    private static func data(_ fields: inout HCIFields) throws(MalformedBytes) -> HCINews {
        let word = try fields.uint16("handle")
        let length = Int(try fields.uint16("data length"))
        try fields.needRest(of: length)
        let boundary = word >> 12 & 0b11
        return .data(handle: word & 0x0FFF, isFirst: boundary != 0b01, fields.rest())
    }

    /// Core Specification Vol 4 Part E 5.4.4, 7.7 and 7.7.65.
    private static func event(_ fields: inout HCIFields) throws(MalformedBytes) -> HCINews {
        let code = try fields.uint8("event code")
        let length = Int(try fields.uint8("parameter length"))
        try fields.needRest(of: length)
        switch code {
        case 0x03:
            let status = try fields.uint8("status")
            let handle = try fields.handle()
            return status == 0 ? .connectedClassic(handle: handle) : .other
        case 0x05:
            let status = try fields.uint8("status")
            let handle = try fields.handle()
            let reason = try fields.uint8("reason")
            return status == 0 ? .disconnected(handle: handle, reason: reason) : .other
        case 0x08, 0x59:  // Encryption Change, versions 1 and 2.
            let status = try fields.uint8("status")
            let handle = try fields.handle()
            return .encrypted(
                handle: handle, status: status, isOn: try fields.uint8("encryption") != 0)
        case 0x30:  // Encryption Key Refresh Complete.
            let status = try fields.uint8("status")
            return .encrypted(handle: try fields.handle(), status: status, isOn: status == 0)
        case 0x0E: return try completed(&fields)
        case 0x3E: return try meta(&fields)
        default: return .other
        }
    }

    /// Command Complete of Read BD_ADDR (Core Specification Vol 4 Part E 7.4.6).
    private static func completed(_ fields: inout HCIFields) throws(MalformedBytes) -> HCINews {
        _ = try fields.uint8("number of packets")
        guard try fields.uint16("command opcode") == 0x1009, try fields.uint8("status") == 0
        else { return .other }
        return .address(try fields.address(isRandom: false))
    }

    private static func meta(_ fields: inout HCIFields) throws(MalformedBytes) -> HCINews {
        let subevent = try fields.uint8("subevent code")
        switch subevent {
        case 0x01, 0x0A, 0x29: return try connected(&fields, subevent: subevent)
        case 0x03:
            let status = try fields.uint8("status")
            let handle = try fields.handle()
            return .updated(handle: handle, status: status, try fields.parameters())
        default: return .other
        }
    }

    /// LE Connection Complete, and its enhanced versions, which have the private addresses on top.
    private static func connected(
        _ fields: inout HCIFields, subevent: UInt8
    ) throws(MalformedBytes) -> HCINews {
        let status = try fields.uint8("status")
        let handle = try fields.handle()
        let role = try fields.uint8("role")
        let peer = try fields.peer()
        if subevent != 0x01 { _ = try fields.take(12, as: "private addresses") }
        let parameters = try fields.parameters()
        guard status == 0 else { return .other }
        return .connected(handle: handle, isCentral: role == 0, peer: peer, parameters)
    }

    /// Core Specification Vol 4 Part E 7.1 and 7.8.
    private static func command(_ fields: inout HCIFields) throws(MalformedBytes) -> HCINews {
        let opcode = try fields.uint16("opcode")
        let length = Int(try fields.uint8("parameter length"))
        try fields.needRest(of: length)
        switch opcode {
        case 0x0406:
            return .disconnecting(
                handle: try fields.handle(), reason: try fields.uint8("reason"))
        case 0x2005: return .address(try fields.address(isRandom: true))
        case 0x200A, 0x2039: return .advertising(try fields.uint8("enable") != 0)
        case 0x200C, 0x2042: return .scanning(try fields.uint8("enable") != 0)
        case 0x200D:
            _ = try fields.take(5, as: "scan interval, window and filter policy")
            return .connecting(try fields.peer())
        case 0x2043:
            _ = try fields.take(2, as: "filter policy and own address type")
            return .connecting(try fields.peer())
        default: return .other
        }
    }
}

/// The fields of an HCI packet, the least significant byte first.
private struct HCIFields {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func take(_ count: Int, as field: String) throws(MalformedBytes) -> ArraySlice<UInt8> {
        guard bytes.count - offset >= count else {
            throw MalformedBytes("HCI packet", offset: offset, expected: field)
        }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func uint8(_ field: String) throws(MalformedBytes) -> UInt8 {
        try take(1, as: field).reduce(0) { $1 | $0 }
    }

    mutating func uint16(_ field: String) throws(MalformedBytes) -> UInt16 {
        try take(2, as: field).reversed().reduce(0) { $0 << 8 | UInt16($1) }
    }

    mutating func handle() throws(MalformedBytes) -> UInt16 { try uint16("handle") & 0x0FFF }

    mutating func address(isRandom: Bool) throws(MalformedBytes) -> Address {
        let value = try take(6, as: "address").reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Address(value, isRandom: isRandom)
    }

    mutating func peer() throws(MalformedBytes) -> Address {
        try address(isRandom: uint8("address type") & 1 == 1)
    }

    mutating func parameters() throws(MalformedBytes) -> ConnectionParameters {
        ConnectionParameters(
            interval: try uint16("interval"), latency: try uint16("latency"),
            timeout: try uint16("supervision timeout"))
    }

    /// What is left has to be as long as the packet itself says.
    func needRest(of length: Int) throws(MalformedBytes) {
        guard bytes.count - offset == length else {
            throw MalformedBytes(
                "HCI packet", offset: offset,
                expected: "\(length) bytes, as its length says, not \(bytes.count - offset)")
        }
    }

    mutating func rest() -> [UInt8] {
        defer { offset = bytes.count }
        return Array(bytes[offset...])
    }
}
