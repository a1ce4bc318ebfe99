import Glibc
import UV

/// What a test waited for did not come.
struct TookTooLong: Error {}

extension Loop {
    /// Runs the loop like `run()`, but fails after ten seconds instead of hanging.
    func runBriefly() throws {
        let watchdog = try Timer(on: self)
        watchdog.keepsLoopAlive = false
        watchdog.start(after: 10_000) { throw TookTooLong() }
        defer { watchdog.close() }
        try run()
    }

    /// Runs the loop until `isDone`, but fails after ten seconds instead of hanging.
    func runBriefly(until isDone: () -> Bool) throws {
        let watchdog = try Timer(on: self)
        watchdog.start(after: 10_000) { throw TookTooLong() }
        defer { watchdog.close() }
        while !isDone() { try runOnce() }
    }
}

/// All that a pipe brought, and how it ended.
final class Sink {
    var bytes: [UInt8] = []
    var end: UVError??

    var text: String { String(decoding: bytes, as: UTF8.self) }

    init() {}

    init(_ pipe: Pipe) throws { try collect(pipe) }

    func collect(_ pipe: Pipe) throws {
        try pipe.read { [self] in
            bytes.append(contentsOf: $0)
        } onEnd: { [self] in
            end = .some($0)
            pipe.close()
        }
    }
}

/// A child with a pipe to its standard input and one from its standard output and error.
struct Conversation {
    let input: Pipe
    let output: Pipe
    let child: ChildProcess

    init(
        _ loop: Loop, _ executable: String, _ arguments: [String] = [],
        onExit: @escaping (ChildProcess.Exit) throws -> Void = { _ in }
    ) throws {
        let (ours, childs) = try Descriptor.pipe(for: .writing)
        let (log, childsLog) = try Descriptor.pipe(for: .reading)
        input = try Pipe(ours, on: loop)
        output = try Pipe(log, on: loop)
        let launch = Launch(
            executable, arguments: arguments,
            descriptors: [.given(childs), .given(childsLog), .given(childsLog)])
        child = try ChildProcess(launch, on: loop, onExit: onExit)
    }
}

/// Runs a shell script to its end and returns what it printed.
func output(of script: String) throws -> String {
    try Loop.with { loop in
        let shell = try Conversation(loop, "/bin/sh", ["-c", script])
        let sink = try Sink(shell.output)
        shell.input.close()
        try loop.runBriefly()
        return sink.text
    }
}

/// The files, pipes and sockets that this process has open.
///
/// Not the kernel's anonymous files (epoll, timers), which the test's own runtime makes in between. It
/// also closes what it has read, so that only what is new can be a leak.
func openDescriptors() -> Set<Int32> {
    Set(
        (0..<Int32(8192)).filter { number in
            var file = stat()
            return fstat(number, &file) == 0 && file.st_mode & S_IFMT != 0
        })
}

/// The same, once libuv has what it keeps open for the whole process from its first loop on.
func openDescriptorsAfterAnyLoop() throws -> Set<Int32> {
    try Loop.with { _ in }
    return openDescriptors()
}

/// Whether this process has no child, running or zombie.
///
/// It would reap a stranger's child, so only a process of its own (an exit test) may ask.
func hasNoChildren() -> Bool { waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD }

/// A path for one test's file, with nothing there yet.
func temporaryPath(_ name: String) -> String {
    let path = "/tmp/anechoic-uv-\(getpid())-\(name)"
    unlink(path)
    return path
}
