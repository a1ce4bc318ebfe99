/// What has come of a stream of bytes, until packets are taken off it.
package struct StreamBytes: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0

    package init() {}

    /// How many have not been taken.
    package var count: Int { bytes.count - start }

    /// The first that has not been taken; nil where there is none.
    package var first: UInt8? { count > 0 ? bytes[start] : nil }

    /// One of those that have not been taken, from 0.
    package subscript(place: Int) -> UInt8 { bytes[start + place] }

    /// Adds what came next.
    package mutating func append(_ more: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// Takes a packet; nil where it is not all there.
    package mutating func take(_ length: Int) -> [UInt8]? {
        guard count >= length else { return nil }
        defer { start += length }
        return Array(bytes[start..<start + length])
    }
}
