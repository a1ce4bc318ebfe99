import Glibc

/// Both directions to a child that is asked and answers, without a loop: who writes or reads waits.
package final class BlockingPipe {
    private let input: Descriptor
    private let output: Descriptor
    private var bytes: [UInt8] = []

    /// Takes over our two ends: where answers come from, and where requests go to.
    package init(input: Descriptor, output: Descriptor) {
        (self.input, self.output) = (input, output)
    }

    /// Writes all of it; waits where the other end is slow, which holds us back as it should.
    ///
    /// - Throws: `brokenPipe` where nobody reads any more.
    package func write(_ bytes: [UInt8]) throws(UVError) {
        guard let number = output.number else { throw UVError(.badDescriptor, in: "write") }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Glibc.write(number, $0.baseAddress, $0.count)
            }
            if count < 0, errno != EINTR { throw UVError.last(in: "write") }
            written += max(count, 0)
        }
    }

    /// The next line, without its end; nil at the end of the input.
    ///
    /// Where it does not wait, nil also says that there is no whole line yet.
    package func line(waits: Bool = true) -> [UInt8]? {
        while true {
            if let end = bytes.firstIndex(of: 0x0A) {
                defer { bytes.removeSubrange(...end) }
                return Array(bytes[..<end])
            }
            guard waits || isReady, readMore() else { return nil }
        }
    }

    /// Says that nothing more will be asked.
    package func closeOutput() { output.close() }

    /// Whether there is something to read, be it the end.
    private var isReady: Bool {
        guard let number = input.number else { return false }
        var state = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) > 0
    }

    /// Reads what there is; false at the end.
    private func readMore() -> Bool {
        guard let number = input.number else { return false }
        while true {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
                count = read(number, buffer.baseAddress, buffer.count)
                initialized = max(0, count)
            }
            if count < 0, errno == EINTR { continue }
            bytes += chunk
            return count > 0
        }
    }
}
