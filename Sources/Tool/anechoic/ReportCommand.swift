import ArgumentParser
import Artifacts
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
            The page of a run has its sequence diagram, sessions and distances over time, and the broken \
            promises with the events that prove it. After explain it shows the failing run and the \
            nearest passing one side by side. The page of a suite has the result of each clause, that of \
            an exploration each way to fail, and that of a soak the new failures, their trend by night, \
            and what the absence of failures proves.

            The file needs no network and no other file: it can be mailed. Drawing needs d3 (Debian: \
            node-d3) when the page is made. Exit status: 0 written, 65 a wrong file, 69 d3 is not \
            installed.
            """)

    @Argument(
        help: ArgumentHelp(
            """
            The folder of a run, its trace.jsonl or replay.json, the folder of an explanation, or \
            the folder with the results of conform, explore or soak.
            """, valueName: "path"),
        completion: .directory)
    var path: String

    @Option(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
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
