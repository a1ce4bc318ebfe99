import CUV
import Glibc

/// A stream of bytes to or from another process: one end of a pipe, or a unix-domain socket.
package final class Pipe: Handle {
    private var onBytes: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    private var onEnd: (UVError?) throws -> Void = { _ in }
    /// Called once when bytes that were queued could not be written.
    package var onWriteFailure: (UVError) throws -> Void = { _ in }
    var writeFailure: UVError?
    var closesWhenWritten = false

    /// Opens `descriptor`, which becomes non-blocking and is the pipe's from now on; where this fails
    /// it stays the caller's.
    package convenience init(_ descriptor: Descriptor, on loop: Loop) throws(UVError) {
        try self.init(unconnected: loop)
        guard let number = descriptor.number else {
            close()
            throw UVError(.badDescriptor, in: "uv_pipe_open")
        }
        do { try check(uv_pipe_open(pipe, number), in: "uv_pipe_open") } catch {
            close()
            throw error
        }
        _ = descriptor.release()
    }

    /// A pipe that is neither open nor connected, for a listener to accept a peer with.
    init(unconnected loop: Loop) throws(UVError) {
        try super.init(on: loop, as: UV_NAMED_PIPE, by: "uv_pipe_init") {
            uv_pipe_init(loop.raw, $0.assumingMemoryBound(to: uv_pipe_t.self), 0)
        }
    }

    /// Calls `onBytes` with whatever arrives, and `onEnd` once when nothing more will: with nil at
    /// the end of the file, with an error otherwise.
    ///
    /// The bytes are only lent for the call. They come in pieces of at most 64 KiB that have nothing
    /// to do with how they were written.
    package func read(
        _ onBytes: @escaping (UnsafeRawBufferPointer) throws -> Void,
        onEnd: @escaping (UVError?) throws -> Void
    ) throws(UVError) {
        guard isOpen else { throw UVError(.badDescriptor, in: "uv_read_start") }
        self.onBytes = onBytes
        self.onEnd = onEnd
        let result = uv_read_start(
            stream,
            { raw, _, buffer in
                let memory = Handle.owner(of: raw).loop.readBuffer
                buffer?.pointee = uv_buf_t(
                    base: memory.baseAddress?.assumingMemoryBound(to: CChar.self), len: memory.count
                )
            },
            { raw, count, buffer in
                Handle.owner(Pipe.self, of: raw).received(count, in: buffer?.pointee.base)
            })
        try check(result, in: "uv_read_start")
    }

    /// What Linux keeps in a pipe unless asked for more.
    private static let capacity = 1 << 16

    /// Takes at once what is in the pipe, as far as its writer has got, up to the pipe's capacity.
    ///
    /// For the moment at which what comes next belongs to somebody else.
    package func drain() throws {
        var descriptor: Int32 = -1
        guard isOpen, uv_fileno(raw, &descriptor) == 0 else { return }
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.capacity) { memory, count in
            count = max(0, Glibc.read(descriptor, memory.baseAddress, memory.count))
        }
        if !chunk.isEmpty { try chunk.withUnsafeBytes { try onBytes($0) } }
    }

    private func received(_ count: Int, in bytes: UnsafeMutablePointer<CChar>?) {
        if count > 0 {
            loop.attempt { try onBytes(UnsafeRawBufferPointer(start: bytes, count: count)) }
        } else if count < 0 {
            let code = UVError.Code(rawValue: Int32(count))
            uv_read_stop(stream)
            loop.attempt { try onEnd(count == UV_EOF.rawValue ? nil : UVError(code, in: "read")) }
        }
        // Zero is a false alarm: there was nothing to read after all.
    }

    override func dropCallbacks() {
        onBytes = { _ in }
        onEnd = { _ in }
        onWriteFailure = { _ in }
    }
}
