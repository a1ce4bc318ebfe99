import Foundation
import TestSupport
import Testing

/// What README and the manual show is what happens.
///
/// A block ` ```yaml mine.yaml ` is a file; one with a path in Tests is that file of the repository. In
/// a block ` ```console ` each line with `$` is a command; behind `# ends with` stands its exit status,
/// if it is not 0. Below it stand lines of what it prints, in their order: `…` for any others.
@Suite(.disabled(if: ProcessInfo.processInfo.environment["ANECHOIC_SANITIZER"] != nil), .processes)
struct ConsoleTests {
    @Test(
        arguments: try Document.all().filter {
            $0.hasCommands && (isWhole || first.contains($0.path))
        })
    func aDocumentShowsWhatHappens(_ document: Document) throws {
        let session = try Session(document)
        try session.play()
        for problem in session.problems { Issue.record("\(problem)") }
        if Self.records { try session.save() }
    }

    /// What a newcomer reads first.
    private static let first = ["README.md", "Sources/Tool/anechoic/Manual.docc/First-Topology.md"]

    /// Whether figures that are old are written anew: `ANECHOIC_RECORD=1 Scripts/test --filter ConsoleTests`.
    static let records = ProcessInfo.processInfo.environment["ANECHOIC_RECORD"] != nil
}

/// A document that is read from top to bottom, by somebody who does all it says.
private final class Session {
    private let console: Console
    private var document: Document
    private(set) var problems: [String] = []

    init(_ document: Document) throws {
        console = try Console()
        self.document = document
    }

    func play() throws {
        for block in document.blocks {
            switch block.words.first {
            case "console": try play(block.lines)
            case .some where block.words.count == 2 && block.words[1].contains("."):
                try place(
                    document.lines[block.lines].joined(separator: "\n") + "\n", at: block.words[1])
            default: break
            }
        }
    }

    func save() throws {
        try document.lines.joined(separator: "\n").write(
            toFile: root + "/" + document.path, atomically: true, encoding: .utf8)
    }

    private func place(_ text: String, at name: String) throws {
        guard name.hasPrefix("Tests/") else { return try console.write(text, to: name) }
        if try String(contentsOfFile: root + "/" + name, encoding: .utf8) != text {
            problems.append("\(name) is another text")
        }
    }

    private func play(_ lines: Range<Int>) throws {
        let commands = lines.filter { document.lines[$0].hasPrefix("$ ") }
        for (place, start) in commands.enumerated() {
            let end = place + 1 < commands.count ? commands[place + 1] : lines.upperBound
            let line = String(document.lines[start].dropFirst(2))
            let (status, output) = try console.run(line)
            let expected = line.firstMatch(of: /# ends with (\d+)/).flatMap { Int32($0.1) } ?? 0
            if status != expected {
                problems.append("\(line)\nended with \(status):\n" + output.joined(separator: "\n"))
            }
            compare(start + 1..<end, to: output)
        }
    }

    /// Looks for the lines of the document in the output, in order, and takes over other figures.
    private func compare(_ lines: Range<Int>, to output: [String]) {
        var rest = output.filter { !$0.isEmpty }[...]
        var mayPass = false
        for place in lines where !document.lines[place].isEmpty {
            let line = ConsoleLine(document.lines[place])
            if line.isGap {
                mayPass = true
                continue
            }
            let reach = mayPass ? rest : rest.prefix(1)
            mayPass = false
            if let found = reach.firstIndex(where: line.matches) {
                rest = rest[(found + 1)...]
            } else if !ConsoleTests.records || !renew(place, from: reach, passing: &rest) {
                problems.append(
                    "\(document.path):\(place + 1): \(line.text)\nis not in\n"
                        + rest.joined(separator: "\n"))
                if reach.count == 1 { rest = rest.dropFirst() }
            }
        }
        let isShown = lines.contains { !document.lines[$0].isEmpty }
        if isShown, !mayPass, !rest.isEmpty {
            problems.append(
                "\(document.path):\(lines.upperBound): also\n" + rest.joined(separator: "\n"))
        }
    }

    /// Takes over the figures of the first line that has the same words, or the line that stands here.
    private func renew(
        _ place: Int, from reach: ArraySlice<String>, passing rest: inout ArraySlice<String>
    ) -> Bool {
        let old = document.lines[place]
        for index in reach.indices {
            let renewed = ConsoleLine(old).renewed(by: reach[index])?.text
            guard let new = renewed ?? (reach.count == 1 ? reach[index] : nil) else { continue }
            follow(old, to: new)
            document.lines[place] = new
            rest = rest[(index + 1)...]
            return true
        }
        return false
    }

    /// The folder of a failing run has its seed as a name, and later commands speak of it.
    private func follow(_ old: String, to new: String) {
        let folder = #/replay: \S+ replay (\S+)/replay.json/#
        guard let was = old.firstMatch(of: folder)?.1, let now = new.firstMatch(of: folder)?.1
        else {
            return
        }
        document.lines = document.lines.map { $0.replacing(was + "/", with: now + "/") }
    }
}
