import Artifacts
import Foundation

/// What a command leaves for other tools, and where.
package struct ReportFiles: Sendable {
    /// What a file can be; each has an option of its name.
    package enum Format: String, CaseIterable, Sendable {
        case junit, ctrf, codequality, sarif

        package var option: String { "--\(rawValue)" }
    }

    private let paths: [Format: String]
    /// Whether standard output gets TAP.
    private let tap: Bool
    private let github: GitHub
    private let start = Date()

    /// Makes the files, each red until the command says otherwise.
    ///
    /// So a server reads an error also where the command was killed, used wrongly, or had nothing to play. What is no
    /// file (a pipe, a terminal) can be written to once, and stays empty until then.
    ///
    /// - Throws: `ArtifactError` where one cannot be written.
    package init(
        _ paths: [Format: String], tap: Bool, of unfinished: TestResults,
        github: GitHub = .ofThisProcess
    ) throws {
        (self.paths, self.tap, self.github) = (paths, tap, github)
        for (format, path) in files { try WholeFile.check(path, option: format.option) }
        if let summary = github.summary {
            try WholeFile.check(summary, option: GitHub.summaryVariable)
        }
        for (format, path) in files where Self.isFile(path) {
            try write(unfinished, as: format, to: path)
        }
    }

    /// Replaces what they say, each at once and as a whole.
    package func finish(_ results: TestResults) throws {
        for (format, path) in files { try write(results, as: format, to: path) }
        if tap { try show(TAP.text(of: results)) }
        try github.tell(results)
    }

    /// Says that the command ended early; where that cannot be written, the beginning stands.
    package func fail(_ results: TestResults) {
        for (format, path) in files { try? write(results, as: format, to: path) }
        if tap { try? show(TAP.text(of: results)) }
        try? github.summarize(results)
    }

    private var files: [(Format, String)] {
        Format.allCases.compactMap { format in paths[format].map { (format, $0) } }
    }

    private func write(_ results: TestResults, as format: Format, to path: String) throws {
        let data =
            switch format {
            case .junit: Data(JUnit.text(of: results.suites).utf8)
            case .ctrf: try CTRF.text(of: results, from: start, to: Date())
            case .codequality: try CodeQuality.text(of: results)
            case .sarif: try SARIF.text(of: results)
            }
        try WholeFile.write(data, toNamed: path, option: format.option)
    }

    private static func isFile(_ path: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
        return type.map { $0 as? FileAttributeType == .typeRegular } ?? true
    }
}
