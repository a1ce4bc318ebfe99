package import DeviceLink

/// Somebody else's Bluetooth host, which speaks HCI to a controller (`hci:` in a topology).
package struct HostProgram: Codable, Hashable, Sendable {
    /// What carries the packets of HCI (H4, Core Specification Vol 4 Part A).
    package enum Transport: String, CaseIterable, Codable, Sendable {
        case unix
        /// TCP on the loopback interface.
        case tcp
        case pty
    }

    /// Who waits for the other's connection.
    package enum Side: String, CaseIterable, Codable, Sendable {
        /// The controller listens, and the host dials.
        case listen
        /// The host listens, and the controller dials.
        case dial
    }

    /// Whose time it follows.
    package enum Clock: String, CaseIterable, Codable, Sendable {
        /// It is a guest in virtual time.
        case virtual
        /// It goes by the machine's clock, with which virtual time then keeps pace; what it does is recorded.
        case wall
    }

    /// How often the controller of a host that goes by the wall clock looks what it has sent.
    package static let period = Nanoseconds.milliseconds(1)

    /// The path of the program; a relative one counts from the topology's folder.
    package var path: String
    /// Its arguments; `{}` stands for the address of the controller, `{port}` for its port, `{uci}` for the
    /// address of the UWB chip, `{storage}` for a folder that it has for the length of a run.
    package var arguments: [String]
    package var transport: Transport = .unix
    package var side: Side = .listen
    package var clock: Clock = .virtual
    /// Whether it may start processes of its own.
    package var mayHaveChildren = false
    /// Whether it has a UWB chip, which speaks UCI on a unix socket.
    package var hasChip = false

    package init(path: String, arguments: [String] = []) {
        self.path = path
        self.arguments = arguments
    }

    /// What stands for the folder in its arguments, and in its variables.
    package static let storage = "{storage}"

    /// What a line of the log begins with, behind its time, that tells of a turn.
    package static let turnMark = "turn: "

    /// The sockets of its controller and of its UWB chip, whose paths begin with `start`.
    package static func sockets(at start: String) -> [String] {
        ["\(start)-0.sock", "\(start)-1.sock"]
    }

    package var words: [String] {
        [
            side.rawValue, transport.rawValue, clock.rawValue,
            mayHaveChildren ? "children" : "alone",
            hasChip ? "uci" : "no-uci", path,
        ] + arguments
    }

    /// What `words` said; nil where they say nothing of the kind.
    package init?(words: [String]) {
        guard words.count >= 6, let side = Side(rawValue: words[0]),
            let transport = Transport(rawValue: words[1]), let clock = Clock(rawValue: words[2]),
            ["children", "alone"].contains(words[3]), ["uci", "no-uci"].contains(words[4])
        else { return nil }
        self.init(path: words[5], arguments: Array(words[6...]))
        self.transport = transport
        self.side = side
        self.clock = clock
        mayHaveChildren = words[3] == "children"
        hasChip = words[4] == "uci"
    }
}
