import Basics

/// Reads the contract's values one after the other, and knows where in the stream each byte stands.
///
/// `end` closes over the frame, or over the block inside it that is being read.
struct FrameFields {
    private let bytes: [UInt8]
    private(set) var position: Int
    private var end: Int
    /// The place in the stream of `bytes[0]`.
    private let origin: UInt64

    init(_ bytes: [UInt8], in range: Range<Int>, origin: UInt64) {
        self.bytes = bytes
        self.origin = origin
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position == end }

    /// The place in the stream of the next byte.
    var offset: UInt64 { origin + UInt64(position) }

    @inline(__always)
    mutating func integer<Number: FixedWidthInteger>(
        _ what: StaticString, as type: Number.Type = Number.self
    ) throws(LinkError) -> Number {
        let size = MemoryLayout<Number>.size
        try demand(size, for: what)
        let start = position
        position += size
        return Number(
            littleEndian: bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: start, as: Number.self)
            })
    }

    @inline(__always)
    mutating func byte(_ what: StaticString) throws(LinkError) -> UInt8 {
        try demand(1, for: what)
        defer { position += 1 }
        return bytes[position]
    }

    mutating func flag(_ what: StaticString) throws(LinkError) -> Bool {
        switch try byte(what) {
        case 0: return false
        case 1: return true
        case let other:
            throw LinkError(
                .badValue, at: offset - 1, expected: "0 or 1 (\(what))", found: "\(other)")
        }
    }

    mutating func text(
        _ what: StaticString, atMost limit: Int = LinkLimits.block
    ) throws(LinkError) -> String {
        let range = try take(count(what, atMost: limit), as: what)
        let text = bytes.withUnsafeBufferPointer {
            String(utf8: UnsafeBufferPointer(rebasing: $0[range]))
        }
        guard let text else { throw badText(in: range, as: what) }
        return text
    }

    mutating func block(
        _ what: StaticString, atMost limit: Int = LinkLimits.block
    ) throws(LinkError) -> [UInt8] {
        try bytes(count(what, atMost: limit), as: what)
    }

    @inline(__always)
    private mutating func count(_ what: StaticString, atMost limit: Int) throws(LinkError) -> Int {
        let count = Int(try integer(what, as: UInt16.self))
        guard count <= limit else { throw overlong(count, limit: limit, as: what) }
        return count
    }

    /// Bytes whose number is known.
    mutating func bytes(_ count: Int, as what: StaticString) throws(LinkError) -> [UInt8] {
        let range = try take(count, as: what)
        return bytes.withUnsafeBytes { Array(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// A count, and as many things as it says.
    mutating func list<Element>(
        _ what: StaticString, element: (inout FrameFields) throws(LinkError) -> Element
    ) throws(LinkError) -> [Element] {
        let count = try integer(what, as: UInt16.self)
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try element(&self)) }
        return elements
    }

    /// Goes into a block that its type byte began: a 32-bit length, and exactly as many bytes.
    ///
    /// Returns where what is around it ends, for `endBlock`.
    mutating func beginBlock(_ what: StaticString) throws(LinkError) -> Int {
        let count = try integer(what, as: UInt32.self)
        guard count <= end - position else {
            throw LinkError(
                .overlong, at: offset - 4, expected: "at most \(end - position) bytes (\(what))",
                found: "a length of \(count)")
        }
        let outer = end
        end = position + Int(count)
        return outer
    }

    /// Leaves a block, of which nothing may be left.
    mutating func endBlock(_ outer: Int, as what: StaticString) throws(LinkError) {
        try finish(what)
        end = outer
    }

    /// Passes over what is left.
    mutating func skipRest() { position = end }

    /// Nothing may be left.
    @inline(__always)
    func finish(_ what: StaticString) throws(LinkError) {
        guard position == end else { throw leftOver(what) }
    }

    /// The error for a type byte, just read, that nobody knows.
    func unknown(_ type: UInt8, expected: String) -> LinkError {
        LinkError(.unknownType, at: offset - 1, expected: expected, found: hexadecimal(type))
    }

    @inline(__always)
    private mutating func take(_ count: Int, as what: StaticString) throws(LinkError) -> Range<Int>
    {
        try demand(count, for: what)
        defer { position += count }
        return position..<(position + count)
    }

    @inline(__always)
    private func demand(_ count: Int, for what: StaticString) throws(LinkError) {
        guard end - position >= count else { throw missing(count, for: what) }
    }

    private func missing(_ count: Int, for what: StaticString) -> LinkError {
        LinkError(
            .truncated, at: offset, expected: "\(count) bytes (\(what))",
            found: position == end ? "the end" : "\(end - position)")
    }

    private func overlong(_ count: Int, limit: Int, as what: StaticString) -> LinkError {
        LinkError(
            .overlong, at: offset - 2, expected: "at most \(limit) bytes (\(what))",
            found: "a length of \(count)")
    }

    private func leftOver(_ what: StaticString) -> LinkError {
        LinkError(
            .trailingBytes, at: offset, expected: "the end of \(what)",
            found: "\(end - position) more (\(excerpt(position..<end)))")
    }

    private func badText(in range: Range<Int>, as what: StaticString) -> LinkError {
        var decoder = UTF8()
        var rest = bytes[range].makeIterator()
        var bad = range.lowerBound
        while case .scalarValue(let scalar) = decoder.decode(&rest) { bad += UTF8.width(scalar) }
        return LinkError(
            .badText, at: origin + UInt64(bad), expected: "UTF-8 (\(what))",
            found: excerpt(bad..<range.upperBound))
    }

    /// The first bytes of a range, for messages.
    private func excerpt(_ range: Range<Int>) -> String {
        hexadecimal(bytes[range].prefix(8)) + (range.count > 8 ? " …" : "")
    }
}

extension String {
    /// The text of these bytes, or nil where they are not UTF-8.
    ///
    /// Names are ASCII: there is nothing to validate in them, which is several times faster.
    fileprivate init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        var union: UInt8 = 0
        for byte in bytes { union |= byte }
        if union < 0x80 {
            self.init(unsafeUninitializedCapacity: bytes.count) { room in
                UnsafeMutableRawBufferPointer(room).copyMemory(from: UnsafeRawBufferPointer(bytes))
                return bytes.count
            }
        } else {
            self.init(validating: bytes, as: UTF8.self)
        }
    }
}
