import Artifacts
import Basics
import Campaigns
import Foundation
import Reports

/// What `anechoic new` makes: the files of a package of a user's.
struct Starter {
    /// A file of the package: its path in it, and its text.
    struct File: Equatable, Sendable {
        let path: String
        let text: String
    }

    let files: [File]

    /// The name of a package that is called as a type or an app is: `door-finder` of `DoorFinder`; any other name as it
    /// is.
    static func packageName(of name: String) -> String {
        guard name.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) != nil else { return name }
        return name.replacing(/(?<before>[a-z0-9])(?<after>[A-Z])/) {
            "\($0.before)-\($0.after)"
        }.replacing(/(?<before>[A-Z])(?<after>[A-Z][a-z])/) { "\($0.before)-\($0.after)" }
            .lowercased()
    }

    /// Writes the package into a folder of its name, which must not be there.
    ///
    /// - Throws: `WrongUse` where it is there, `ArtifactError` where it cannot be written.
    func write(to folder: String) throws {
        guard !InputFile.exists(folder) else {
            throw WrongUse(
                "\(folder) is there already; expected a name that is free, or another "
                    + "folder to be in")
        }
        for file in files {
            let path = "\(folder)/\(file.path)"
            try OutputTree.makeFolder(parentFolder(of: path), option: "cd")
            let isProgram = file.text.hasPrefix("#!")
            try WholeFile.write(
                Data(file.text.utf8), to: path, mode: isProgram ? 0o755 : 0o644, option: "cd")
        }
    }
}

/// What stands in the texts of a starter in place of names.
struct StarterNames {
    let name: String
    /// The name of a type, made of the package's.
    let type: String
    private let folder: String
    /// What a topology starts.
    var program: String

    /// Names for a package, which finds a folder of Anechoic's.
    ///
    /// - Throws: `WrongUse` where a package cannot have the name, or a file is not in that folder; `missing` says so.
    init(
        _ name: String, in folder: String, with file: String, otherwise missing: String,
        after option: String = "--package"
    ) throws(WrongUse) {
        guard name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil else {
            throw WrongUse(
                "'\(name)' cannot be the name of a package and its program; expected lower-case "
                    + "letters, digits and hyphens, a letter first, as in door-finder, or DoorFinder, which "
                    + "makes that")
        }
        guard InputFile.exists("\(folder)/\(file)") else {
            throw WrongUse(
                "\(folder) is not \(missing): there is no \(file); expected its folder "
                    + "after \(option)")
        }
        self.name = name
        program = name
        type = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
        self.folder =
            URL(filePath: folder, directoryHint: .notDirectory).standardizedFileURL.path(
                percentEncoded: false)
    }

    /// A file of the package with the names in their places.
    func file(_ path: String, _ text: UnsafePointer<CChar>) -> Starter.File {
        let text = String(cString: text)
            .replacing("TYPE", with: type).replacing("NAME", with: name)
            .replacing("PROGRAM", with: program).replacing("LIBRARY", with: folder)
        return Starter.File(path: path, text: text)
    }
}
