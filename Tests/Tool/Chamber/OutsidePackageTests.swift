import Foundation
import TestSupport
import Testing

/// The package of Tests/Examples/Door, which a user has beside this repository.
@Suite(.processes) struct OutsidePackageTests {
    @Test(.long) func aPackageOfAUsersPlaysItsTopologiesAndDevicesInItsTests() throws {
        let place = try Place()
        let files = FileManager.default
        try files.copyItem(atPath: "\(root)/Tests/Examples/Door", toPath: "\(place.path)/door")
        try files.createSymbolicLink(
            atPath: "\(place.path)/anechoic", withDestinationPath: root)
        let beacon = try String(
            contentsOfFile: "\(root)/Tests/Programs/example-beacon/main.swift", encoding: .utf8)
        try place.write(beacon, to: "door/Sources/beacon/main.swift")
        let outcome = try place.run([
            "env", "ANECHOIC=\(Command.executables)/anechoic", "swift", "test", "--package-path",
            "door", "--disable-xctest",
        ])
        #expect(outcome.status == 0, "\(outcome.said)")
        #expect(
            outcome.said.contains("Test aDroppedLinkComesBack(seed:) with 20 test cases passed"))
        #expect(outcome.said.contains("Test theBeaconBlinksOnceASecond() passed"))
    }
}
