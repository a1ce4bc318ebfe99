import Foundation
import Testing

/// A Markdown document of the repository.
struct Document: CustomTestStringConvertible {
    /// Its path from the repository's folder on.
    let path: String
    var lines: [String]

    var testDescription: String { path }

    init(_ path: String) throws {
        self.path = path
        lines = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
            .components(separatedBy: "\n")
    }

    /// README, the manual, and the documents beside the sources.
    static func all() throws -> [Document] {
        let top = try FileManager.default.contentsOfDirectory(atPath: root)
        let below = try [".github", "Sources"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder).map {
                folder + "/" + $0
            }
        }
        return try (top + below).filter { $0.hasSuffix(".md") }.sorted().map(Document.init)
    }

    /// What is fenced by three backticks: `words` stand behind the first fence.
    struct Block {
        let words: [String]
        /// The lines between the fences, by their places in the document.
        let lines: Range<Int>
    }

    var blocks: [Block] {
        let fences = lines.indices.filter { lines[$0].hasPrefix("```") }
        return stride(from: 0, to: fences.count - 1, by: 2).map { place in
            Block(
                words: lines[fences[place]].dropFirst(3).split(separator: " ").map(String.init),
                lines: fences[place] + 1..<fences[place + 1])
        }
    }

    /// Whether it shows commands of this program.
    var hasCommands: Bool { blocks.contains { $0.words.first == "console" } }

    /// What stands outside of blocks.
    var prose: [String] {
        let inside = blocks.reduce(into: IndexSet()) { $0.insert(integersIn: $1.lines) }
        return lines.indices.filter { !inside.contains($0) && !lines[$0].hasPrefix("    ") }
            .map { lines[$0] }
    }

    /// What links may lead to inside of it: `## 8 Bluetooth` is `8-bluetooth`.
    var anchors: [String] {
        prose.filter { $0.hasPrefix("#") }.map { heading in
            heading.drop { "# ".contains($0) }.lowercased()
                .replacing(/[^\w\- ]/, with: "").replacing(" ", with: "-")
        }
    }
}

/// The repository.
let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL.path
