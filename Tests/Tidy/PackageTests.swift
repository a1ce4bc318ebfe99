import Foundation
import Testing

/// Package.swift, held against the code, the architecture and what SwiftPM has resolved.
struct PackageTests {
    private let manifest = Manifest(Repository.text(of: "Package.swift") ?? "")

    /// A package in which each rule is broken once.
    private let sample = Manifest(
        """
        let package = Package(
            products: [
                .library(name: "Kit", targets: ["Kit"])
            ],
            dependencies: [
                .package(url: "https://example.org/a/one", from: "1.0.0"),
                .package(url: "https://example.org/a/Two", exact: "2.0.0"),
            ],
            targets: [
                // Floor 0: bytes.
                .systemLibrary(
                    name: "CKit", pkgConfig: "kit", providers: [.apt(["kit-dev"])]),
                module("Bytes", ["Kit"]),
                module("Reader", [.product(name: "Yams", package: "Yams"), "Bytes"]),
                // Floor 1: what a user imports.
                module("Kit", ["Reader"]),
                // Executables.
                device("lock", "Kit"),
                tests("Kit", ["Bytes"]),
            ])
        """)

    private static func lines(_ module: String, _ code: String) -> [Line] {
        Line.all(of: code, at: "Sources/\(module)/File.swift")
    }

    @Test func theManifestIsRead() {
        #expect(sample["CKit"]?.dependencies == [] && sample["CKit"]?.floor == 0)
        #expect(sample["Reader"]?.dependencies == ["Yams", "Bytes"])
        #expect(
            sample["lock"]?.dependencies == ["Kit", "DeviceKit"] && sample["lock"]?.floor == nil)
        #expect(sample["Kit"]?.kind == "module")
        #expect(sample.floors == ["CKit": 0, "Bytes": 0, "Reader": 0, "Kit": 1])
        #expect(manifest.floors.count > 20 && manifest.libraries.count == 4)
        #expect(
            manifest.packages.map(\.name) == [
                "swift-argument-parser", "Yams", "GRDB.swift",
            ])
    }

    @Test func eachModuleDeclaresWhatItImportsFromLowerFloors() throws {
        let wrong = PackageRule.wrongImports(manifest, try Repository.swift(in: "Sources"))
        #expect(wrong == [])
    }

    @Test func anImportThatIsNotDeclaredIsFound() {
        let code =
            Self.lines("Bytes", "package import Kit\n// import Reader")
            + Self.lines("Reader", "import struct Bytes.Byte\nimport Foundation")
            + Self.lines("Kit", "internal import Bytes")
        #expect(
            PackageRule.wrongImports(sample, code) == [
                "Bytes stands not above Kit", "Kit does not declare Bytes",
                "Kit does not import Reader", "Reader does not import Yams",
                "Reader stands not above Bytes",
            ])
    }

    @Test func theFloorsAreThoseOfTheArchitecture() throws {
        let text = try #require(Repository.text(of: "ARCHITECTURE.md"))
        #expect(PackageRule.differentFloors(manifest, text) == [])
    }

    /// What is linked into an app, and is not the app: an app that is launched again leaves it alone.
    @Test func globalsOfOursAreNoneOfAnApp() throws {
        let text = try #require(Repository.text(of: "Sources/CDevice/globals.c"))
        let apples = manifest.libraries.filter { $0.name.hasPrefix("Apple") }.flatMap(\.modules)
        let unnamed = manifest.closure(of: apples).filter { !text.contains("\"\($0)\"") }
        #expect(unnamed.sorted() == ["CAppleLog", "CDevice", "CMbedTLS", "CTimeAndChance"])
    }

    @Test func anotherFloorIsFound() {
        let table = """

            | floor | module | in one sentence |
            |--:|---|---|
            | 0 | `Bytes`, `CKit` | bytes |
            | 1 | `Reader` | reads `Kit` |
            """
        #expect(PackageRule.differentFloors(sample, table) == ["Kit", "Reader"])
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
                "one is no version, and not from: \"1.0.0\"",
                "Two is 2.0.1, and not exact: \"2.0.0\"",
            ])
    }
}
