import Glibc
import Testing
import UV

@Suite struct InheritanceTests {
    /// The descriptors of a child that gets `descriptors` and its standard output, as `ls` sees them:
    /// its own look at the folder is one more.
    private static func seen(_ loop: Loop, _ descriptors: [Launch.Source]) throws -> [String] {
        let (ours, childs) = try Descriptor.pipe(for: .reading)
        let sink = try Sink(Pipe(ours, on: loop))
        let launch = Launch(
            "/bin/ls", arguments: ["/proc/self/fd"],
            descriptors: [.nothing, .given(childs)] + descriptors)
        _ = try ChildProcess(launch, on: loop) { _ in }
        try loop.runBriefly()
        return sink.text.split(separator: "\n").map(String.init)
    }

    @Test func aChildInheritsItsDescriptorsAndNoOther() async {
        await #expect(processExitsWith: .success) {
            let strays = (0..<5).map { _ in dup(0) }
            try ThisProcess.closeOnExec(from: 3)
            try Loop.with { loop in
                let (ours, childs) = try Descriptor.pipe(for: .writing)
                let pipe = try Pipe(ours, on: loop)
                #expect(try Self.seen(loop, [.nothing]) == ["0", "1", "2", "3"])
                #expect(
                    try Self.seen(loop, [.nothing, .given(childs), .shared(strays[0])])
                        == ["0", "1", "2", "3", "4", "5"])
                pipe.close()
            }
        }
    }

    @Test func ourEndDoesNotBlockAndTheChildsDoes() throws {
        for (ours, childs) in [
            try Descriptor.pipe(for: .reading), try Descriptor.pipe(for: .writing),
            try Descriptor.socketPair(),
        ] {
            let flags = [ours, childs].map { fcntl($0.number ?? -1, F_GETFL) & O_NONBLOCK }
            #expect(flags == [O_NONBLOCK, 0])
            let inherited = [ours, childs].map { fcntl($0.number ?? -1, F_GETFD) }
            #expect(inherited == [FD_CLOEXEC, FD_CLOEXEC])
        }
    }

    @Test func aDroppedDescriptorIsClosed() throws {
        let writer = try Descriptor.pipe(for: .reading).childs
        var events = pollfd(fd: writer.number ?? -1, events: 0, revents: 0)
        #expect(poll(&events, 1, 0) == 1)
        #expect(Int32(events.revents) == POLLERR, "the reading end is gone")
    }

    @Test func aChildOfAKilledParentSeesTheEndOfTheFile() async throws {
        let path = temporaryPath("orphan")
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let fifo = open(path, O_RDWR | O_CLOEXEC)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            try Loop.with { loop in
                _ = try Conversation(loop, "/bin/sh", ["-c", "cat; echo left > \(path)"])
                kill(getpid(), SIGKILL)
            }
        }
        try Loop.with { loop in
            let pipe = try Pipe(Descriptor(owning: fifo), on: loop)
            let sink = try Sink(pipe)
            try loop.runBriefly { sink.text == "left\n" }
        }
    }
}
