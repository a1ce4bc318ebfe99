import CUV
import Glibc

/// A bare descriptor with one owner: closed when it is given away, closed or dropped.
package final class Descriptor {
    /// The descriptor's number; nil once it is closed or given away.
    package private(set) var number: Int32?

    package init(owning number: Int32) { self.number = number }

    deinit { close() }

    /// Closes the descriptor; closing twice does nothing.
    package func close() {
        guard let number = release() else { return }
        // Linux frees the number whatever close says, so there is nothing to retry.
        _ = Glibc.close(number)
    }

    /// Gives the number away: who asked for it has to close it.
    package func release() -> Int32? {
        defer { number = nil }
        return number
    }
}

extension Descriptor {
    /// The two ends of a channel to a child, both close-on-exec: ours does not block, the child's does.
    package typealias Ends = (ours: Descriptor, childs: Descriptor)

    /// What we do with our end of a pipe.
    package enum Use { case reading, writing }

    /// A real pipe to a child, of which we hold the end for `use`.
    ///
    /// libuv's own pipes to children are socket pairs, which take twice as long for a round trip.
    package static func pipe(for use: Use) throws(UVError) -> Ends {
        let ours = Int32(UV_NONBLOCK_PIPE.rawValue)
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutableBytes(of: &ends) { bytes in
            uv_pipe(
                bytes.baseAddress?.assumingMemoryBound(to: uv_file.self),
                use == .reading ? ours : 0, use == .writing ? ours : 0)
        }
        try check(result, in: "uv_pipe")
        let (reader, writer) = (Descriptor(owning: ends.0), Descriptor(owning: ends.1))
        return use == .reading ? (reader, writer) : (writer, reader)
    }

    /// A pair of connected unix-domain stream sockets, one for each side, for both directions.
    package static func socketPair() throws(UVError) -> Ends {
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutableBytes(of: &ends) { bytes in
            uv_socketpair(
                Int32(SOCK_STREAM.rawValue), 0,
                bytes.baseAddress?.assumingMemoryBound(to: uv_os_sock_t.self),
                Int32(UV_NONBLOCK_PIPE.rawValue), 0)
        }
        try check(result, in: "uv_socketpair")
        return (Descriptor(owning: ends.0), Descriptor(owning: ends.1))
    }
}
