import CEndRequest
import CUV

/// Somebody asks this program to end: SIGINT (Ctrl-C), SIGTERM or SIGHUP.
///
/// At first such a signal ends the program at once, with status 130. Who has something to keep begins to
/// note: from then on the program looks whether a request ``isNoted``, and loops hear of it by an
/// ``EndRequestWatch``. A second signal more than a second after the first ends the program at once
/// whatever it does.
package enum EndRequest {
    /// Takes the signals over, for the whole process; nobody else may handle them from now on.
    ///
    /// SIGHUP stays ignored where our parent ignores it, as `nohup` does.
    package static func listen() throws(UVError) {
        try check(cendrequest_listen(), in: "sigaction")
    }

    /// From now on a request is noted, and the program ends by itself.
    package static func beginNoting() { cendrequest_begin_noting() }

    /// Notes a request by itself after so many seconds, unless somebody asks before.
    package static func limit(toSeconds seconds: Double) throws(UVError) {
        try check(cendrequest_limit(max(seconds, 0.001)), in: "setitimer")
    }

    /// Whether the request that was noted is the end of that time.
    package static var isTimeUp: Bool { cendrequest_time_is_up() != 0 }

    /// Whether a request was noted; it stays so.
    package static var isNoted: Bool { cendrequest_is_noted() != 0 }
}

/// Calls back on a loop, once, when somebody asks this program to end, or has before.
///
/// It keeps no loop alive.
package final class EndRequestWatch: Handle {
    private var onRequest: () throws -> Void

    /// Watches from now on; nil where the program does not listen (``EndRequest/listen()``).
    package init?(on loop: Loop, onRequest: @escaping () throws -> Void) throws(UVError) {
        let descriptor = cendrequest_descriptor()
        guard descriptor >= 0 else { return nil }
        self.onRequest = onRequest
        try super.init(on: loop, as: UV_POLL, by: "uv_poll_init") {
            uv_poll_init(loop.raw, $0.assumingMemoryBound(to: uv_poll_t.self), descriptor)
        }
        do { try start() } catch {
            close()
            throw error
        }
    }

    private func start() throws(UVError) {
        keepsLoopAlive = false
        let result = uv_poll_start(poll, Int32(UV_READABLE.rawValue)) { raw, _, _ in
            let watch = Handle.owner(EndRequestWatch.self, of: raw)
            // Nobody takes what was noted away: it would call back for ever.
            uv_poll_stop(watch.poll)
            watch.loop.attempt(watch.onRequest)
        }
        try check(result, in: "uv_poll_start")
    }

    override func dropCallbacks() { onRequest = {} }
}
