package import FoundationEssentials

extension UUID {
    /// A UUID of 16 bytes, marked as a random one (RFC 9562 5.4).
    package init(random bytes: [UInt8]) {
        precondition(bytes.count == 16, "a UUID has 16 bytes")
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
