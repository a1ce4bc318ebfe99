import Artifacts
import Basics
import Foundation

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

    /// The package whose modules an app or a device in Swift imports: the sources that are installed with this program,
    /// or the checkout in which it was built.
    package static var packageOfThisProgram: String {
        let sources = installed("package")
        var folder = programsOfThisProgram
        while folder != "/", !InputFile.exists(sources) {
            if InputFile.exists("\(folder)/Package.swift") { return folder }
            folder = parentFolder(of: folder)
        }
        return sources
    }

    /// The folder of a library for firmware: where this program is installed, or in the checkout.
    package static func library(checkout: String, installed name: String) -> String {
        let library = installed(name)
        return InputFile.exists(library) ? library : "\(packageOfThisProgram)/Sources/\(checkout)"
    }

    /// A file or a folder that is installed with this program.
    package static func installed(_ name: String) -> String {
        parentFolder(of: parentFolder(of: programsOfThisProgram)) + "/share/anechoic/\(name)"
    }
}
