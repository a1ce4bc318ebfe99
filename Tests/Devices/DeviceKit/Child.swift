import DeviceLink
import Foundation
import Glibc

/// A device's process at the other end of a virtual socket link, with its log in a pipe.
///
/// The test plays the orchestrator: frames are written and read with blocking calls.
final class Child {
    /// How the device is joined to the test.
    enum Transport: CaseIterable { case pipes, socket, unix }

    private let process: pid_t
    private let input: Int32
    private var output: Int32?
    private let log: Int32
    private var reader = FrameReader()
    private var isReaped = false

    /// Starts a program of the build, or any other by its path.
    ///
    /// `link` is the value of `ANECHOIC_LINK` instead of the transport's own; none where it is empty.
    init(
        _ program: String, _ arguments: [String] = [], over transport: Transport = .pipes,
        link: String? = nil, environment: [String: String] = [:]
    ) throws {
        let wires = try Wires(transport)
        let path = program.contains("/") ? program : try Self.folder() + "/" + program
        process = try wires.spawn(
            [path] + arguments, link: link ?? wires.link, environment: environment)
        (input, output) = link == nil ? try wires.join() : (wires.input, wires.output)
        log = wires.log
    }

    deinit {
        if !isReaped {
            kill()
            waitpid(process, nil, 0)
        }
        for descriptor in Set([input, output ?? input, log]) { close(descriptor) }
    }

    /// Where the build puts its programs: beside the running test program.
    private static func folder() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            .split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }

    // MARK: The link

    /// Writes bytes as they are.
    func write(_ bytes: [UInt8]) {
        guard let output else { return }
        _ = bytes.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
    }

    /// Writes a frame.
    func send(_ frame: OrchestratorFrame) throws {
        var bytes: [UInt8] = []
        try frame.encode(into: &bytes)
        write(bytes)
    }

    /// The next frame; nil at the end of the stream.
    ///
    /// A device that says nothing for 20 s has failed.
    func next() throws -> DeviceFrame? {
        while true {
            if let frame = try reader.nextDeviceFrame() { return frame }
            guard try append(from: input, { reader.append($0) }) else { return nil }
        }
    }

    /// Runs a turn.
    func turn(_ number: UInt32, _ event: DeviceEvent, at moment: UInt64 = 0) throws -> [Answer]? {
        try send(.grant(turn: number, now: VirtualTime(nanoseconds: moment), event))
        guard case .answers(number, let answers)? = try next() else { return nil }
        return answers
    }

    /// Says no more: the end of the stream for the device.
    func hangUp() {
        guard let output, shutdown(output, Int32(SHUT_WR)) != 0 else { return }
        close(output)
        self.output = nil
    }

    // MARK: The process

    /// Ends it at once.
    func kill() { _ = Glibc.kill(process, SIGKILL) }

    /// Waits for its end: its exit status, or 128 and the signal that killed it.
    func status() -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        isReaped = true
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// What it wrote to its log, to the end.
    func logged() throws -> String {
        var bytes: [UInt8] = []
        while try append(from: log, { bytes += $0 }) {}
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(
        from descriptor: Int32, _ take: (UnsafeRawBufferPointer) -> Void
    ) throws -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 20_000) == 1 else { throw Failure("nothing came within 20 s") }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &chunk, chunk.count)
        guard count > 0 else { return false }
        chunk.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        return true
    }
}
