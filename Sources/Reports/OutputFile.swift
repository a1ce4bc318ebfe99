internal import Glibc

/// A file that is written from front to back through a buffer.
///
/// One of hundreds is open only while its buffer is written, because descriptors are few.
final class OutputFile {
    let path: String
    private let staysOpen: Bool
    private var descriptor: Int32
    private var buffer: [UInt8] = []
    private static let bufferSize = 64 * 1_024

    /// Makes a new, empty file, or continues one behind its end.
    init(
        _ path: String, continued: Bool = false, staysOpen: Bool = true
    ) throws(ArtifactError) {
        self.path = path
        self.staysOpen = staysOpen
        descriptor = try Self.open(path, continued ? O_APPEND : O_TRUNC)
        if !staysOpen { try closeDescriptor() }
    }

    private static func open(_ path: String, _ beginning: Int32) throws(ArtifactError) -> Int32 {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | beginning | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw ArtifactError("write", path, errno) }
        return descriptor
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Adds bytes.
    func append(_ bytes: [UInt8]) throws(ArtifactError) {
        buffer += bytes
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Adds bytes.
    func append(_ bytes: UnsafeRawBufferPointer) throws(ArtifactError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Adds the last bytes and closes.
    func writeWhole(_ bytes: UnsafeRawBufferPointer) throws(ArtifactError) {
        try append(bytes)
        try close()
    }

    /// Writes what waits in the buffer.
    func flush() throws(ArtifactError) {
        var written = 0
        defer { buffer.removeAll(keepingCapacity: staysOpen) }
        guard !buffer.isEmpty else { return }
        if descriptor < 0 { descriptor = try Self.open(path, O_APPEND) }
        while written < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw ArtifactError("write", path, errno)
            }
            written += count
        }
        if !staysOpen { try closeDescriptor() }
    }

    /// Writes the rest and closes.
    func close() throws(ArtifactError) {
        try flush()
        try closeDescriptor()
    }

    private func closeDescriptor() throws(ArtifactError) {
        guard descriptor >= 0 else { return }
        let result = Glibc.close(descriptor)
        descriptor = -1
        if result != 0 { throw ArtifactError("close", path, errno) }
    }
}

/// A file or folder of the output tree that could not be written.
package struct ArtifactError: Error, Equatable, CustomStringConvertible {
    /// The sentence for the user.
    package let description: String

    init(_ verb: String, _ path: String, _ code: Int32) {
        description =
            "cannot \(verb) \(path): \(String(cString: strerror(code))); "
            + "what was written so far is kept. Choose another folder with --out, or --no-out"
    }
}
