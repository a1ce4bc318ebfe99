import CUV

extension Pipe {
    /// The bytes that wait for the reader to make room.
    package var queuedByteCount: Int { isOpen ? uv_stream_get_write_queue_size(stream) : 0 }

    /// Writes `bytes`: at once as far as the pipe has room, the rest from a copy as it gets room.
    ///
    /// - Throws: why nothing can be written: `brokenPipe` where the reader is gone, `badDescriptor`
    ///   where the pipe is closed, or what an earlier write failed with after it was queued.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(UVError) {
        guard isOpen else { throw UVError(.badDescriptor, in: "write") }
        if let writeFailure { throw writeFailure }
        guard !bytes.isEmpty else { return }
        var buffer = uv_buf_t(borrowing: bytes)
        // libuv says "try again" by itself where earlier bytes wait, so the order is kept.
        let result = uv_try_write(stream, &buffer, 1)
        if result == bytes.count { return }
        if result == UV_EAGAIN.rawValue {
            try queue(bytes)
        } else {
            let written = try Int(check(result, in: "write"))
            try queue(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        }
    }

    /// Writes the bytes of an array; see ``write(_:)-(UnsafeRawBufferPointer)``.
    package func write(_ bytes: [UInt8]) throws(UVError) {
        let outcome = bytes.withUnsafeBytes { bytes in
            Result { () throws(UVError) in try write(bytes) }
        }
        try outcome.get()
    }

    /// Closes the pipe as soon as no written byte waits any more, or cannot be delivered.
    package func closeWhenWritten() {
        if queuedByteCount == 0 || writeFailure != nil {
            close()
        } else {
            closesWhenWritten = true
        }
    }

    private func queue(_ bytes: UnsafeRawBufferPointer) throws(UVError) {
        let request = WriteRequest(to: self, copying: bytes)
        var buffer = uv_buf_t(borrowing: UnsafeRawBufferPointer(request.bytes))
        let retained = Unmanaged.passRetained(request)
        uv_req_set_data(request.base, retained.toOpaque())
        let result = uv_write(request.raw, stream, &buffer, 1) { raw, status in
            let request = WriteRequest.finished(raw)
            request.pipe.wrote(status)
        }
        if result < 0 { retained.release() }
        try check(result, in: "uv_write")
    }

    private func wrote(_ status: Int32) {
        // A closed pipe cancels its writes: nobody is left to hear of it.
        guard isOpen else { return }
        if status < 0, writeFailure == nil {
            let failure = UVError(UVError.Code(rawValue: status), in: "write")
            writeFailure = failure
            loop.attempt { try onWriteFailure(failure) }
        }
        if closesWhenWritten { closeWhenWritten() }
    }
}

/// A write that waits: it owns its bytes and, until libuv is done with it, itself.
private final class WriteRequest {
    let pipe: Pipe
    let bytes: UnsafeMutableRawBufferPointer
    let raw: UnsafeMutablePointer<uv_write_t>

    init(to pipe: Pipe, copying source: UnsafeRawBufferPointer) {
        self.pipe = pipe
        bytes = .allocate(byteCount: source.count, alignment: 1)
        bytes.copyMemory(from: source)
        raw = .allocate(capacity: 1)
    }

    deinit {
        bytes.deallocate()
        raw.deallocate()
    }

    /// The same structure under the type of all requests.
    var base: UnsafeMutablePointer<uv_req_t> {
        UnsafeMutableRawPointer(raw).assumingMemoryBound(to: uv_req_t.self)
    }

    /// Takes the request back from libuv.
    static func finished(_ raw: UnsafeMutablePointer<uv_write_t>?) -> WriteRequest {
        let base = UnsafeMutableRawPointer(raw)?.assumingMemoryBound(to: uv_req_t.self)
        return Unmanaged<WriteRequest>.fromOpaque(uv_req_get_data(base)).takeRetainedValue()
    }
}

extension uv_buf_t {
    /// A buffer that libuv only reads from, although its type does not say so.
    fileprivate init(borrowing bytes: UnsafeRawBufferPointer) {
        let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        self.init(base: base?.assumingMemoryBound(to: CChar.self), len: bytes.count)
    }
}
