import ArgumentParser
import Artifacts
import Basics
import Campaigns
import DeviceLink
import Diagnosis
import Foundation
import Reports
import Sequences
import Traces
import Vocabulary

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Draw a recorded run: who said what to whom, and what broke.",
        discussion: """
            Each device has a vertical line, and time runs downwards. Arrows are messages and links, at \
            the time at which they were sent; a dashed end continues in another row. Notes are callbacks and \
            actions of apps and radios, rules across are steps of the script, ✗ is a broken promise, and ▲ \
            marks why the row above it matters: it proves a violation, or it is one of two events that race, \
            as explain found.

            Messages, links, sessions, apps, faults and refusals are drawn unless --kind or --event asks \
            for others; so are the lines of the devices' own logs, whose kind is log. Repeated distances are counted. Numbers are those of trace.jsonl, \
            which replay --event takes as well. Exit status: 0 drawn, 64 there is nothing to draw, 65 a \
            wrong file.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder of a run, its trace.jsonl or replay.json, or the folder of an explanation.",
            valueName: "run"),
        completion: .directory)
    var path: String

    @Option(
        help: ArgumentHelp("Only these devices: ben,lock.", valueName: "devices"),
        transform: Self.list)
    var device: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only events that match this pattern: \"ni.didUpdate on ben\"; once for each pattern.",
            valueName: "pattern"),
        transform: EventPattern.init(argument:))
    var event: [EventPattern] = []

    @Option(
        help: ArgumentHelp(
            "Only these kinds, or families of kinds: msg,att,gatt; all for every kind. (default: those above)",
            valueName: "kinds"),
        transform: Self.list)
    var kind: [String] = []

    @Option(
        help: ArgumentHelp("From this virtual time on: 1.5s.", valueName: "time"),
        transform: VirtualTime.init(argument:))
    var from: VirtualTime?

    @Option(
        help: ArgumentHelp("Up to this virtual time.", valueName: "time"),
        transform: VirtualTime.init(argument:))
    var until: VirtualTime?

    @Option(
        help: ArgumentHelp(
            "Columns of the diagram. (default: those of the terminal, or 100)", valueName: "n"),
        transform: wholeNumber)
    var width: Int?

    @Flag(help: "Draw with ASCII characters alone.")
    var ascii = false

    @Flag(name: .shortAndLong, help: "The diagram alone, without title and hints.")
    var quiet = false

    @OptionGroup var colour: ColourOption

    @OptionGroup var json: JSONOption

    func validate() throws {
        if let width, !(SequenceText.Style.narrowest...1_000).contains(width) {
            throw ValidationError("--width \(width): expected 60 to 1000")
        }
        if let from, let until, from > until {
            throw ValidationError("--from is later than --until")
        }
    }

    func run() throws {
        guard json.isOn else { return try draw { try show(raw: $0) } }
        try json.answer(as: "show") { document in
            try tell { try document.add($0) }
            return .held
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

// What is drawn.
extension ShowCommand {
    private func draw(_ write: (String) throws -> Void) throws {
        let diagram = try RunDiagram(path)
        let selection = try selection(among: diagram.participants)
        let style = SequenceText.Style(
            width: width ?? max(terminalWidth ?? 100, SequenceText.Style.narrowest),
            isASCII: ascii, ink: colour.ink)
        var text = SequenceText(diagram.participants.filter(selection.includes), style: style)
        var lines = quiet ? "" : diagram.title(text)
        lines += text.head
        var isEmpty = true
        try diagram.eachRow(of: selection) { row in
            lines += text.text(of: row)
            if row.isOfRun { isEmpty = false }
            guard !isEmpty, lines.utf8.count > 1 << 16 else { return }
            try write(lines)
            lines = ""
        }
        guard !isEmpty else { throw nothing }
        try write(lines + text.foot + (quiet ? "" : hints(diagram)))
    }

    private func hints(_ diagram: RunDiagram) -> String {
        diagram.hints.map { "\(plainLine($0))\n" }.joined()
    }

    private func tell(_ add: (any Encodable) throws -> Void) throws {
        let diagram = try RunDiagram(path)
        let selection = try selection(among: diagram.participants)
        var isEmpty = true
        try add(diagram.summary(of: selection))
        try diagram.eachRow(of: selection) { row in
            if row.isOfRun { isEmpty = false }
            try add(row)
        }
        if isEmpty { throw nothing }
    }

    private func selection(among participants: [Participant]) throws -> SequenceSelection {
        let names = participants.map(\.name)
        if let stranger = device.first(where: { !names.contains($0) }) {
            throw WrongUse(
                "--device \(stranger): the run has no such device; expected "
                    + names.joined(separator: ", ")
                    + Suggestion.question(about: stranger, among: names))
        }
        var selection = SequenceSelection()
        selection.devices = device
        selection.patterns = event
        selection.kinds =
            kind == ["all"]
            ? EventKind.allCases.map(\.rawValue) + [SequenceSelection.logs] : kind
        selection.from = from ?? .zero
        selection.until = until ?? .never
        return selection
    }

    /// The error that the options leave nothing to draw.
    private var nothing: WrongUse {
        let asked = event.map(\.kind) + kind
        let stranger = asked.first {
            Catalogue.kinds(below: $0).isEmpty && !["all", SequenceSelection.logs].contains($0)
        }
        let hint = stranger.map { kind in
            "; there is no kind \(kind) in the table (anechoic help events)"
                + Suggestion.question(about: kind, among: Catalogue.kindsAndPrefixes)
        }
        return WrongUse(
            "\(path): there is nothing to draw: no event of this run is what --device, --kind, "
                + "--event, --from and --until ask for\(hint ?? "")")
    }
}
