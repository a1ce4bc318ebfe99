/// Reads an input as choices and values, one after another.
///
/// Behind its end everything is 0, so that every input means something and a shorter one the same for
/// a while.
package struct InputReader {
    private var bytes: ArraySlice<UInt8>

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes)[...] }

    /// Whether everything was read.
    package var isAtEnd: Bool { bytes.isEmpty }

    /// All that was not read.
    package var rest: [UInt8] { Array(bytes) }

    /// The next byte.
    package mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    /// A choice among so many, at most 256.
    package mutating func below(_ count: Int) -> Int { Int(byte()) % count }

    /// So many bytes, or what there is.
    package mutating func take(_ count: Int) -> [UInt8] {
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    /// Up to 255 bytes, their number first.
    package mutating func block() -> [UInt8] { take(Int(byte())) }

    /// One of some things; nil where there are none.
    package mutating func one<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// A number as it stands, or one of those at which things break.
    package mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self)
        -> Number
    {
        let small = Number(truncatingIfNeeded: byte())
        switch small & 7 {
        case 0: return 0
        case 1: return .max
        case 2: return .min
        case 3: return .max - Number(truncatingIfNeeded: byte())
        case 4, 5: return Number(truncatingIfNeeded: byte())
        case 6: return Number(truncatingIfNeeded: UInt16(byte()) << 8 | UInt16(byte()))
        default:
            return (0..<MemoryLayout<Number>.size).reduce(0) { number, _ in
                number << 8 | Number(truncatingIfNeeded: byte())
            }
        }
    }

    /// A number of a range, or any.
    package mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        mostly range: ClosedRange<Number>
    ) -> Number {
        guard byte() < 192 else { return number() }
        let offset = UInt16(byte()) << 8 | UInt16(byte())
        let room = range.upperBound - range.lowerBound
        return range.lowerBound
            + (room == .max
                ? Number(truncatingIfNeeded: offset)
                : Number(UInt64(offset) % (UInt64(room) + 1)))
    }
}
