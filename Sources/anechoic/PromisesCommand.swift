import ArgumentParser
import Invariants
import Reports

/// `anechoic promises`.
struct PromisesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promises",
        abstract: "List the promises that every run is judged by, or those of files.")

    @Argument(help: "Files of promises (PROMISES.md).", completion: .file(extensions: ["yaml"]))
    var files: [String] = []

    @Flag(help: "Write all promises of every run as Markdown: CATALOGUE.md.")
    var markdown = false

    func validate() throws {
        if markdown, !files.isEmpty {
            throw ValidationError("--markdown: expected no files, because it is about the library")
        }
    }

    func run() throws {
        if markdown { return try show(PromiseTable.markdown) }
        let promises =
            files.isEmpty ? PromiseCatalogue.descriptions : try files.flatMap(descriptions(of:))
        let rows = promises.map {
            [$0.id, $0.keeper?.rawValue ?? "", $0.level.rawValue, $0.clause, $0.sentence]
        }
        let header = ["promise", "keeper", "level", "clause", "what is promised"]
        try show(TextTable(header: header, rows: rows).text + "\n")
    }

    private func descriptions(of file: String) throws -> [PromiseDescription] {
        try JudgeCommand.properties(file).properties.map(PromiseDescription.init)
    }
}
