import Vocabulary
import YAML

/// Reads how a Bluetooth host of somebody else's reaches its controller.
enum HostReader {
    static let keys = ["listen", "dial", "clock", "children", "uci"]

    static func host(
        _ node: YAMLNode, _ arguments: [String], in mapping: YAMLMapping
    ) throws(Problem) -> HostProgram {
        var host = HostProgram(
            path: try node.text("hci", expected: "the path of a program that speaks HCI"),
            arguments: arguments)
        if let dial = mapping["dial"] {
            guard mapping["listen"] == nil else {
                throw dial.problem(
                    "a controller has `listen` or `dial`, not both", expected: "one of them")
            }
            host.side = .dial
            // Nobody dials a terminal.
            host.transport = try dial.word("dial", of: [.unix, .tcp])
        } else {
            host.transport =
                try mapping["listen"].map { (node) throws(Problem) in
                    try node.word("listen", of: HostProgram.Transport.allCases)
                } ?? .unix
        }
        host.clock =
            try mapping["clock"].map { (node) throws(Problem) in
                try node.word("clock", of: HostProgram.Clock.allCases)
            } ?? .virtual
        host.mayHaveChildren = try mapping["children"]?.flag("children") ?? false
        host.hasChip = try mapping["uci"]?.flag("uci") ?? false
        return host
    }
}

extension YAMLNode {
    /// One of the words of an enumeration.
    fileprivate func word<Word: RawRepresentable<String>>(
        _ name: String, of words: [Word]
    ) throws(Problem) -> Word {
        let text = try choice(name, of: words.map(\.rawValue))
        guard let word = Word(rawValue: text) else { preconditionFailure("\(text) was chosen") }
        return word
    }
}
