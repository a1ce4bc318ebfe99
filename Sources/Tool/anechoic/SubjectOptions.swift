import ArgumentParser
import Artifacts
import Campaigns
import Foundation
import Orchestration
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

    @Option(help: SubjectOptions.hciHelp)
    var accessoryHci: TopologyVariant.HostWay?

    @Option(help: ArgumentHelp("A program that plays the Apple devices.", valueName: "program"))
    var app: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An argument of this program, once for each.", valueName: "text"))
    var appArgument: [String] = []

    @Option(help: SubjectOptions.hciHelp)
    var appHci: TopologyVariant.HostWay?

    static let hciHelp = ArgumentHelp(
        "This program speaks HCI, and this is where it finds its controller: {} in an argument is the address, "
            + "{port} its port, {uci} that of a UWB chip.", valueName: "way")

    var isEmpty: Bool { accessory == nil && app == nil }

    var accessoryProgram: TopologyVariant.Program? {
        Self.program(accessory, accessoryArgument, accessoryHci)
    }
    var appProgram: TopologyVariant.Program? { Self.program(app, appArgument, appHci) }

    static func program(
        _ path: String?, _ arguments: [String], _ way: TopologyVariant.HostWay?
    ) -> TopologyVariant.Program? {
        path.map {
            // As it was written: what is kept of a run leads others to their program.
            TopologyVariant.Program(
                $0.contains("/") ? $0 : "./\($0)", arguments: arguments, way: way)
        }
    }

    /// Topologies as these programs play them; says what is not as their files have it.
    ///
    /// - Throws: As ``check()`` does, and `WrongUse` where nothing is left.
    func played(_ list: TaskList) throws -> TaskList {
        try check()
        let played = try list.played(accessory: accessoryProgram, app: appProgram)
        for note in played.notes { printError(note) }
        return played.list
    }

    /// - Throws: `WrongUse` where one is no program that can be executed, or has arguments and is missing.
    func check() throws {
        try Self.check(
            accessory, arguments: accessoryArgument, accessoryHci, option: "accessory")
        try Self.check(app, arguments: appArgument, appHci, option: "app")
    }

    static func check(
        _ program: String?, arguments: [String], _ way: TopologyVariant.HostWay?, option: String
    ) throws {
        guard let program else {
            let lonely =
                arguments.first.map { "argument \($0)" } ?? way.map { "hci \($0.rawValue)" }
            guard let lonely else { return }
            throw WrongUse("--\(option)-\(lonely): expected --\(option) beside it")
        }
        if InputFile.isFolder(program) {
            throw WrongUse("\(program): this is a folder; expected a program")
        }
        guard FileManager.default.isExecutableFile(atPath: program) else {
            let isThere = FileManager.default.fileExists(atPath: program)
            throw WrongUse(
                "\(program): "
                    + (isThere
                        ? "this is not executable: chmod +x \(shellWord(program))"
                        : "there is no such program"))
        }
    }
}
