internal import Foundation
internal import Reports

/// The JUnit report of a command: there from the beginning, and red until the command says otherwise.
///
/// So a CI server reads an error also where the command was killed, used wrongly, or had nothing to play.
package struct JUnitFile {
    private let path: String

    /// Makes the file, unless it is none (a pipe, a terminal), which can be written to once.
    ///
    /// - Throws: `ArtifactError` where it cannot be written.
    package init(_ path: String) throws {
        self.path = path
        try WholeFile.check(path, option: "--junit")
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
        let isFile = type.map { $0 as? FileAttributeType == .typeRegular } ?? true
        if isFile { fail(as: "unfinished", because: "the command has not come to its end") }
    }

    /// Replaces what it says, at once and as a whole.
    package func write(_ text: String) throws {
        try WholeFile.write(Data(text.utf8), toNamed: path, option: "--junit")
    }

    /// Says that the command ended early; where that cannot be written, the beginning stands.
    package func fail(as type: String, because message: String) {
        try? write(JUnit.text(of: [Self.suite(.error(type: type, message: message))]))
    }

    /// The case that stands for the whole command: it passes where the exit status is 0, and only there.
    static func suite(_ verdict: JUnit.Case.Outcome) -> JUnit.Suite {
        JUnit.Suite("conform", [JUnit.Case("verdict", in: "conform", verdict)])
    }
}
