import CFiles
import Campaigns

extension Starter {
    /// The package of an app of this name: session code, what launches it on a simulated device, a topology,
    /// a test, and what a server needs.
    ///
    /// - Throws: `WrongUse` where a package cannot have the name, or `package` is not Anechoic's folder.
    static func app(named name: String, package: String) throws(WrongUse) -> Starter {
        let names = try StarterNames(
            name, in: package, with: "Sources/Devices/Apple/AppleDevice",
            otherwise: "the package anechoic")
        let type = names.type
        return Starter(
            files: [
                names.file("Package.swift", Package_swift_txt()),
                names.file(
                    "Sources/\(type)Kit/AccessoryFinder.swift",
                    AccessoryFinder_swift_txt()),
                names.file("Sources/\(type)Kit/\(type)App.swift", App_swift_txt()),
                names.file("Sources/\(name)/main.swift", main_swift_txt()),
                names.file("Sources/\(type)Inline/Inline.swift", Inline_swift_txt()),
                names.file("Topologies/\(name).yaml", topology_yaml_txt()),
                names.file("Tests/\(type)Tests/\(type)Tests.swift", Tests_swift_txt()),
                File(path: ".gitignore", text: ".build/\nout/\nsoak/\n"),
            ]
                + names.jobs(
                    build: "swift build", subject: "--app .build/debug/\(name)",
                    pics: app_pics_yaml_txt(), cachesBuild: true))
    }
}
