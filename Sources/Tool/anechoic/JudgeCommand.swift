import ArgumentParser
import Artifacts
import Campaigns
import Captures
import Foundation
import Invariants
import Monitors
import PromiseLibrary
import Promises
import Reports

struct JudgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Judge a recorded trace or capture, of a run or of real devices.",
        discussion: """
            A capture is btsnoop (Android, BlueZ, Bumble), PacketLogger (iOS) or pcapng (Wireshark) with \
            the HCI of a phone or an accessory; the central of a link is the phone. Promises \
            that need more than HCI shows are reported as not seen.

            A trace has one JSON object a line with number, time (nanoseconds), step and kind; \
            TRACE.md defines the rest. Without --promises the library judges it, as it judges every \
            run. Exit status: 0 all held, 1 a violation, 2 inconclusive, also if no promise was \
            exercised, 65 a wrong file.
            """)

    @Argument(
        help: "A trace.jsonl, the folder of a run, or a capture.",
        completion: .file(extensions: ["jsonl", "btsnoop", "log", "pklg", "pcapng"]))
    var trace: String

    @Option(
        help: ArgumentHelp("A file of promises to judge by (PROMISES.md).", valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var promises: [String] = []

    @Option(help: ArgumentHelp("Judge by this promise only.", valueName: "promise"))
    var only: [String] = []

    @OptionGroup var amount: AmountOptions

    @OptionGroup var colour: ColourOption

    @OptionGroup var services: ServiceOption

    @OptionGroup var json: JSONOption

    @OptionGroup var reports: ReportOptions

    @OptionGroup var sarif: SARIFOption

    @OptionGroup var shape: TAPOption

    func validate() throws {
        try json.refuse(tap: shape.isTAP)
    }

    func run() throws {
        guard json.isOn else {
            return try finish(
                judge { report in
                    for remark in report.remarks ?? [] { printError(remark) }
                    guard !shape.isTAP else { return }
                    let table =
                        amount.isBrief
                        ? "" : Console.table(report.promises, notSeen: report.notSeen ?? []) + "\n"
                    let story = Console.story(report, all: amount.isWhole).map {
                        colour.ink.story(plain($0)) + "\n"
                    }
                    let held = amount.isBrief ? "\(plainLine(trace)): \(report.verdict)\n" : ""
                    try show(raw: story.map { table + $0 } ?? table.dropLast() + held)
                })
        }
        try json.answer(as: "judge") { document in try judge { try document.add($0) } }
    }

    private func judge(_ tell: (RunReport) throws -> Void) throws -> ExitStatus {
        try reports.reporting(of: "judge", sarif: sarif.file, tap: shape.isTAP) { results in
            var (report, place) = try judged()
            report.demandOccasions()
            try tell(report)
            results.found = [
                report.suite(named: trace, of: place.file, firstEventAt: place.firstEventLine)
            ]
            results.conclusion = "\(trace): \(report.verdict)"
            return report.status
        }
    }

    /// The promises that are asked for.
    private func asked() throws -> (written: [any Invariants.Promise], sets: [PropertySet]) {
        var sets = [PropertyLibrary.standard]
        var written = HandwrittenPromises.monitors()
        if !promises.isEmpty {
            sets = try promises.map(Self.properties)
            written = []
        }
        let known = written.map { type(of: $0).about.id } + sets.flatMap(\.properties).map(\.id)
        if let stranger = only.first(where: { !known.contains($0) }) {
            throw WrongUse("--only \(stranger): there is no such promise")
        }
        if !only.isEmpty {
            written.removeAll { !only.contains(type(of: $0).about.id) }
            for index in sets.indices { sets[index].properties.removeAll { !only.contains($0.id) } }
        }
        return (written, sets)
    }

    /// The report, and where in which file its events begin; in a capture they have no lines.
    private func judged() throws -> (RunReport, (file: String, firstEventLine: Int?)) {
        let (written, sets) = try asked()
        guard try CaptureInput.isCapture(trace) else {
            var judge = Judge(promises: written, properties: sets.map { CompiledProperties($0) })
            let reader = try TraceFileReader(trace)
            try reader.eachEvent(orElse: "nothing was judged") { judge.observe($0) }
            return (
                RunReport(judge.verdict(), of: reader.header, named: trace),
                (reader.file, reader.firstEventLine)
            )
        }
        return (try judgedCapture(by: written, sets), (trace, nil))
    }

    /// The report of a capture: judged are the promises that it can decide.
    private func judgedCapture(
        by written: [any Invariants.Promise], _ sets: [PropertySet]
    ) throws -> RunReport {
        let input = try CaptureInput(trace, services: services.service)
        // Who takes part decides what can be judged: it is read twice.
        try input.eachEvent(orElse: "nothing was judged") { _ in }
        let (devices, gaps) = (input.devices, input.gaps)
        input.rewind()
        let seen = written.filter { CaptureSight.decides(type(of: $0).about.id, missing: gaps) }
        let seenSets = sets.map {
            CaptureSight.decidable(of: $0, among: devices, missing: gaps)
        }
        var judge = Judge(promises: seen, properties: seenSets.map { CompiledProperties($0) })
        try input.eachEvent(orElse: "nothing was judged") { judge.observe($0) }
        var report = RunReport(judge.verdict(), of: nil, named: trace)
        let decided = Set(report.promises.map(\.promise))
        let all = written.map { type(of: $0).about.id } + sets.flatMap(\.properties).map(\.id)
        report.notSeen = all.filter { !decided.contains($0) }
        report.remarks =
            input.remarks
            + (gaps.areNone ? [] : ["so only what may never happen at all is judged"])
        return report
    }

    /// The promises of a file, which may speak of the library's fluents.
    static func properties(_ file: String) throws -> PropertySet {
        try PropertySet(
            parsing: Array(InputFile.contents(file, expected: "a file of promises")), file: file,
            fluents: PropertyLibrary.standard.fluents)
    }
}
