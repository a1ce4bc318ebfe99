import ArgumentParser
import Foundation
import Orchestration
import Reports

struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Begin a package of your own.",
        subcommands: [NewAppCommand.self, NewFirmwareCommand.self])
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

    @Argument(help: ArgumentHelp("The name of the package and its program.", valueName: "name"))
    var name: String

    @Option(
        help: ArgumentHelp(
            "The folder of the package anechoic. (default: that of this program)",
            valueName: "folder"), completion: .directory)
    var package: String?

    func run() throws {
        let name = Starter.packageName(of: name)
        let starter = try Starter.app(
            named: name, package: package ?? RunSettings.packageOfThisProgram)
        try starter.make(name)
    }
}

struct NewFirmwareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "firmware",
        abstract: "Make firmware with a topology.",
        discussion: """
            In C and in Python it is a whole accessory, which ranges; put your own code in its place. Then:

              cd NAME && make && anechoic run Topologies          (in c)
              cd NAME && anechoic run Topologies                  (in python)
              anechoic conform --accessory ./NAME --pics NAME.pics.yaml   (./NAME.py)

            Jobs for every change and for every night are included, for GitHub and GitLab.

            In Swift it is a device that advertises:

              cd NAME && swift build && anechoic run Topologies   (in swift)

            Exit status: 0 made, 64 the name is taken or cannot be one.
            """)

    @Argument(help: ArgumentHelp("The name of the folder and the program.", valueName: "name"))
    var name: String

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("The language: c, python or swift.", valueName: "language"))
    var language: Starter.Language = .c

    @Option(
        help: ArgumentHelp(
            "The folder of the library. (default: that of this program)", valueName: "folder"),
        completion: .directory)
    var library: String?

    func run() throws {
        let name = Starter.packageName(of: name)
        let starter = try Starter.firmware(
            named: name, in: language, library: library ?? language.library)
        try starter.make(name)
    }
}

extension Starter {
    /// Writes the package and says what is in it.
    fileprivate func make(_ name: String) throws {
        try write(to: name)
        try show(files.map { "\(name)/\($0.path)\n" }.joined())
    }
}

extension Starter.Language: ExpressibleByArgument {
    fileprivate var library: String {
        switch self {
        case .c: RunSettings.library(checkout: "Devices/Foreign/CFirmware", installed: "c")
        case .python: RunSettings.library(checkout: "Devices/Foreign/Python", installed: "python")
        case .swift: RunSettings.packageOfThisProgram
        }
    }
}
