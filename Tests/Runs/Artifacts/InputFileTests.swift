import Artifacts
import TestSupport
import Testing

/// Files and folders that a user names.
struct InputFileTests {
    @Test func aFolderIsDistinguishedFromAFile() throws {
        let place = try Place()
        try place.write("1", to: "file")
        #expect(InputFile.isFolder(place.path) && !InputFile.isFolder("\(place.path)/file"))
        #expect(InputFile.exists("\(place.path)/file") && !InputFile.exists("\(place.path)/none"))
    }

    @Test func anotherDocumentIsNamedWithWhatWasExpected() throws {
        let place = try Place()
        try place.write("{}", to: "a.json")
        let path = "\(place.path)/a.json"
        #expect {
            try InputFile.decode([Int].self, from: path, as: "a list of numbers")
        } throws: { "\($0)".hasPrefix("\(path): not a list of numbers: ") }
    }
}
