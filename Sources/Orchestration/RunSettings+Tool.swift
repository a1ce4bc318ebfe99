internal import Foundation
internal import Notation
internal import Reports

/// What this program is called in files it writes.
package enum Tool {
    package static let version = "0.1.0"
    package static let name = "anechoic \(version)"
}

extension RunSettings {
    /// What every command starts from.
    package static var ofThisProgram: RunSettings {
        var settings = RunSettings(programs: programsOfThisProgram, tool: Tool.name)
        if let command = ProcessInfo.processInfo.environment["ANECHOIC_COMMAND"] {
            settings.files.command = command
        }
        return settings
    }

    /// The folder of this program: the reference devices stand beside it.
    package static var programsOfThisProgram: String {
        let path =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
        return parentFolder(of: path)
    }

    /// The checkout in which this program was built; where it was not, the folder of the program.
    package static var packageOfThisProgram: String {
        var folder = programsOfThisProgram
        while folder != "/" {
            if InputFile.exists("\(folder)/Package.swift") { return folder }
            folder = parentFolder(of: folder)
        }
        return programsOfThisProgram
    }

    /// The folder of a library for firmware: in the checkout, or where this program is installed.
    package static func library(checkout: String, installed: String) -> String {
        let here = "\(packageOfThisProgram)/Sources/\(checkout)"
        guard !InputFile.exists(here) else { return here }
        return parentFolder(of: parentFolder(of: programsOfThisProgram))
            + "/share/anechoic/\(installed)"
    }
}
