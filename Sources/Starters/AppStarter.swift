package import Campaigns
internal import Foundation
internal import Notation
internal import Reports

/// The package that `anechoic new app` makes: session code, what launches it on a simulated device, a topology and
/// a test.
package struct AppStarter {
    /// A file of the package: its path in it, and its text.
    package struct File: Equatable, Sendable {
        package let path: String
        package let text: String
    }

    package let files: [File]

    /// The package of an app of this name, which finds Anechoic's in a folder.
    ///
    /// - Throws: `WrongUse` where a package cannot have the name, or the folder has no package.
    package init(named name: String, package: String) throws(WrongUse) {
        guard let type = Self.typeName(name) else {
            throw WrongUse(
                description:
                    "'\(name)' cannot be the name of a package and its program; expected lower-case "
                    + "letters, digits and hyphens, a letter first, as in door-finder")
        }
        guard InputFile.isFolder("\(package)/Sources/AppleDevice") else {
            throw WrongUse(
                description:
                    "\(package) is not the package anechoic: there is no Sources/AppleDevice; expected "
                    + "its folder after --package")
        }
        func file(_ path: String, _ bytes: [UInt8]) -> File {
            let text = String(decoding: bytes, as: UTF8.self)
                .replacing("TYPE", with: type).replacing("NAME", with: name)
                .replacing("PACKAGE", with: Self.absolute(package))
            return File(path: path, text: text)
        }
        files = [
            file("Package.swift", PackageResources.Package_swift_txt),
            file(
                "Sources/\(type)Kit/AccessoryFinder.swift",
                PackageResources.AccessoryFinder_swift_txt),
            file("Sources/\(type)Kit/\(type)App.swift", PackageResources.App_swift_txt),
            file("Sources/\(name)/main.swift", PackageResources.main_swift_txt),
            file("Sources/\(type)Inline/Inline.swift", PackageResources.Inline_swift_txt),
            file("Topologies/\(name).yaml", PackageResources.topology_yaml_txt),
            file("Tests/\(type)Tests/\(type)Tests.swift", PackageResources.Tests_swift_txt),
            File(path: ".gitignore", text: ".build/\nout/\n"),
        ]
    }

    /// Writes the package into a folder of its name, which must not be there.
    ///
    /// - Throws: `WrongUse` where it is there, `ArtifactError` where it cannot be written.
    package func write(to folder: String) throws {
        guard !InputFile.exists(folder) else {
            throw WrongUse(
                description: "\(folder) is there already; expected a name that is free, or another "
                    + "folder to be in")
        }
        for file in files {
            let path = "\(folder)/\(file.path)"
            try OutputTree.makeFolder(parentFolder(of: path), option: "cd")
            try WholeFile.write(Data(file.text.utf8), to: path, option: "cd")
        }
    }

    /// The name of a type for a package of a name; nil where that cannot be one.
    private static func typeName(_ name: String) -> String? {
        guard name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil else { return nil }
        return name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
    }

    private static func absolute(_ path: String) -> String {
        URL(filePath: path, directoryHint: .notDirectory).standardizedFileURL.path()
    }
}
