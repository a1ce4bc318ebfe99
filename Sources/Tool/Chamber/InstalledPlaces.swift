import Foundation

/// Where things are.
enum InstalledPlaces {
    static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// The root of the package that a file belongs to; the file's folder where there is none.
    static func package(of file: String) -> String {
        var folder = URL(filePath: file).deletingLastPathComponent()
        while folder.path != "/" {
            if isFile(folder.path + "/Package.swift") { return folder.path }
            folder.deleteLastPathComponent()
        }
        return URL(filePath: file).deletingLastPathComponent().path
    }

    /// The folder of the program that runs the tests.
    static let ofTests =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        .map { URL(filePath: $0).deletingLastPathComponent().path } ?? "."

    /// The checkout that this library was built from.
    private static let checkout = package(of: #filePath)

    /// Where the program may be, beside PATH: as the variable ANECHOIC says, beside the tests, or as
    /// Scripts/anechoic of the checkout has built it.
    static let executables: [String] = {
        let named = ProcessInfo.processInfo.environment["ANECHOIC"]
        return named.map { [$0] } ?? ["\(ofTests)/anechoic", "\(checkout)/.build/release/anechoic"]
    }()

    /// The program; nil where there is none.
    static var executable: String? {
        let inPath = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { "\($0)/anechoic" }
        let isNamed = ProcessInfo.processInfo.environment["ANECHOIC"] != nil
        return (executables + (isNamed ? [] : inPath)).first {
            isFile($0) && FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// The folders of the topologies that ship: in the checkout, and beside an installed program.
    static func shipped(with executable: String?) -> [String] {
        let installed = executable.map { path in
            URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent()
                .appending(path: "../../share/anechoic/Topologies").standardized.path
        }
        return ["\(checkout)/Topologies"] + (installed.map { [$0] } ?? [])
    }
}
