import Foundation
import TestSupport
import Testing

/// Topologies with hosts of somebody else's, which a test starts as a user does.
struct Guests {
    let place: Place
    static let python = root + "/.build/venv/bin/python3"
    static let scripts = root + "/Tests/Guests"

    init() throws { place = try Place() }

    /// Builds a program of `Tests/Guests` here, with more words for the compiler.
    func build(_ name: String, _ words: String...) throws {
        let outcome = try place.run(
            ["gcc", "-O1", "\(Self.scripts)/\(name).c", "-o", name] + words)
        #expect(outcome.status == 0, "\(outcome.said)")
    }

    /// A phone, and a lock that is a host.
    func topology(_ lock: String, length: String = "2s", more: String = "") throws {
        try place.write(
            """
            length: \(length)
            devices:
              ben: {model: iPhone 14 Pro, at: [0m, 0m]}
              lock: {\(lock), at: [1m, 0m]}
            \(more)
            """, to: "t.yaml")
    }

    /// The words for a lock on Bumble, with those for its script behind them.
    static func bumble(_ words: String...) -> String {
        let arguments = ([scripts + "/bumble_lock.py", "unix:{}", "{uci}"] + words)
            .map { "\"\($0)\"" }.joined(separator: ", ")
        return "hci: \(python), arguments: [\(arguments)], uci: true"
    }

    func anechoic(_ words: String...) throws -> Command.Outcome {
        try Command(words, in: place).outcome()
    }

    /// What the lock has printed.
    func log() -> String { place.read("out/t/1/logs/lock.log") }
}
