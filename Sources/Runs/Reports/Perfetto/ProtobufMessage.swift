/// A message of Protocol Buffers, written field by field (https://protobuf.dev/programming-guides/encoding).
struct ProtobufMessage {
    private(set) var bytes: [UInt8] = []

    private enum WireType: UInt64 {
        case varint = 0, fixed64 = 1, lengthDelimited = 2
    }

    /// Adds a number (`uint64`, `int64`, an enumeration or a `bool`).
    mutating func add(_ field: UInt64, _ number: UInt64) {
        add(field, .varint)
        add(varint: number)
    }

    /// Adds a number of eight bytes (`fixed64`).
    mutating func add(_ field: UInt64, fixed number: UInt64) {
        add(field, .fixed64)
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func add(_ field: UInt64, _ text: String) { add(field, Array(text.utf8)) }

    mutating func add(_ field: UInt64, _ message: ProtobufMessage) { add(field, message.bytes) }

    private mutating func add(_ field: UInt64, _ content: [UInt8]) {
        add(field, .lengthDelimited)
        add(varint: UInt64(content.count))
        bytes += content
    }

    private mutating func add(_ field: UInt64, _ type: WireType) {
        add(varint: field << 3 | type.rawValue)
    }

    /// Seven bits a byte, the least significant first; the top bit says that more follow.
    private mutating func add(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
