import Foundation

/// A wrong file, and all that is printed for it.
package struct Mistake: Sendable, CustomStringConvertible {
    /// What it shows, in a sentence.
    package let name: String
    /// The file.
    package let text: String
    /// What is printed.
    package var words: String

    package var description: String { name }
}

/// A text file of wrong files, each with all that is printed for it.
///
///     == a sentence that says what is shown
///     the file
///     --
///     what is printed
///
/// An empty line stands before the next one, and what stands before the first one is for people. Control
/// characters are written as in Swift: `\u{D}`.
package struct MistakeTable: Sendable {
    package let path: String
    package private(set) var mistakes: [Mistake]
    private let head: String

    /// Whether tables are recorded anew and not compared, because `ANECHOIC_RECORD` is set.
    package static let isRecorded = ProcessInfo.processInfo.environment["ANECHOIC_RECORD"] != nil

    /// The tables of a folder of the repository.
    package static func all(in folder: String) throws -> [MistakeTable] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder).sorted()
            .map { try MistakeTable(path: folder + "/" + $0) }
    }

    private init(path: String) throws {
        self.path = path
        let parts = try TestSupport.text(of: path).components(separatedBy: "\n== ")
        head = parts[0]
        mistakes = try parts.dropFirst().map { part in
            let lines = part.components(separatedBy: "\n")
            guard let end = lines.firstIndex(of: "--") else { throw Failure("no -- in \(part)") }
            let words = lines[(end + 1)...].joined(separator: "\n")
            return Mistake(
                name: lines[0], text: Self.read(lines[1..<end].joined(separator: "\n")),
                words: Self.read(words.hasSuffix("\n") ? String(words.dropLast()) : words))
        }
    }

    /// The table as its file has it.
    package var text: String {
        let cases = mistakes.map {
            "\n== \($0.name)\n\(Self.written($0.text))\n--\n\(Self.written($0.words))\n"
        }
        return head + cases.joined()
    }

    /// Writes into its file what is printed now.
    package mutating func record(_ print: (_ text: String) -> String) throws {
        for place in mistakes.indices { mistakes[place].words = print(mistakes[place].text) }
        try text.write(toFile: root + "/" + path, atomically: true, encoding: .utf8)
    }

    private static func read(_ text: String) -> String {
        text.replacing(/\\u\{([0-9A-F]+)\}/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
    }

    private static func written(_ text: String) -> String {
        let controls = Set(0..<32 as Range<UInt32>).subtracting([0x0A]).union([
            0x7F, 0x2028, 0x2029,
        ])
        return text.unicodeScalars.reduce(into: "") { written, scalar in
            if controls.contains(scalar.value) {
                written += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                written.unicodeScalars.append(scalar)
            }
        }
    }
}
