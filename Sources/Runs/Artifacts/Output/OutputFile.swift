import Glibc

/// A file that is written from front to back through a buffer.
///
/// One of hundreds is open only while its buffer is written, because descriptors are few.
final class OutputFile {
    let path: String
    private let staysOpen: Bool
    private var descriptor: Int32
    private var buffer: [UInt8] = []
    private var isBegun: Bool
    private static let bufferSize = 64 * 1_024

    /// Makes a new, empty file, or continues one behind its end.
    ///
    /// A link is not followed: what it leads to is not ours.
    init(
        _ path: String, continued: Bool = false, staysOpen: Bool = true
    ) throws(ArtifactError) {
        self.path = path
        self.staysOpen = staysOpen
        isBegun = continued
        descriptor = try Self.open(path, flag: continued ? O_APPEND : O_TRUNC)
        if !staysOpen { try closeDescriptor() }
    }

    private static func open(_ path: String, flag beginning: Int32) throws(ArtifactError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | beginning | O_CLOEXEC | O_NOFOLLOW
        let descriptor = Glibc.open(path, flags, 0o644)
        if descriptor < 0 { throw ArtifactError(cannot: "write", path, code: errno) }
        return descriptor
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Adds bytes, and writes the buffer when it is full (64 KiB).
    func append(_ bytes: [UInt8]) throws(ArtifactError) {
        buffer += bytes
        if buffer.count >= Self.bufferSize { try flush() }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ArtifactError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Adds the last bytes and closes.
    func writeWhole(_ bytes: UnsafeRawBufferPointer) throws(ArtifactError) {
        try append(bytes)
        try close()
    }

    func flush() throws(ArtifactError) {
        defer { buffer.removeAll(keepingCapacity: staysOpen) }
        guard !buffer.isEmpty else { return }
        if descriptor < 0 { descriptor = try Self.open(path, flag: O_APPEND) }
        let (written, failure) = buffer.withUnsafeBytes { writeAll($0, to: descriptor) }
        isBegun = isBegun || written > 0
        if let failure {
            throw ArtifactError(cannot: "write", path, code: failure, isBegun: isBegun)
        }
        if !staysOpen { try closeDescriptor() }
    }

    func close() throws(ArtifactError) {
        try flush()
        try closeDescriptor()
    }

    private func closeDescriptor() throws(ArtifactError) {
        guard descriptor >= 0 else { return }
        let result = Glibc.close(descriptor)
        descriptor = -1
        if result != 0 { throw ArtifactError(cannot: "close", path, code: errno, isBegun: isBegun) }
    }
}

/// Writes bytes to a descriptor; returns how many were written, and why not all where that is so.
package func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
) -> (written: Int, failure: Int32?) {
    var written = 0
    while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno != EINTR { return (written, errno) }
        written += max(count, 0)
    }
    return (written, nil)
}
