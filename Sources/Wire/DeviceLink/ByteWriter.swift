/// The limits of DEVICE-LINK.md: counts, lengths in bytes, numbers.
public enum LinkLimits {
    /// The most bytes that may follow a frame's length: 1 MiB.
    public static let frame = 1 << 20
    /// The most bytes of a text or a block, and the most elements of a list.
    public static let block = 0xFFFF
    /// The most bytes of advertising data or a scan response (Core Specification Vol 6 Part B 2.3).
    public static let advertisingData = 31
    /// The most bytes of the name of a timer, a queue, a kind or a field, and of a key to store; a name
    /// has at least one.
    public static let name = 255
    /// The most bytes of a program's name in a hello.
    public static let program = 255
    /// The most bytes of the reason of a refusal.
    public static let reason = 4_096
    /// The most answers in one turn.
    public static let answers = 4_096
    /// The most fields of an observation.
    public static let fields = 64
    /// The most bytes of a text, or of bytes, in a field of an observation.
    public static let fieldValue = 4_096
    /// The most timers that are set and items that wait in queues, together, at a time.
    public static let waiting = 8_192
    /// The most names of timers and queues, together, that one incarnation uses.
    public static let names = 262_144
    /// The most pairs that a device keeps stored.
    public static let storedPairs = 4_096
    /// The most bytes of all keys and values that it keeps stored: with them a reset fits into a frame.
    public static let storedBytes = 1 << 19
    /// The most UWB sessions that one device runs at a time.
    public static let uwbSessions = 256
    /// The shortest time between two frames of a camera, in milliseconds.
    public static let cameraInterval: UInt16 = 10
    /// The most bytes of the record of a service on the network: with it an announcement fits into one packet (RFC 6763
    /// section 6.2).
    public static let networkRecord = 1_300
    /// The most services that one device offers, and the most types that it browses for, at a time.
    public static let networkServices = 64
    /// The most connections that one device has at a time.
    public static let networkConnections = 256
    /// The most messages of one side that are under way on a connection.
    public static let networkMessages = 1_024
}

/// Writes the contract's values one after the other: little endian, no padding.
///
/// Beyond its memory it writes nothing and only counts, so that a pass that did not fit gives the size
/// that the next one needs. This and `FrameFields` are the only code here that touches memory.
struct ByteWriter {
    private let memory: UnsafeMutableRawBufferPointer
    /// The number of bytes written, or that would have been written.
    private(set) var position = 0

    private init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    /// Room for a frame of the usual size where `out` has none of its own.
    private static let usualRoom = 256

    /// Appends a frame to `out`: its length, its type, and what `payload` writes.
    ///
    /// Where `payload` throws or the frame is too long, `out` is as it was.
    @inline(__always)
    static func appendFrame(
        _ type: FrameType, to out: inout [UInt8],
        payload: (inout ByteWriter) throws(LinkError) -> Void
    ) throws(LinkError) {
        func frame(_ writer: inout ByteWriter) throws(LinkError) {
            let start = writer.beginLength()
            writer.put(type.rawValue)
            try payload(&writer)
            try writer.endFrame(start)
        }
        let room = max(out.capacity - out.count, usualRoom)
        let written = try append(to: &out, room: room, frame)
        guard written > room else { return }
        _ = try append(to: &out, room: written, frame)
    }

    /// One pass: appends all or, where it needs more than `room`, nothing, and returns how much it needs.
    @inline(__always)
    private static func append(
        to out: inout [UInt8], room: Int, _ body: (inout ByteWriter) throws(LinkError) -> Void
    ) throws(LinkError) -> Int {
        var written = 0
        try out.append(addingCapacity: room) { (span: inout OutputSpan<UInt8>) throws(LinkError) in
            try span.withUnsafeMutableBufferPointer { memory, count throws(LinkError) in
                var writer = ByteWriter(UnsafeMutableRawBufferPointer(memory))
                try body(&writer)
                written = writer.position
                count = written > memory.count ? 0 : written
            }
        }
        return written
    }

    @inline(__always)
    mutating func put<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        let next = position + MemoryLayout<Number>.size
        if next <= memory.count {
            memory.storeBytes(of: number.littleEndian, toByteOffset: position, as: Number.self)
        }
        position = next
    }

    @inline(__always)
    mutating func put(_ flag: Bool) { put(UInt8(flag ? 1 : 0)) }

    /// Bytes whose number is known to the reader.
    @inline(__always)
    mutating func put(raw bytes: UnsafeRawBufferPointer) {
        let next = position + bytes.count
        if next <= memory.count {
            UnsafeMutableRawBufferPointer(rebasing: memory[position..<next]).copyMemory(from: bytes)
        }
        position = next
    }

    /// Begins a length: a 32-bit number of bytes, and as many bytes.
    ///
    /// Returns its place for `endLength`.
    @inline(__always)
    mutating func beginLength() -> Int {
        put(UInt32(0))
        return position
    }

    /// Ends the length that began at `start`.
    @inline(__always)
    mutating func endLength(_ start: Int) {
        let end = position
        position = start - 4
        put(UInt32(truncatingIfNeeded: end - start))
        position = end
    }

    /// Ends a frame, the first thing written, which begins with its length.
    mutating func endFrame(_ start: Int) throws(LinkError) {
        endLength(start)
        guard position - start <= LinkLimits.frame else {
            throw LinkError(
                .overlong, at: 0, expected: "a frame of at most \(LinkLimits.frame) bytes",
                found: "\(position - start)")
        }
    }
}

extension ByteWriter {
    mutating func put(_ text: String) throws(LinkError) {
        var text = text
        try putCount(text.utf8.count, of: "bytes of text")
        text.withUTF8 { put(raw: UnsafeRawBufferPointer($0)) }
    }

    mutating func put(
        block: [UInt8], atMost limit: Int = LinkLimits.block
    ) throws(LinkError) {
        try putCount(block.count, atMost: limit, of: "bytes")
        block.withUnsafeBytes { put(raw: $0) }
    }

    /// Bytes whose number the contract fixes; no length is written.
    mutating func put(_ bytes: [UInt8], exactly count: Int) throws(LinkError) {
        guard bytes.count == count else {
            throw LinkError(
                .badValue, at: UInt64(position), expected: "exactly \(count) bytes",
                found: "\(bytes.count)")
        }
        bytes.withUnsafeBytes { put(raw: $0) }
    }

    /// The number of things that follow.
    @inline(__always)
    mutating func putCount(
        _ count: Int, atMost limit: Int = LinkLimits.block, of things: StaticString
    ) throws(LinkError) {
        guard count <= limit else { throw tooMany(count, limit: limit, of: things) }
        put(UInt16(truncatingIfNeeded: count))
    }

    private func tooMany(_ count: Int, limit: Int, of things: StaticString) -> LinkError {
        LinkError(
            .overlong, at: UInt64(position), expected: "at most \(limit) \(things)",
            found: "\(count)")
    }

    mutating func put(_ address: Address) {
        put(address.isRandom)
        put(UInt32(truncatingIfNeeded: address.value))
        put(UInt16(truncatingIfNeeded: address.value >> 32))
    }

    mutating func put(_ parameters: ConnectionParameters) {
        put(parameters.interval)
        put(parameters.latency)
        put(parameters.timeout)
    }

    mutating func put(_ pairs: [Pair]) throws(LinkError) {
        try putCount(pairs.count, of: "pairs")
        for pair in pairs {
            try put(pair.name)
            try put(pair.value)
        }
    }
}
