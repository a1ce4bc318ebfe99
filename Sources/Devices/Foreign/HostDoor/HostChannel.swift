import CHostDoor
import DeviceKit
import Glibc
import Vocabulary

/// Where a host finds its controller or its UWB chip, and the bytes between the two.
///
/// The address is made once and serves all lives of a program; a life has a connection of its own.
final class HostChannel {
    /// The path, or `127.0.0.1:PORT`.
    let address: String
    /// As the guest's library wants to know it: `unix:/path`, `tcp:127.0.0.1:PORT`, `pty:/dev/pts/3`.
    var name: String { "\(transport.rawValue):\(address)" }
    /// How many connections there were since the last `forget`.
    private(set) var connections: UInt64 = 0
    /// How many bytes the host was sent on its connection.
    private(set) var sent: UInt64 = 0
    /// How many came from it.
    private var received: UInt64 = 0
    private let transport: HostProgram.Transport
    private let side: HostProgram.Side
    private var port: UInt16 = 0
    /// Listens for connections; of a terminal it is the other side.
    private var listener: Int32 = -1
    private var connection: Int32 = -1
    private var unsent: [UInt8] = []
    private var chunk = [UInt8](repeating: 0, count: 1 << 14)

    /// - Parameters:
    ///   - transport: What carries the bytes.
    ///   - side: Who waits for the other.
    ///   - number: Differs for each of a host's channels.
    /// - Throws: `Refusal` where the system has no such address to give.
    init(
        _ transport: HostProgram.Transport, _ side: HostProgram.Side, number: Int
    ) throws(Refusal) {
        self.transport = transport
        self.side = side
        switch (transport, side) {
        case (.unix, let side):
            address = try Self.path(number)
            if side == .listen { listener = chostdoor_listen_unix(address) }
        case (.tcp, let side):
            listener = chostdoor_listen_tcp(&port)
            address = "127.0.0.1:\(port)"
            if side == .dial {
                // The port was free a moment ago, and the host is to have it.
                close(listener)
                listener = -1
            }
        case (.pty, _):
            var bytes = [CChar](repeating: 0, count: 128)
            connection = chostdoor_terminal(&listener, &bytes, bytes.count)
            address = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            if connection >= 0 { _ = chostdoor_never_wait(connection) }
        }
        guard listener >= 0 || side == .dial, transport != .pty || connection >= 0 else {
            throw Refusal("no \(transport.rawValue) address for the host: \(systemError())")
        }
    }

    /// An argument of the host's with the address in it.
    func fill(_ argument: String) -> String {
        argument.replacing("{}", with: address).replacing("{port}", with: "\(port)")
    }

    /// The path of a socket, in the place that the orchestrator gives us.
    private static func path(_ channel: Int) throws(Refusal) -> String {
        guard let place = getenv("ANECHOIC_HOST_PLACE") else {
            throw Refusal(
                "the environment has no ANECHOIC_HOST_PLACE, where the host's sockets are")
        }
        return HostProgram.sockets(at: String(cString: place))[channel]
    }

    /// Whether the host has reached its controller.
    var isConnected: Bool { connections > 0 }

    /// A new life of the host begins, which has no connection yet.
    func forget() {
        unsent = []
        (connections, sent, received) = (0, 0, 0)
        guard transport != .pty else {
            // What the last life has not read, or we have not, belongs to nobody.
            tcflush(connection, TCIOFLUSH)
            tcflush(listener, TCIOFLUSH)
            return
        }
        if connection >= 0 { close(connection) }
        connection = -1
        while listener >= 0, case let stray = chostdoor_accept(listener, 0), stray >= 0 {
            close(stray)
        }
    }

    /// Takes a new connection.
    ///
    /// - Parameters:
    ///   - count: How many the host says that there were.
    ///   - waits: Whether it is on its way through the system, where there is none yet.
    /// - Returns: Whether there was one.
    func connect(upTo count: UInt64, waits: Bool = true) -> Bool {
        switch (transport, side) {
        case (.pty, _):
            guard connections == 0, count > 0 else { return false }
        case (_, .dial):
            guard connections == 0 else { return false }
            let next =
                transport == .tcp
                ? chostdoor_connect_tcp(port) : chostdoor_connect_unix(address)
            guard next >= 0 else { return false }
            take(next)
        case (_, .listen):
            guard count > connections else { return false }
            // The host is connected, so that the system has the connection, or will have it at once.
            let next = chostdoor_accept(listener, waits && transport == .tcp ? 1 : 0)
            guard next >= 0 else { return false }
            take(next)
        }
        connections += 1
        return true
    }

    private func take(_ next: Int32) {
        if connection >= 0 { close(connection) }
        connection = next
        _ = chostdoor_never_wait(next)
        unsent = []
        (sent, received) = (0, 0)
    }

    /// Sends bytes to the host; what it has no room for comes with the next.
    func send(_ bytes: [UInt8]) {
        unsent += bytes
        guard connection >= 0, !unsent.isEmpty else { return }
        let count = write(connection, unsent, unsent.count)
        guard count > 0 else { return }
        unsent.removeFirst(count)
        sent += UInt64(count)
    }

    /// Takes what the host has sent.
    ///
    /// - Parameter total: How many bytes the host says that it has written, where it counts them.
    /// - Returns: The bytes; nil where the host has closed its connection.
    func receive(total: UInt64) -> [UInt8]? {
        guard connection >= 0 else { return [] }
        if transport == .pty { return receiveFromTerminal() }
        var bytes: [UInt8] = []
        while true {
            let count = read(connection, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk[..<count]
                received += UInt64(count)
            } else if count == 0 || errno == ECONNRESET {
                return bytes.isEmpty ? nil : bytes
            } else if errno == EAGAIN, transport == .tcp, received < total {
                // It is on its way through the system.
                sched_yield()
            } else if errno != EINTR {
                return bytes
            }
        }
    }

    /// A terminal hands bytes on when it likes; so we write a mark behind those of the host, and read up to it.
    private func receiveFromTerminal() -> [UInt8] {
        let mark = Array("anechoic: no H4 packet".utf8)
        guard connections > 0, write(listener, mark, mark.count) == mark.count else { return [] }
        var bytes: [UInt8] = []
        while !bytes.ends(with: mark) {
            let count = read(connection, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk[..<count]
            } else if errno == EAGAIN {
                sched_yield()
            } else if errno != EINTR {
                return bytes
            }
        }
        return bytes.dropLast(mark.count)
    }
}

extension [UInt8] {
    fileprivate func ends(with mark: [UInt8]) -> Bool {
        count >= mark.count && self[(count - mark.count)...].elementsEqual(mark)
    }
}

/// What the system says about the call that failed last.
func systemError() -> String { String(cString: strerror(errno)) }
