import Glibc
import Testing
import UV

@Suite struct PipeTests {
    @Test func aChildEchoesWhatItGets() throws {
        try Loop.with { loop in
            let cat = try Conversation(loop, "/bin/cat")
            let sink = try Sink(cat.output)
            try cat.input.write(Array("ping".utf8))
            try loop.runBriefly { sink.text == "ping" }
            try cat.input.write(Array(" pong".utf8))
            cat.input.close()
            try loop.runBriefly()
            #expect(sink.text == "ping pong")
            #expect(sink.end == .some(nil))
        }
    }

    @Test func aMebibyteArrivesWholeAndInOrder() throws {
        let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        try Loop.with { loop in
            let cat = try Conversation(loop, "/bin/cat")
            let sink = try Sink(cat.output)
            try cat.input.write(bytes)
            #expect(cat.input.queuedByteCount > 0)
            try cat.input.write([1, 2, 3])
            cat.input.closeWhenWritten()
            try loop.runBriefly()
            #expect(sink.bytes == bytes + [1, 2, 3])
        }
    }

    @Test func aSocketPairCarriesBothDirections() throws {
        try Loop.with { loop in
            let (ours, childs) = try Descriptor.socketPair()
            let pipe = try Pipe(ours, on: loop)
            _ = try ChildProcess(
                Launch("/bin/cat", descriptors: [.given(childs), .shared(childs.number ?? 0)]),
                on: loop
            ) { _ in }
            let sink = try Sink(pipe)
            try pipe.write(Array("both ways".utf8))
            try loop.runBriefly { sink.text == "both ways" }
        }
    }

    @Test func aWriteToADeadChildIsAnErrorAndNotASignal() async {
        await #expect(processExitsWith: .success) {
            try Loop.with { loop in
                let cat = try Conversation(loop, "/bin/cat")
                try cat.child.kill(.kill)
                try loop.runBriefly { !cat.child.isRunning }
                #expect(throws: UVError(.brokenPipe, in: "write")) { try cat.input.write([1]) }
            }
        }
    }

    @Test func aSocketWhosePeerDiedWithBytesUnreadIsABrokenPipeToo() throws {
        try Loop.with { loop in
            let (ours, childs) = try Descriptor.socketPair()
            let pipe = try Pipe(ours, on: loop)
            let launch = Launch("/bin/sleep", arguments: ["1000"], descriptors: [.given(childs)])
            let child = try ChildProcess(launch, on: loop) { _ in }
            let sink = Sink()
            try pipe.read { _ in
            } onEnd: {
                sink.end = .some($0)
            }
            try pipe.write([1])
            try child.kill(.kill)
            try loop.runBriefly { !child.isRunning && sink.end != nil }
            #expect(sink.end == .some(UVError(.connectionReset, in: "read")))
            #expect(throws: UVError(.brokenPipe, in: "write")) { try pipe.write([2]) }
        }
    }

    @Test func queuedBytesThatCannotBeWrittenAreReportedOnce() throws {
        try Loop.with { loop in
            let cat = try Conversation(loop, "/bin/cat")
            var failures: [UVError] = []
            cat.input.onWriteFailure = { failure in
                failures.append(failure)
                // The other write still waits, and would hide this one behind it.
                #expect(throws: failure) { try cat.input.write([2]) }
            }
            try cat.child.kill(.stop)
            try cat.input.write([UInt8](repeating: 0, count: 1 << 20))
            try cat.input.write([1])
            try cat.child.kill(.kill)
            try loop.runBriefly { !cat.child.isRunning && !failures.isEmpty }
            #expect(failures == [UVError(.brokenPipe, in: "write")])
            #expect(throws: failures[0]) { try cat.input.write([3]) }
            cat.input.closeWhenWritten()
            #expect(!cat.input.isOpen)
        }
    }

    @Test func aPipeClosedWithBytesQueuedTellsNobody() throws {
        try Loop.with { loop in
            let (ours, childs) = try Descriptor.pipe(for: .writing)
            let pipe = try Pipe(ours, on: loop)
            pipe.onWriteFailure = { Issue.record("\($0)") }
            try pipe.write([UInt8](repeating: 0, count: 1 << 20))
            pipe.close()
            try loop.runBriefly()
            #expect(throws: UVError(.badDescriptor, in: "write")) { try pipe.write([1]) }
            childs.close()
        }
    }

    @Test func aDescriptorThatIsNotOpenIsAnError() throws {
        try Loop.with { loop in
            let (ours, _) = try Descriptor.pipe(for: .reading)
            ours.close()
            #expect(throws: UVError(.badDescriptor, in: "uv_pipe_open")) {
                try Pipe(ours, on: loop)
            }
            let never = Descriptor(owning: 1_000_000)
            #expect(throws: UVError(.badDescriptor, in: "uv_pipe_open")) {
                try Pipe(never, on: loop)
            }
        }
    }
}
