import ArgumentParser
import Artifacts
import Campaigns
import Reports
import Soaks

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Join the parts of a soak or an exploration.",
        discussion: """
            Joins the folders of soak --shard or explore --shard into one folder, in any order; a part \
            that was joined before changes nothing. Parts of another plan or version are refused. For a \
            soak, soak --resume OUT then reports the whole campaign; for an exploration, merge does.

            Exit status: 0 joined, and nothing of an exploration failed; 1, 2, 3 and 70 as explore has them.
            """)

    @Argument(
        help: "Folders of soaks or of explorations, or histories of soaks.", completion: .directory)
    var parts: [String]

    @Option(
        help: ArgumentHelp(
            "The folder of what is joined. (default: soak, or out for explorations)",
            valueName: "folder"))
    var out: String?

    @OptionGroup var colour: ColourOption

    func run() throws {
        let explorations = parts.filter {
            InputFile.exists("\($0)/\(ExplorationMerge.Files.ofExplore.exploration)")
        }
        guard let one = explorations.first else {
            let joined = try SoakMerge(of: parts, into: out ?? "soak")
            return try show(joined.text + "\n")
        }
        if let other = parts.first(where: { !explorations.contains($0) }) {
            throw WrongUse("\(other): expected an exploration, as in \(one)")
        }
        let joined = try ExplorationMerge(of: parts, into: out ?? "out")
        try Reports.show(
            raw: joined.exploration.text(joined.findings, ink: colour.ink)
                + plainLine(joined.text) + "\n")
        try finish(
            ExitStatus(joined.findings).combined(with: joined.exploration.emptiness))
    }
}
