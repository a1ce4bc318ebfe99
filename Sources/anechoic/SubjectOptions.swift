import ArgumentParser
import Campaigns
import Foundation
import Reports
import Topologies

/// The programs under test, which play all devices of their kind.
struct SubjectOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A program that plays the accessories.", valueName: "program"))
    var accessory: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An argument of this program, once for each.", valueName: "text"))
    var accessoryArgument: [String] = []

    @Option(help: ArgumentHelp("A program that plays the Apple devices.", valueName: "program"))
    var app: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An argument of this program, once for each.", valueName: "text"))
    var appArgument: [String] = []

    var isEmpty: Bool { accessory == nil && app == nil }

    var accessoryProgram: TopologyVariant.Program? { program(accessory, accessoryArgument) }
    var appProgram: TopologyVariant.Program? { program(app, appArgument) }

    private func program(
        _ path: String?, _ arguments: [String]
    ) -> TopologyVariant.Program? {
        path.map { TopologyVariant.Program(URL(fileURLWithPath: $0).path, arguments: arguments) }
    }

    /// - Throws: `WrongUse` where one is no program that can be executed, or has arguments and is missing.
    func check() throws {
        try Self.check(accessory, arguments: accessoryArgument, option: "accessory")
        try Self.check(app, arguments: appArgument, option: "app")
    }

    private static func check(_ program: String?, arguments: [String], option: String) throws {
        guard let program else {
            guard let argument = arguments.first else { return }
            throw WrongUse(
                description: "--\(option)-argument \(argument): expected --\(option) beside it")
        }
        if InputFile.isFolder(program) {
            throw WrongUse(description: "\(program): this is a folder; expected a program")
        }
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw WrongUse(
                description: "\(program): there is no such program, or it cannot be executed")
        }
    }
}
