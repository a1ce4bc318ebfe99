/// Numbers that depend on a key and a name only, never on what was drawn before.
///
/// Removing a device, a step or a draw therefore does not change any other draw (a stream of random
/// numbers would re-roll all that follow). The parts are chained by XXH64: the hash of one is the seed
/// of the next. It is the one hash of this project, of digests and of compared values too.
@frozen
public struct Keyed: Hashable, Sendable {
    /// The hash of everything mixed in so far, all 64 bits usable.
    public let value: UInt64

    @usableFromInline init(chained value: UInt64) { self.value = value }

    /// A key from a number, for example a seed.
    @inlinable
    public init(_ seed: UInt64) { self.init(chained: XXH64.hash(seed, seed: 0)) }

    /// This key with a number mixed in.
    @inlinable @inline(__always)
    public func with(_ number: UInt64) -> Keyed {
        Keyed(chained: XXH64.hash(number, seed: value))
    }

    /// This key with a name mixed in.
    public func with(_ name: String) -> Keyed { Keyed(chained: XXH64.hash(name, seed: value)) }

    /// This key with the value of a field mixed in; values of different kinds are different.
    public func with(value fieldValue: borrowing Field.Value) -> Keyed {
        switch fieldValue {
        case .text(let text): with(text)
        case .bytes(let bytes): Keyed(chained: XXH64.hash(bytes, seed: value &+ 1))
        case .number(let number): Keyed(chained: value &+ 2).with(UInt64(bitPattern: number))
        case .flag(let flag): Keyed(chained: value &+ 3).with(flag ? 1 : 0)
        case .none: Keyed(chained: value &+ 4).with(0)
        }
    }

    /// This key and another one, whichever of them is first.
    @inlinable
    public func with(_ other: Keyed) -> Keyed { Keyed(chained: value ^ other.value) }

    /// A number below `bound`, each equally likely to within 2⁻⁶⁴; 0 for a bound of 0.
    @inlinable
    public func below(_ bound: UInt64) -> UInt64 { bound.multipliedFullWidth(by: value).high }

    /// `count` bytes, eight of each number that is mixed in, from 0; the least significant first.
    public func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { index in
            UInt8(truncatingIfNeeded: with(UInt64(index / 8)).value >> (8 * UInt64(index % 8)))
        }
    }
}
