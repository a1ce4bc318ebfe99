import Glibc

/// Does what the orchestrator says, each reset in a child of this process, until a farewell or the end of the link.
///
/// This process itself plays nothing, so each child begins as the program did: with untouched globals, and for a
/// fraction of what a new process costs.
func serveInChildren(_ type: any Device.Type, on link: DescriptorLink) throws(ProcessFailure) {
    var link = link
    var unread: [UInt8] = []
    while true {
        while unread.isEmpty { guard try link.read({ unread += $0 }) else { return } }
        let left = try inChild { () throws(ProcessFailure) in
            var device = FramedDevice(InlineDevice(type, log: writeLine), hasOneLife: true)
            unread.withUnsafeBytes { device.hear($0) }
            try device.serve(on: link)
            return device.rest
        }
        guard !left.isEmpty else { return }
        unread = left
    }
}

/// Does `work` in a child and returns what it gives; ends as the child does where it does not end well.
private func inChild(
    _ work: () throws(ProcessFailure) -> [UInt8]
) throws(ProcessFailure) -> [UInt8] {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .noChild(errno: errno) }
    let child = fork()
    guard child >= 0 else { throw .noChild(errno: errno) }
    if child == 0 {
        dieWithParent()
        close(ends[0])
        leave(work, into: ends[1])
    }
    close(ends[1])
    var result = DescriptorLink(input: ends[0], output: ends[0])
    defer { close(ends[0]) }
    var bytes: [UInt8] = []
    while try result.read({ bytes += $0 }) {}
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    endAsTheChild(status)
    return bytes
}

/// Ends the child.
private func leave(
    _ work: () throws(ProcessFailure) -> [UInt8], into output: Int32
) -> Never {
    do throws(ProcessFailure) {
        let bytes = try work()
        fflush(nil)
        _ = try DescriptorLink(input: output, output: output).write(bytes)
        _exit(EXIT_SUCCESS)
    } catch {
        writeLine(error.sentence)
        _exit(error.status)
    }
}

/// Whoever waits for this process learns what became of the one that played.
private func endAsTheChild(_ status: Int32) {
    let (number, code) = (status & 0x7F, (status >> 8) & 0xFF)
    if number != 0 {
        signal(number, SIG_DFL)
        raise(number)
    } else if code != 0 {
        exit(code)
    }
}
