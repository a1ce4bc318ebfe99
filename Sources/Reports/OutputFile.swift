internal import Glibc

/// A file that is written from front to back through a buffer.
final class OutputFile {
    let path: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []
    private static let bufferSize = 64 * 1_024

    /// Opens a new, empty file.
    init(_ path: String) throws(ArtifactError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw ArtifactError("write", path, errno) }
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

    /// Writes what waits in the buffer.
    func flush() throws(ArtifactError) {
        var written = 0
        defer { buffer.removeAll(keepingCapacity: true) }
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
    }

    /// Writes the rest and closes.
    func close() throws(ArtifactError) {
        guard descriptor >= 0 else { return }
        try flush()
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
