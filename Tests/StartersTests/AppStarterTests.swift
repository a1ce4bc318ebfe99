import Campaigns
import Starters
import Testing

/// What a new package has; that it builds and ranges is seen with the program.
struct AppStarterTests {
    private static let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

    @Test func namesAreThoseOfThePackage() throws {
        let starter = try AppStarter(named: "door-finder", package: Self.root)
        #expect(
            starter.files.map(\.path) == [
                "Package.swift", "Sources/DoorFinderKit/AccessoryFinder.swift",
                "Sources/DoorFinderKit/DoorFinderApp.swift", "Sources/door-finder/main.swift",
                "Sources/DoorFinderInline/Inline.swift", "Topologies/door-finder.yaml",
                "Tests/DoorFinderTests/DoorFinderTests.swift", ".gitignore",
            ])
        #expect(starter.files[0].text.contains("path: \"\(Self.root)\""))
        #expect(starter.files[2].text.contains("final class DoorFinderApp: SimulatedApp"))
        let left = ["NAME", "TYPE", "PACKAGE"]
        #expect(!starter.files.contains { file in left.contains { file.text.contains($0) } })
    }

    @Test(arguments: ["", "Door", "1st", "a_b", "a-", "../a", "a/b"])
    func aNameThatNoPackageCanHaveIsRefused(_ name: String) {
        #expect(throws: WrongUse.self) { try AppStarter(named: name, package: Self.root) }
    }

    @Test func aFolderWithoutThePackageIsRefused() {
        #expect(throws: WrongUse.self) { try AppStarter(named: "door", package: "/tmp") }
    }
}
