import Foundation
import Reports

/// The JUnit report of a command: there from the beginning, and red until the command says otherwise.
///
/// So a CI server reads an error also where the command was killed, used wrongly, or had nothing to play.
struct JUnitFile {
    private let path: String

    /// Makes the file.
    ///
    /// - Throws: `WrongUse` where it cannot be written.
    init(_ path: String) throws {
        self.path = path
        do {
            try write(
                JUnit.text(
                    of: [], gateVacuity: false,
                    remarks: [
                        Self.verdict(.error, "unfinished", "the command has not come to its end")
                    ]
                ))
        } catch {
            throw WrongUse(
                description: "--junit \(path): this file cannot be written; expected a file in a "
                    + "folder that exists and can be written to")
        }
    }

    /// Replaces what it says, at once and as a whole.
    func write(_ text: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Says that the command ended early; where that cannot be written, the beginning stands.
    func fail(_ type: String, _ message: String) {
        try? write(
            JUnit.text(
                of: [], gateVacuity: false, remarks: [Self.verdict(.error, type, message)]))
    }

    /// The case that stands for the whole command: it passes where the exit status is 0, and only there.
    static func verdict(
        _ outcome: JUnit.Remark.Outcome, _ type: String = "", _ message: String = ""
    ) -> JUnit.Remark {
        JUnit.Remark(suite: "conform", name: "verdict", outcome, type: type, message: message)
    }
}
