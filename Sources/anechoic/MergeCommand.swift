import ArgumentParser
import Orchestration
import Reports
import Soaks

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Join the histories of the parts of a campaign.",
        discussion: """
            Takes what soak --shard has left in several folders into the history of another one, in any \
            order; a part that is there already changes nothing. Parts of another plan or version are \
            refused.
            """)

    @Argument(help: "Folders of soaks, or their histories.", completion: .directory)
    var parts: [String]

    @Option(help: ArgumentHelp("The folder of the joined history.", valueName: "folder"))
    var out = "soak"

    func run() throws {
        let joined = try SoakMerge(
            of: parts, into: out, programs: RunSettings.programsOfThisProgram)
        try show(joined.text + "\n")
    }
}
