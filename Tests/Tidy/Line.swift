import Foundation
import TestSupport

/// A line of a file, printed as compilers print one.
struct Line: Equatable, CustomStringConvertible {
    let path: String
    let number: Int
    let text: Substring
    /// What the compiler sees of it: a comment may name what code may not use.
    let code: Substring
    /// The module of Sources that it belongs to.
    let module: String

    var description: String { "\(path):\(number): \(text)" }

    private init(path: String, module: String, number: Int, text: Substring) {
        (self.path, self.module, self.number, self.text) = (path, module, number, text)
        code = text[..<(text.firstRange(of: "//")?.lowerBound ?? text.endIndex)]
    }

    /// The lines of a text that stands at a path.
    static func all(of text: String, at path: String) -> [Line] {
        let module = Self.module(of: path)
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { Line(path: path, module: module, number: $0.offset + 1, text: $0.element) }
    }
}

extension Line {
    /// The folder of a module: Sources/Wing/Module, Sources/Devices/Apple/Module, Tests/Folder.
    private static func module(of path: String) -> String {
        let folders = path.split(separator: "/").dropFirst().dropLast().map(String.init)
        guard path.hasPrefix("Sources/") else { return folders.first ?? "" }
        return folders.dropFirst().first { !["Apple", "Foreign", "Programs"].contains($0) } ?? ""
    }
}

/// What lies in the repository.
enum Repository {

    /// The folders of the top folder.
    static let folders = [".ci", "Scripts", "Sources", "Tests", "Topologies"]

    /// What lies in a folder, by name.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder).sorted()
    }

    /// What lies in the top folder, but for what is built there.
    static func topEntries() throws -> [String] {
        try names(in: "").filter { !["Package.resolved", "out"].contains($0) }
    }

    /// The lines of Swift in a folder.
    static func swift(in folder: String) throws -> [Line] {
        try lines(under: folder, endingWith: ".swift")
    }

    static func lines(under folder: String, endingWith end: String = "") throws -> [Line] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
        return try paths.filter { $0.hasSuffix(end) }.sorted().flatMap {
            try lines(of: "\(folder)/\($0)")
        }
    }

    /// The lines of a text file; none for a folder and for a file that is not text.
    static func lines(of path: String) throws -> [Line] {
        text(of: path).map { Line.all(of: $0, at: path) } ?? []
    }

    /// The text of a file; nil where there is none.
    static func text(of path: String) -> String? {
        FileManager.default.contents(atPath: root + "/" + path)
            .flatMap { String(data: $0, encoding: .utf8) }
    }
}
