import ArgumentParser
import Promises
import Reports

struct PromisesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promises",
        abstract: "List the promises that every run is judged by, or those of files.")

    @Argument(help: "Files of promises (PROMISES.md).", completion: .file(extensions: ["yaml"]))
    var files: [String] = []

    @Flag(help: "Write all promises of every run as Markdown: CATALOGUE.md.")
    var markdown = false

    @OptionGroup var named: FilterOption

    @OptionGroup var json: JSONOption

    func validate() throws {
        if markdown, json.isOn {
            throw ValidationError("--markdown and --json exclude one another")
        }
        if markdown, !files.isEmpty {
            throw ValidationError("--markdown: expected no files, because it is about the library")
        }
    }

    func run() throws {
        if markdown { return try show(PromiseTable.markdown) }
        guard !json.isOn else {
            return try json.answer(as: "promises") { document in
                for promise in try promises() { try document.add(Listed(promise)) }
                return .held
            }
        }
        let rows = try promises().map {
            [$0.id, $0.keeperWord, $0.level.rawValue, $0.clause.text, $0.sentence]
        }
        let header = ["promise", "keeper", "level", "clause", "what is promised"]
        try show(TextTable(header: header, rows: rows).text + "\n")
    }

    private func promises() throws -> [PromiseDescription] {
        let all =
            files.isEmpty ? PromiseCatalogue.descriptions : try files.flatMap(descriptions(of:))
        guard let filter = try named.filter else { return all }
        return all.filter { filter.matches($0.id) }
    }

    /// What `--json` reports of a promise.
    private struct Listed: Encodable {
        let promise: String
        let keeper: String?
        let level: String
        let clause: String
        let says: String

        init(_ promise: PromiseDescription) {
            self.promise = promise.id
            (keeper, level) = (promise.keeper?.rawValue, promise.level.rawValue)
            (clause, says) = (promise.clause.text, promise.sentence)
        }
    }

    private func descriptions(of file: String) throws -> [PromiseDescription] {
        try JudgeCommand.properties(file).properties.map(\.about)
    }
}
