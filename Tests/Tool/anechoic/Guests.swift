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

    /// A phone, and a lock that is a host; or any two.
    func topology(
        _ lock: String, phone: String = "model: iPhone 14 Pro", length: String = "2s",
        more: String = ""
    ) throws {
        try place.write(
            """
            length: \(length)
            devices:
              ben: {\(phone), at: [0m, 0m]}
              lock: {\(lock), at: [1m, 0m]}
            \(more)
            """, to: "t.yaml")
    }

    /// The words for a lock on Bumble, with those for its script behind them.
    static func bumble(_ words: String...) -> String {
        hosted("bumble_lock.py", ["unix:{}", "{uci}"] + words) + ", uci: true"
    }

    /// The words for a phone on Bumble, in the same way.
    static func bumblePhone(_ words: String...) -> String {
        "model: iPhone 15, " + hosted("bumble_phone.py", ["unix:{}"] + words)
    }

    /// Python writes nothing beside a script, or the second run would not be the first.
    private static func hosted(_ script: String, _ words: [String]) -> String {
        let arguments = (["-B", "\(scripts)/\(script)"] + words).map { "\"\($0)\"" }
        return "hci: \(python), arguments: [\(arguments.joined(separator: ", "))]"
    }

    func anechoic(_ words: String...) throws -> Command.Outcome {
        try Command(words, in: place).outcome()
    }

    /// What a device has printed.
    func log(of device: String = "lock") -> String { place.read("out/t/1/logs/\(device).log") }
}
