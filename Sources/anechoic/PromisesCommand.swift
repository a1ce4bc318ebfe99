import ArgumentParser
import Invariants
import Promises
import Reports
import Topologies

/// `anechoic promises`.
struct PromisesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promises",
        abstract: "List the promises that every run is judged by, or those of files.")

    @Argument(help: "Files of promises (PROMISES.md).", completion: .file(extensions: ["yaml"]))
    var files: [String] = []

    func run() throws {
        var rows = Invariants.Catalogue.descriptions.map {
            [$0.id, $0.keeper.rawValue, "must", $0.clause, $0.sentence]
        }
        if !files.isEmpty { rows = try files.flatMap(rows(of:)) }
        let header = ["promise", "keeper", "level", "clause", "what is promised"]
        try show(TextTable(header: header, rows: rows).text + "\n")
    }

    private func rows(of file: String) throws -> [[String]] {
        let bytes = Array(try JudgeCommand.contents(file))
        return try PropertySet(parsing: bytes, file: file).properties.map { property in
            [
                property.id, property.keeper?.rawValue ?? "", property.level.rawValue,
                property.clause, property.sentence,
            ]
        }
    }
}
