import CUV

/// Something on a loop that calls back: a timer, a signal, a pipe, a listener, a child process.
///
/// libuv borrows a handle's memory from its start to its close callback, so an open handle belongs to
/// the loop: it lives and works on when its Swift owner drops it, until ``close()`` or the loop's end.
/// Callbacks should hold their owner `[unowned self]`; they are let go when the handle closes.
package class Handle {
    private enum State { case open, closing, closed }

    package let loop: Loop
    /// Where the handle's C structure is, of whichever type the subclass is.
    let memory: UnsafeMutableRawPointer
    private var state: State

    var raw: UnsafeMutablePointer<uv_handle_t> { memory.assumingMemoryBound(to: uv_handle_t.self) }
    var poll: UnsafeMutablePointer<uv_poll_t> { memory.assumingMemoryBound(to: uv_poll_t.self) }
    var pipe: UnsafeMutablePointer<uv_pipe_t> { memory.assumingMemoryBound(to: uv_pipe_t.self) }
    var stream: UnsafeMutablePointer<uv_stream_t> {
        memory.assumingMemoryBound(to: uv_stream_t.self)
    }

    /// Opens a handle: `start` gets its memory, and where it fails nothing is open.
    init(
        on loop: Loop, as type: uv_handle_type, by function: StaticString,
        start: (UnsafeMutableRawPointer) -> Int32
    ) throws(UVError) {
        loop.demandOpen()
        self.loop = loop
        memory = .allocate(byteCount: uv_handle_size(type), alignment: 16)
        state = .closed
        try check(start(memory), in: function)
        state = .open
        uv_handle_set_data(raw, Unmanaged.passRetained(self).toOpaque())
    }

    deinit {
        precondition(state == .closed, "a handle was dropped while its loop still used it")
        memory.deallocate()
    }

    /// Whether ``close()`` has not been called yet.
    package var isOpen: Bool { state == .open }

    /// Whether ``Loop/run()`` goes on for this handle's sake; true at first.
    package var keepsLoopAlive: Bool {
        get { isOpen && uv_has_ref(raw) != 0 }
        set {
            guard isOpen else { return }
            if newValue { uv_ref(raw) } else { uv_unref(raw) }
        }
    }

    /// Ends the handle and lets its callbacks go; closing twice does nothing.
    package func close() {
        guard state == .open else { return }
        state = .closing
        dropCallbacks()
        uv_close(raw) { raw in
            let handle = Unmanaged<Handle>.fromOpaque(uv_handle_get_data(raw)).takeRetainedValue()
            handle.state = .closed
        }
    }

    /// Forgets the stored closures: here ends the cycle of owner, handle, closure and owner.
    func dropCallbacks() {}

    /// The object whose C structure `raw` is, in a callback of libuv.
    static func owner(of raw: UnsafeMutablePointer<uv_handle_t>?) -> Handle {
        Unmanaged<Handle>.fromOpaque(uv_handle_get_data(raw)).takeUnretainedValue()
    }

    /// The object whose C structure `raw` is, as the subclass that the callback was started for.
    static func owner<Subclass: Handle>(
        _ type: Subclass.Type, of raw: UnsafeMutableRawPointer?
    ) -> Subclass {
        let handle = owner(of: raw?.assumingMemoryBound(to: uv_handle_t.self))
        return unsafeDowncast(handle, to: Subclass.self)
    }
}
