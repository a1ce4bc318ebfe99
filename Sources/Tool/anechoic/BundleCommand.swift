import ArgumentParser
import Artifacts
import Foundation
import Orchestration
import Reports

struct BundleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle", abstract: "Pack a run into one file, for a bug report.",
        discussion: """
            The file is a ZIP archive with the replay file, the topology, the trace, the verdict, a report \
            for people, versions, captures and logs. The same run gives the same bytes. Whoever gets it \
            repeats the run: anechoic replay FILE. Exit status: 0 packed, 65 a wrong file.
            """)

    @Argument(
        help: ArgumentHelp("The folder of a run.", valueName: "run"), completion: .directory)
    var folder: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file to write. (default: the run's name and seed, with .zip)", valueName: "file"),
        completion: .file(extensions: ["zip"]))
    var output: String?

    @Flag(help: "Omit captures: they contain the keys of encrypted links.")
    var withoutCaptures = false

    @Flag(help: "Omit the logs of the devices.")
    var withoutLogs = false

    func run() throws {
        let replay = try Replay.read("\(folder)/replay.json")
        let name = replay.name.replacingOccurrences(of: "/", with: "-")
        let file = output ?? "\(name)-\(replay.seed).zip"
        try WholeFile.check(file, option: "--output")
        let data = try RunBundle.pack(
            folder, found: RecordedRun(folder).report.map(Console.whole),
            versions: ["packed by \(RunSettings.ofThisProgram.files.tool)"],
            withoutCaptures: withoutCaptures, withoutLogs: withoutLogs)
        try WholeFile.write(data, toNamed: file, option: "--output")
        try show("\(file)\n")
    }
}
