import Campaigns
import Foundation
import Testing

@testable import anechoic

/// What a new package has; that it builds and ranges is seen with the program.
struct StarterTests {
    private static let root = #filePath.split(separator: "/").dropLast(5).map { "/\($0)" }.joined()

    private static let jobs = [
        "known-failures.yaml", ".github/workflows/conformance.yml", ".github/workflows/nightly.yml",
        ".gitlab-ci.yml",
    ]

    /// The files of the manual are those that firmware in C begins with.
    @Test func theManualShowsTheJobsOfNewFirmware() throws {
        let starter = try Starter.firmware(
            named: "door-lock", in: .c, library: "\(Self.root)/Sources/Devices/Foreign/CFirmware")
        for (path, name) in zip(Self.jobs.dropFirst(), ["github", "github-nightly", "gitlab"]) {
            let shown = try String(
                contentsOfFile: "\(Self.root)/Tests/Examples/CI/\(name).yml", encoding: .utf8)
            #expect(starter.files.first { $0.path == path }?.text == shown)
        }
    }

    @Test func namesAreThoseOfThePackage() throws {
        let starter = try Starter.app(named: "door-finder", package: Self.root)
        #expect(
            starter.files.map(\.path) == [
                "Package.swift", "Sources/DoorFinderKit/AccessoryFinder.swift",
                "Sources/DoorFinderKit/DoorFinderApp.swift", "Sources/door-finder/main.swift",
                "Sources/DoorFinderInline/Inline.swift", "Topologies/door-finder.yaml",
                "Tests/DoorFinderTests/DoorFinderTests.swift", ".gitignore",
                "door-finder.pics.yaml",
            ] + Self.jobs)
        #expect(starter.files[0].text.contains("[\"ANECHOIC_PACKAGE\"] ?? \"\(Self.root)\""))
        #expect(starter.files[2].text.contains("final class DoorFinderApp: SimulatedApp"))
        let left = ["NAME", "TYPE", "LIBRARY", "BUILD", "SUBJECT", "CACHE"]
        #expect(!starter.files.contains { file in left.contains { file.text.contains($0) } })
    }

    @Test(arguments: ["", "Door", "1st", "a_b", "a-", "../a", "a/b"])
    func aNameThatNoPackageCanHaveIsRefused(_ name: String) {
        #expect(throws: WrongUse.self) { try Starter.app(named: name, package: Self.root) }
    }

    @Test(arguments: [
        ("Finder", "finder"), ("DoorFinder", "door-finder"), ("UWBDemo2", "uwb-demo2"),
        ("door-finder", "door-finder"), ("a_b", "a_b"), ("Bär", "Bär"),
    ])
    func aPackageMayBeCalledAsATypeIs(_ given: String, _ name: String) {
        #expect(Starter.packageName(of: given) == name)
    }

    @Test func firmwareInCFindsItsLibrary() throws {
        let library = "\(Self.root)/Sources/Devices/Foreign/CFirmware"
        let starter = try Starter.firmware(named: "door-lock", in: .c, library: library)
        #expect(
            starter.files.map(\.path) == [
                "door-lock.c", "Makefile", "Topologies/door-lock.yaml", ".gitignore",
                "door-lock.pics.yaml",
            ] + Self.jobs)
        #expect(starter.files[1].text.contains("ANECHOIC_C ?= \(library)\n"))
        let left = ["NAME", "LIBRARY", "PROGRAM", "BUILD", "SUBJECT"]
        #expect(!starter.files.contains { file in left.contains { file.text.contains($0) } })
        #expect(throws: WrongUse.self) {
            try Starter.firmware(named: "door-lock", in: .c, library: Self.root)
        }
    }

    @Test func firmwareInPythonIsAProgram() throws {
        let library = "\(Self.root)/Sources/Devices/Foreign/Python"
        let starter = try Starter.firmware(named: "door-lock", in: .python, library: library)
        #expect(
            starter.files.map(\.path) == [
                "door-lock.py", "Topologies/door-lock.yaml", ".gitignore", "door-lock.pics.yaml",
            ] + Self.jobs)
        #expect(starter.files[0].text.hasPrefix("#!"))
        #expect(starter.files[0].text.contains("class DoorLock(Accessory):"))
        #expect(starter.files[1].text.contains("run: ../door-lock.py,"))
    }

    @Test func aFolderWithoutThePackageIsRefused() {
        #expect(throws: WrongUse.self) { try Starter.app(named: "door", package: "/tmp") }
    }
}
