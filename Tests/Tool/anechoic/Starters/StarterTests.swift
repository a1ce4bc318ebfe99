import Foundation
import TestSupport
import Testing

/// What a new package has; that it builds and ranges is seen elsewhere.
@Suite(.processes) struct StarterTests {
    private static let jobs = [
        "known-failures.yaml", ".github/workflows/conformance.yml", ".github/workflows/nightly.yml",
        ".gitlab-ci.yml",
    ]

    private let place: Place

    init() throws { place = try Place() }

    private func make(_ words: [String]) throws -> Command.Outcome {
        try Command(["new"] + words, in: place).outcome()
    }

    /// The files of a new package, and that no placeholder is left in them.
    private func made(_ words: [String], leaves left: [String]) throws -> [String] {
        let outcome = try make(words)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let files = outcome.output.split(separator: "\n").map(String.init)
        #expect(!files.contains { file in left.contains { place.read(file).contains($0) } })
        return files
    }

    /// The files of the manual are those that firmware in C begins with.
    @Test func theManualShowsTheJobsOfNewFirmware() throws {
        _ = try make(["firmware", "door-lock"])
        for (path, name) in zip(Self.jobs.dropFirst(), ["github", "github-nightly", "gitlab"]) {
            let shown = try String(
                contentsOfFile: "\(root)/Tests/Examples/CI/\(name).yml", encoding: .utf8)
            #expect(place.read("door-lock/\(path)") == shown)
        }
    }

    @Test func namesAreThoseOfThePackage() throws {
        let left = ["NAME", "TYPE", "LIBRARY", "BUILD", "SUBJECT", "CACHE"]
        let expected =
            [
                "Package.swift", "Sources/DoorFinderKit/AccessoryFinder.swift",
                "Sources/DoorFinderKit/DoorFinderApp.swift", "Sources/door-finder/main.swift",
                "Sources/DoorFinderInline/Inline.swift", "Topologies/door-finder.yaml",
                "Tests/DoorFinderTests/DoorFinderTests.swift", ".gitignore",
                "door-finder.pics.yaml",
            ] + Self.jobs
        #expect(
            try made(["app", "door-finder"], leaves: left) == expected.map { "door-finder/\($0)" })
        let package = place.read("door-finder/Package.swift")
        #expect(package.contains("[\"ANECHOIC_PACKAGE\"] ?? \"\(root)\""))
        let app = place.read("door-finder/Sources/DoorFinderKit/DoorFinderApp.swift")
        #expect(app.contains("final class DoorFinderApp: SimulatedApp"))
    }

    @Test(arguments: ["", "1st", "a_b", "a-", "../a", "a/b", "Bär"])
    func aNameThatNoPackageCanHaveIsRefused(_ name: String) throws {
        let outcome = try make(["app", name])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("'\(name)' cannot be the name of a package"))
    }

    @Test(arguments: [
        ("Finder", "finder"), ("DoorFinder", "door-finder"), ("UWBDemo2", "uwb-demo2"),
        ("door-finder", "door-finder"),
    ])
    func aPackageMayBeCalledAsATypeIs(_ given: String, _ name: String) throws {
        #expect(try make(["app", given]).output.hasPrefix("\(name)/Package.swift\n"))
    }

    @Test func firmwareInCFindsItsLibrary() throws {
        let expected = [
            "door-lock.c", "Makefile", "Topologies/door-lock.yaml", ".gitignore",
            "door-lock.pics.yaml",
        ]
        let left = ["NAME", "LIBRARY", "PROGRAM", "BUILD", "SUBJECT"]
        #expect(
            try made(["firmware", "door-lock"], leaves: left)
                == (expected + Self.jobs).map { "door-lock/\($0)" })
        let library = "\(root)/Sources/Devices/Foreign/CFirmware"
        #expect(place.read("door-lock/Makefile").contains("ANECHOIC_C ?= \(library)\n"))
        #expect(try make(["firmware", "door", "--library", root]).status == 64)
    }

    @Test func firmwareInPythonIsAProgram() throws {
        let expected = [
            "door-lock.py", "Topologies/door-lock.yaml", ".gitignore", "door-lock.pics.yaml",
        ]
        #expect(
            try made(["firmware", "door-lock", "--in", "python"], leaves: [])
                == (expected + Self.jobs).map { "door-lock/\($0)" })
        let program = place.read("door-lock/door-lock.py")
        #expect(program.hasPrefix("#!"))
        #expect(program.contains("class DoorLock(Accessory):"))
        #expect(place.read("door-lock/Topologies/door-lock.yaml").contains("run: ../door-lock.py,"))
    }

    @Test func aFolderWithoutThePackageIsRefused() throws {
        #expect(try make(["app", "door", "--package", "/tmp"]).status == 64)
    }
}
