/// XXH64, a published hash (Yann Collet, "xxHash fast digest algorithm", 0.1.1).
///
/// There is a library of it for every language that a device may be written in. It is fast and spreads
/// well; it does not resist somebody who looks for collisions.
@usableFromInline
enum XXH64 {
    @usableFromInline static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    @usableFromInline static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    @usableFromInline static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    @usableFromInline static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    @usableFromInline static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// The hash of a number's eight bytes, the least significant first.
    @inlinable @inline(__always)
    static func hash(_ number: UInt64, seed: UInt64) -> UInt64 {
        avalanche(taking(number, into: seed &+ prime5 &+ 8))
    }

    static func hash(_ text: String, seed: UInt64) -> UInt64 {
        let known = text.utf8.withContiguousStorageIfAvailable {
            hash(UnsafeRawBufferPointer($0), seed: seed)
        }
        return known ?? hash(Array(text.utf8), seed: seed)
    }

    static func hash(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
        bytes.withUnsafeBytes { hash($0, seed: seed) }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        guard let start = bytes.baseAddress else { return avalanche(seed &+ prime5) }
        guard bytes.count < 32 else { return hash(stripesFrom: start, bytes.count, seed: seed) }
        return hash(of: start, start + bytes.count, after: seed &+ prime5, bytes.count)
    }

    /// Whole stripes of 32 bytes, each in four lanes that do not wait for each other, and what is left.
    ///
    /// Never inlined: a short text, which has no stripe, would save registers for it.
    @inline(never)
    private static func hash(
        stripesFrom start: UnsafeRawPointer, _ count: Int, seed: UInt64
    ) -> UInt64 {
        var lanes: InlineArray<4, UInt64> = [
            seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1,
        ]
        var next = start
        while start + count - next >= 32 {
            for lane in lanes.indices { lanes[lane] = round(lanes[lane], word(from: &next)) }
        }
        var hash =
            rotated(lanes[0], by: 1) &+ rotated(lanes[1], by: 7) &+ rotated(lanes[2], by: 12)
            &+ rotated(lanes[3], by: 18)
        for lane in lanes.indices {
            hash = (hash ^ round(0, lanes[lane])) &* prime1 &+ prime4
        }
        return self.hash(of: next, start + count, after: hash, count)
    }

    /// The bytes that are no whole stripe, and the number of all.
    @inline(__always)
    private static func hash(
        of start: UnsafeRawPointer, _ end: UnsafeRawPointer, after stripes: UInt64, _ count: Int
    ) -> UInt64 {
        var next = start
        var hash = stripes &+ UInt64(truncatingIfNeeded: count)
        while end - next >= 8 { hash = taking(word(from: &next), into: hash) }
        if end - next >= 4 {
            let half = UInt32(littleEndian: next.loadUnaligned(as: UInt32.self))
            hash = rotated(hash ^ UInt64(half) &* prime1, by: 23) &* prime2 &+ prime3
            next += 4
        }
        while next < end {
            hash = rotated(hash ^ UInt64(next.load(as: UInt8.self)) &* prime5, by: 11) &* prime1
            next += 1
        }
        return avalanche(hash)
    }

    private static func word(from next: inout UnsafeRawPointer) -> UInt64 {
        defer { next += 8 }
        return UInt64(littleEndian: next.loadUnaligned(as: UInt64.self))
    }

    @inlinable
    static func taking(_ word: UInt64, into hash: UInt64) -> UInt64 {
        rotated(hash ^ round(0, word), by: 27) &* prime1 &+ prime4
    }

    @inlinable
    static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotated(lane &+ word &* prime2, by: 31) &* prime1
    }

    @inlinable
    static func rotated(_ number: UInt64, by bits: UInt64) -> UInt64 {
        number &<< bits | number &>> (64 - bits)
    }

    /// Lets each bit of the result depend on all.
    @inlinable
    static func avalanche(_ hash: UInt64) -> UInt64 {
        var hash = hash
        hash = (hash ^ hash &>> 33) &* prime2
        hash = (hash ^ hash &>> 29) &* prime3
        return hash ^ hash &>> 32
    }
}
