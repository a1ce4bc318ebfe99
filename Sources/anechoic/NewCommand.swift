import ArgumentParser
import Foundation
import Orchestration
import Reports
import Starters

struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Begin a package of your own.",
        subcommands: [NewAppCommand.self])
}

struct NewAppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Make a package with an app, a topology and a test.",
        discussion: """
            The session code of the app is as it would be for iOS; put your own in its place. Then:

              cd NAME && swift build && anechoic run Topologies
              swift test

            Exit status: 0 made, 64 the name is taken or cannot be one.
            """)

    @Argument(help: ArgumentHelp("What the package and its program are called.", valueName: "name"))
    var name: String

    @Option(
        help: ArgumentHelp(
            "The folder of the package anechoic. (default: the checkout of this program)",
            valueName: "folder"), completion: .directory)
    var package: String?

    func run() throws {
        let starter = try AppStarter(
            named: name, package: package ?? RunSettings.packageOfThisProgram)
        try starter.write(to: name)
        try show(starter.files.map { "\(name)/\($0.path)\n" }.joined())
    }
}
