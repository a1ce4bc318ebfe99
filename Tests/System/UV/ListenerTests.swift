import Glibc
import Testing
import UV

@Suite struct ListenerTests {
    /// Makes a socket and calls `use`, which is `bind` or `connect`, with the address of `path`.
    private func socket(
        _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Descriptor {
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(result == 0)
        return Descriptor(owning: number)
    }

    /// Dials a listener as a device would, without a loop.
    private func dial(_ path: String) -> Descriptor { socket(path, connect) }

    @Test func aPeerThatDialsTalksBothWays() throws {
        let path = temporaryPath("dial")
        try Loop.with { loop in
            var served: Sink?
            _ = try Listener(on: loop, path: path) { pipe in
                served = try Sink(pipe)
                try pipe.write(Array("hello".utf8))
            }
            let peer = try Pipe(dial(path), on: loop)
            let sink = try Sink(peer)
            try peer.write(Array("it is me".utf8))
            try loop.runBriefly { served?.text == "it is me" && sink.text == "hello" }
            peer.close()
            try loop.runBriefly { served?.end == .some(nil) }
        }
        #expect(access(path, F_OK) == -1, "the listener removes its socket file")
    }

    @Test func theSocketFileOfADeadListenerIsReplaced() throws {
        let path = temporaryPath("stale")
        socket(path, bind).close()
        #expect(access(path, F_OK) == 0)
        try Loop.with { loop in
            _ = try Listener(on: loop, path: path) { _ in loop.stop() }
            let peer = dial(path)
            try loop.runBriefly()
            peer.close()
        }
    }

    @Test func aPathThatSomebodyListensOnIsRefused() throws {
        let path = temporaryPath("taken")
        try Loop.with { loop in
            _ = try Listener(on: loop, path: path) { $0.close() }
            #expect(throws: UVError(.addressInUse, in: "uv_pipe_bind", about: path)) {
                try Listener(on: loop, path: path) { _ in }
            }
        }
    }

    @Test func anOrdinaryFileIsNeverRemoved() throws {
        let path = temporaryPath("file")
        _ = try output(of: "echo precious > \(path)")
        try Loop.with { loop in
            #expect(throws: UVError(.addressInUse, in: "uv_pipe_bind", about: path)) {
                try Listener(on: loop, path: path) { _ in }
            }
        }
        #expect(try output(of: "cat \(path); rm \(path)") == "precious\n")
    }

    @Test func aPathThatIsTooLongIsRefused() throws {
        let path = "/tmp/" + String(repeating: "x", count: 103)
        try Loop.with { loop in
            #expect(throws: UVError(.nameTooLong, in: "uv_pipe_bind", about: path)) {
                try Listener(on: loop, path: path) { _ in }
            }
        }
    }
}
