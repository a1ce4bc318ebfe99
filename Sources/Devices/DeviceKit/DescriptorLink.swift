import Glibc

/// Two descriptors (or one twice), read and written with blocking calls.
struct DescriptorLink {
    private let input: Int32
    private let output: Int32
    private var chunk = [UInt8](repeating: 0, count: 1 << 14)

    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    /// Waits for bytes and hands them to `take`.
    ///
    /// False at the end of the stream.
    mutating func read(_ take: (UnsafeRawBufferPointer) -> Void) throws(ProcessFailure) -> Bool {
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(input, $0.baseAddress, $0.count) }
            guard count < 0 else {
                chunk.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                return count > 0
            }
            // A reset connection is an orchestrator that was killed: the end of the stream.
            if errno == ECONNRESET { return false }
            try recover(input, until: Int16(POLLIN), to: "read from the link")
        }
    }

    /// Writes all of `bytes`.
    ///
    /// False where nobody reads them any more.
    func write(_ bytes: [UInt8]) throws(ProcessFailure) -> Bool {
        try writeAll(bytes, to: output)
    }
}

/// Writes a line to standard error at once, so that a crash loses nothing of it.
func writeLine(_ line: String) {
    // Where nobody reads the log there is nobody to tell.
    _ = try? writeAll(Array((line + "\n").utf8), to: STDERR_FILENO)
}

/// Writes all of `bytes`, in one call where the system takes them.
///
/// False where nobody reads them any more.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(ProcessFailure) -> Bool {
    var written = 0
    while written < bytes.count {
        let count = bytes.withUnsafeBytes {
            Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
        }
        if count >= 0 {
            written += count
        } else if errno == EPIPE || errno == ECONNRESET {
            return false
        } else {
            try recover(descriptor, until: Int16(POLLOUT), to: "write to the link")
        }
    }
    return true
}

/// Returns when a call that failed is worth repeating: at once where a signal interrupted it, and when
/// the descriptor is ready where it would have blocked (somebody left it non-blocking).
private func recover(
    _ descriptor: Int32, until events: Int16, to action: String
) throws(ProcessFailure) {
    switch errno {
    case EINTR: return
    case EAGAIN:
        var request = pollfd(fd: descriptor, events: events, revents: 0)
        _ = poll(&request, 1, -1)
    case let code: throw .brokenLink(action, errno: code)
    }
}
