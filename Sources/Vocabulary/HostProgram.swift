/// Somebody else's Bluetooth host, which speaks HCI to a controller (`hci:` in a topology).
package struct HostProgram: Codable, Hashable, Sendable {
    /// What carries the packets of HCI (H4, Core Specification Vol 4 Part A).
    package enum Transport: String, CaseIterable, Codable, Sendable {
        /// A unix stream socket.
        case unix
        /// TCP on the loopback interface.
        case tcp
        /// A pseudo terminal.
        case pty
    }

    /// Who waits for the other's connection.
    package enum Side: String, CaseIterable, Codable, Sendable {
        /// The controller listens, and the host dials.
        case listen
        /// The host listens, and the controller dials.
        case dial
    }

    /// Which time the host sees.
    package enum Clock: String, CaseIterable, Codable, Sendable {
        /// The simulation's, as a guest.
        case virtual
        /// The machine's.
        case wall
    }

    /// The path of the program; a relative one counts from the topology's folder.
    package var path: String
    /// Its arguments; `{}` stands for the address of the controller, `{port}` for its port.
    package var arguments: [String]
    package var transport: Transport = .unix
    package var side: Side = .listen
    package var clock: Clock = .virtual
    /// Whether it may start processes of its own.
    package var mayHaveChildren = false

    package init(path: String, arguments: [String] = []) {
        self.path = path
        self.arguments = arguments
    }

    /// As the arguments of the program `hci-door`.
    package var words: [String] {
        [
            side.rawValue, transport.rawValue, clock.rawValue,
            mayHaveChildren ? "children" : "alone", path,
        ] + arguments
    }

    /// What `words` said; nil where they say nothing of the kind.
    package init?(words: [String]) {
        guard words.count >= 5, let side = Side(rawValue: words[0]),
            let transport = Transport(rawValue: words[1]), let clock = Clock(rawValue: words[2]),
            ["children", "alone"].contains(words[3])
        else { return nil }
        self.init(path: words[4], arguments: Array(words[5...]))
        self.transport = transport
        self.side = side
        self.clock = clock
        mayHaveChildren = words[3] == "children"
    }
}
