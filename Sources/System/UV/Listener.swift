import CUV
import Glibc

/// A unix-domain stream socket that devices of our user dial; its file goes when the listener is closed.
package final class Listener: Handle {
    package let path: String
    private var onPeer: (Pipe) throws -> Void
    private var lock: FileLock?

    /// Listens at `path` and calls `onPeer` for each peer, with a pipe for both directions.
    ///
    /// A socket file that a dead process left at `path` is removed; one that somebody listens on, and
    /// any other file, is `addressInUse`. Paths have at most 107 bytes, else `nameTooLong`.
    package init(
        on loop: Loop, path: String, onPeer: @escaping (Pipe) throws -> Void
    ) throws(UVError) {
        self.path = path
        self.onPeer = onPeer
        // libuv would cut a long path short and listen somewhere else.
        guard path.utf8.count < cuv_socket_path_size() else {
            throw UVError(.nameTooLong, in: "uv_pipe_bind", about: path)
        }
        try super.init(on: loop, as: UV_NAMED_PIPE, by: "uv_pipe_init") {
            uv_pipe_init(loop.raw, $0.assumingMemoryBound(to: uv_pipe_t.self), 0)
        }
        do { try listen() } catch {
            close()
            throw error
        }
    }

    private func listen() throws(UVError) {
        // Asking a socket whether anybody listens means to dial it, so whoever listens holds a lock.
        let lock = try FileLock(making: path + ".lock", mode: 0o600)
        guard lock.state == .held else {
            throw UVError(.addressInUse, in: "uv_pipe_bind", about: path)
        }
        self.lock = lock
        if cuv_is_stale_socket(path) == 1 { unlink(path) }
        try check(uv_pipe_bind(pipe, path), in: "uv_pipe_bind", about: path)
        // Nobody can dial before it listens, and then nobody but our user, whatever the umask says.
        guard chmod(path, 0o600) == 0 else { throw UVError.last(in: "chmod", about: path) }
        let result = uv_listen(stream, SOMAXCONN) { raw, status in
            let listener = Handle.owner(Listener.self, of: raw)
            listener.loop.attempt { try listener.accept(status) }
        }
        try check(result, in: "uv_listen", about: path)
    }

    private func accept(_ status: Int32) throws {
        try check(status, in: "accept", about: path)
        let peer = try Pipe(unconnected: loop)
        do { try check(uv_accept(stream, peer.stream), in: "uv_accept", about: path) } catch {
            peer.close()
            throw error
        }
        try onPeer(peer)
    }

    override func dropCallbacks() {
        onPeer = { _ in }
        lock?.remove()
        lock = nil
    }
}
