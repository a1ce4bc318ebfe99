import Artifacts
import Foundation
import TestSupport
import Testing

/// Files are whole or not there.
struct WholeFileTests {
    private func names(in place: Place) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: place.path).sorted()
    }

    @Test func aFileIsWholeOrAsItWas() throws {
        let place = try Place()
        let path = place.path + "/a.json"
        try WholeFile.write(Data("one".utf8), to: path)
        try WholeFile.write(Data("two".utf8), to: path, survives: true)
        #expect(place.read("a.json") == "two")
        #expect(try names(in: place) == ["a.json"])
        try place.write("", to: "folder/x")
        #expect(throws: ArtifactError.self) {
            try WholeFile.write(Data("three".utf8), to: place.path + "/folder")
        }
        #expect(try names(in: place) == ["a.json", "folder", "folder/x"])
    }

    @Test func aFileThatTheUserNamesMayBeALinkOrNoFileAtAll() throws {
        let place = try Place()
        try place.write("old", to: "real/a.xml")
        let link = place.path + "/a.xml"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: place.path + "/real/a.xml")
        try WholeFile.write(Data("new".utf8), toNamed: link, option: "--junit")
        #expect(place.read("real/a.xml") == "new")
        try WholeFile.write(Data("new".utf8), toNamed: "/dev/null", option: "--junit")
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }
}
