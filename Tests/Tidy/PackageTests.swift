import Foundation
import Testing

/// Package.swift, held against the code and what SwiftPM has resolved.
struct PackageTests {
    private static let dumped = Result { try Manifest.ofThisPackage() }
    private let manifest: Manifest

    init() throws { manifest = try Self.dumped.get() }

    /// A package in which each rule is broken once.
    private let sample = Manifest(
        packages: [("one", nil), ("Two", "2.0.0")],
        libraries: [("Kit", ["Kit"])],
        targets: [
            .init(name: "Bytes", path: "Sources/Wire/Bytes", dependencies: ["Kit"]),
            .init(name: "Reader", path: "Sources/Wire/Reader", dependencies: ["Yams", "Bytes"]),
            .init(name: "Kit", path: "Sources/Devices/Apple/Kit", dependencies: ["Reader"]),
            .init(
                name: "lock", path: "Sources/Devices/Programs/lock",
                dependencies: ["Kit", "DeviceKit"]),
        ])

    @Test func theManifestIsRead() {
        #expect(manifest["YAML"]?.dependencies == ["Basics", "DeviceLink", "Yams"])
        #expect(manifest["CoreBluetooth"]?.wing == "Devices" && manifest["TidyTests"]?.wing == nil)
        #expect(manifest.target(of: "Sources/Tool/anechoic/It.swift")?.name == "anechoic")
        #expect(manifest.packages.map(\.name) == ["swift-argument-parser", "Yams"])
        #expect(manifest.libraries.count == 4)
    }

    @Test func eachModuleDeclaresWhatItImportsFromItsWingAndThoseBelow() throws {
        let wrong = PackageRule.wrongImports(manifest, try Repository.swift(in: "Sources"))
        #expect(wrong == [])
    }

    @Test func anImportThatIsNotDeclaredIsFound() {
        func lines(_ path: String, _ code: String) -> [Line] {
            Line.all(of: code, at: "Sources/\(path)/File.swift")
        }
        let code =
            lines("Wire/Bytes", "package import Kit\n// import Reader")
            + lines("Wire/Reader", "import struct Bytes.Byte\nimport Foundation")
            + lines("Devices/Apple/Kit", "internal import Bytes")
        #expect(
            PackageRule.wrongImports(sample, code) == [
                "Bytes stands below Kit", "Kit does not declare Bytes",
                "Kit does not import Reader", "Reader does not import Yams",
            ])
    }

    /// A house that a newcomer knows from the street.
    @Test func theHouseIsLight() throws {
        #expect(Set(manifest.targets.compactMap(\.wing)) == Set(Manifest.wings))
        #expect(manifest.targets.count <= 105)
        #expect(manifest.targets.filter { $0.name.hasSuffix("Tests") }.count <= 35)
        let text = try #require(Repository.text(of: "Package.swift"))
        #expect(Manifest.wings.count <= 10 && text.count(where: \.isNewline) <= 260)
    }

    /// What is linked into an app, and is not the app: an app that is launched again leaves it alone.
    @Test func globalsOfOursAreNoneOfAnApp() throws {
        let text = try #require(Repository.text(of: "Sources/Devices/CDevice/globals.c"))
        let apples = manifest.libraries.filter { $0.name.hasPrefix("Apple") }.flatMap(\.modules)
        let unnamed = manifest.closure(of: apples).filter { !text.contains("\"\($0)\"") }
        #expect(unnamed.sorted() == ["CAppleLog", "CDevice", "CMbedTLS", "CTimeAndChance"])
    }

    /// Digests are those of one version of all that takes part.
    @Test func packagesArePinned() { #expect(PackageRule.unpinned(manifest) == []) }

    @Test func aPackageThatMayChangeIsFound() { #expect(PackageRule.unpinned(sample) == ["one"]) }

    @Test func librariesOfUsersDependOnNoOtherPackage() {
        #expect(PackageRule.burdens(manifest) == [])
    }

    @Test func aPackageBehindALibraryIsFound() {
        #expect(PackageRule.burdens(sample) == ["Kit is linked with Yams"])
    }

    /// `Package.resolved` is not kept in git: Package.swift says the versions, and SwiftPM has to have them.
    @Test(.enabled(if: Repository.text(of: "Package.resolved") != nil, "nothing was resolved yet"))
    func whatIsBuiltHasTheVersionsOfThePackage() throws {
        let resolved = Data(try #require(Repository.text(of: "Package.resolved")).utf8)
        #expect(try PackageRule.otherVersions(manifest, resolved: resolved) == [])
    }

    @Test func anotherVersionIsFound() throws {
        let resolved = Data(
            #"""
            {"pins": [{"identity": "two", "state": {"version": "2.0.1", "revision": "abc"}}],
             "version": 3}
            """#.utf8)
        #expect(
            try PackageRule.otherVersions(sample, resolved: resolved) == [
                "one is no version, and not pinned",
                "Two is 2.0.1, and not 2.0.0",
            ])
    }
}
