import ArgumentParser
import Artifacts
import Campaigns
import Reports

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check topology files without running them.")

    @OptionGroup var meant: TopologiesArgument

    @OptionGroup var json: JSONOption

    /// What is reported of a file.
    private struct Checked: Encodable {
        let name: String
        let file: String
        /// Nil where it is right.
        let error: String?
    }

    func run() throws {
        guard json.isOn else {
            return try finish(check { if let error = $0.error { printError(error) } })
        }
        try json.answer(as: "check") { document in try check { try document.add($0) } }
    }

    private func check(_ tell: (Checked) throws -> Void) throws -> ExitStatus {
        var status = ExitStatus.held
        for entry in try meant.list().entries {
            var wrong: (any Error)?
            do { _ = try entry.topology() } catch {
                wrong = error
                status = .wrongFile
            }
            try tell(Checked(name: entry.name, file: entry.file, error: wrong.map { "\($0)" }))
            if let wrong { GitHub.ofThisProcess.annotate(Annotations.lines(of: wrong)) }
        }
        return status
    }
}
