/// Numbers that depend on a key and a name only, never on what was drawn before.
///
/// Removing a device, a step or a draw therefore does not change any other draw (a stream of random
/// numbers would re-roll all that follow). The mixing function is SplitMix64's finalizer (Steele,
/// Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
public struct Keyed: Hashable, Sendable {
    /// The state after everything mixed in so far.
    public private(set) var state: UInt64

    /// A key from a number, for example a seed.
    public init(_ seed: UInt64) { state = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15) }

    /// This key with a number mixed in.
    public func with(_ number: UInt64) -> Keyed {
        var next = self
        next.state = Self.mix(state ^ (number &+ 0x9E37_79B9_7F4A_7C15 &+ (state << 6)))
        return next
    }

    /// This key with a name mixed in.
    public func with(_ name: String) -> Keyed {
        let hash = name.utf8.withContiguousStorageIfAvailable { Self.hash($0) }
        return with(hash ?? Array(name.utf8).withUnsafeBufferPointer { Self.hash($0) })
    }

    /// FNV-1a.
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }

    /// The number itself, all 64 bits usable.
    public var value: UInt64 { state }

    /// A number below `bound`, each equally likely to within 2⁻⁶⁴; 0 for a bound of 0.
    public func below(_ bound: UInt64) -> UInt64 { bound.multipliedFullWidth(by: state).high }

    /// `count` bytes, eight of each number that is mixed in, from 0.
    public func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { index in
            UInt8(truncatingIfNeeded: with(UInt64(index / 8)).state >> (8 * UInt64(index % 8)))
        }
    }

    private static func mix(_ number: UInt64) -> UInt64 {
        var z = number
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
