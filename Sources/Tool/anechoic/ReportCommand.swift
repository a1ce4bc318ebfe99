import ArgumentParser
import Foundation
import Orchestration
import Pages
import Reports

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract:
            "Make a page of a run, a conformance suite, an exploration or a soak, as one HTML file.",
        discussion: """
            The page of a run has its sequence diagram, sessions and distances over time, and what broke \
            with the events that prove it. Where explain has been there, the failing run and the nearest \
            one that holds stand side by side. The page of a suite has what became of each clause, that \
            of an exploration each way to fail, and that of a soak what is new, its trend by night, and \
            what silence means.

            The file needs no network and no other file: it can be mailed. Drawing needs d3 (Debian: \
            node-d3) when the page is made. Exit status: 0 written, 65 a wrong file, 69 d3 is not \
            installed.
            """)

    @Argument(
        help: ArgumentHelp(
            """
            The folder of a run, its trace.jsonl or replay.json, the folder of an explanation, or \
            that in which conform or explore has left its results.
            """, valueName: "path"),
        completion: .directory)
    var path: String

    @Option(help: ArgumentHelp("Write the page here.", valueName: "file"), completion: .file())
    var out = "report.html"

    @Flag(help: "Open the page in the browser of this desktop.")
    var open = false

    @OptionGroup var json: JSONOption

    func run() throws {
        guard json.isOn else { return try write { _ in } }
        try json.answer(as: "report") { document in
            try write { try document.add($0) }
            return .held
        }
    }

    private func write(_ tell: (Answer) throws -> Void) throws {
        try WholeFile.check(out, option: "--out")
        let charts = try ChartLibrary(
            places: [RunSettings.installed("d3/d3.min.js")] + ChartLibrary.places)
        let page = try Page(of: path)
        try WholeFile.write(
            HTMLDocument(page, charts: charts).data, toNamed: out, option: "--out")
        try tell(Answer(file: out, kind: page.kind.rawValue, title: page.title))
        if !json.isOn { try show("\(plainLine(page.title))\npage: \(plainLine(out))\n") }
        guard open, !Browser.open(out) else { return }
        printError("there is no xdg-open here; open \(out) with a browser")
    }

    /// What `--json` reports.
    private struct Answer: Encodable {
        let file: String
        let kind: String
        let title: String
    }
}
