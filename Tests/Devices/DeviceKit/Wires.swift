import Foundation
import Glibc

/// The descriptors between a test and the device that it starts.
struct Wires {
    /// The value of `ANECHOIC_LINK` for the device.
    let link: String
    /// Our ends.
    let input: Int32
    let output: Int32
    let log: Int32
    /// The device's ends of the link, which it gets as 3 and 4, and of the log.
    private let theirs: [Int32]
    private let theirLog: Int32
    /// What the device dials, and where.
    private let listener: Int32?

    init(_ transport: Child.Transport) throws {
        let (log, theirLog) = try Self.pipe()
        (self.log, self.theirLog) = (log, theirLog)
        switch transport {
        case .pipes:
            let (fromDevice, theirOutput) = try Self.pipe()
            let (theirInput, toDevice) = try Self.pipe()
            link = "pipes:3,4"
            (input, output, theirs) = (fromDevice, toDevice, [theirInput, theirOutput])
            listener = nil
        case .socket:
            let (ours, theirs) = try Self.socketPair()
            link = "socket:3"
            (input, output, self.theirs) = (ours, ours, [theirs])
            listener = nil
        case .unix:
            let path = NSTemporaryDirectory() + "anechoic-\(UUID().uuidString.prefix(8)).sock"
            listener = try Self.listen(at: path)
            link = "unix:\(path)"
            (input, output, theirs) = (-1, -1, [])
        }
    }

    /// Starts the device and lets go of its ends.
    func spawn(
        _ command: [String], link: String, environment more: [String: String] = [:]
    ) throws -> pid_t {
        defer { for descriptor in theirs + [theirLog] { close(descriptor) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [(Int32(1), theirLog), (2, theirLog)] {
            posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
        for (index, descriptor) in theirs.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(3 + index))
        }
        var environment = ProcessInfo.processInfo.environment
        environment["ANECHOIC_LINK"] = link.isEmpty ? nil : link
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment.merge(more) { $1 }
        var process: pid_t = 0
        let result = withStrings(command) { arguments in
            withStrings(environment.map { "\($0)=\($1)" }) { environment in
                posix_spawnp(&process, command[0], &actions, nil, arguments, environment)
            }
        }
        guard result == 0 else { throw Failure("spawning \(command[0]) gave \(result)") }
        return process
    }

    /// Our ends once the device runs: waits for the device that dials.
    func join() throws -> (input: Int32, output: Int32) {
        guard let listener else { return (input, output) }
        defer { close(listener) }
        var request = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 20_000) == 1 else { throw Failure("nobody dialled within 20 s") }
        let ours = try Self.sealed(accept(listener, nil, nil))
        unlink(String(link.dropFirst("unix:".count)))
        return (ours, ours)
    }

    // MARK: Making descriptors, none of which another child of the test may inherit

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw Failure("pipe") }
        return (try sealed(ends[0]), try sealed(ends[1]))
    }

    private static func socketPair() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Failure("socketpair") }
        return (try sealed(ends[0]), try sealed(ends[1]))
    }

    /// The descriptor under a number that no child's 3 or 4 can overwrite, closed in other children.
    private static func sealed(_ descriptor: Int32) throws -> Int32 {
        let sealed = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        guard sealed >= 0 else { throw Failure("fcntl") }
        close(descriptor)
        return sealed
    }

    private static func listen(at path: String) throws -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, Glibc.listen(listener, 1) == 0 else {
            throw Failure("listen at \(path)")
        }
        return listener
    }
}

/// Runs `body` with a null-terminated array of C strings.
private func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
}

/// A system call that failed.
struct Failure: Error {
    var what: String
    init(_ what: String) { self.what = "\(what) (errno \(errno))" }
}
