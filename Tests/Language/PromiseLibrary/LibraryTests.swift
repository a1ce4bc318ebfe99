import PromiseLibrary
import Testing

/// The library that the program brings along; a file that is wrong ends the tests with its line.
struct LibraryTests {
    @Test func everyFileOfTheLibraryCanBeRead() {
        for file in PropertyLibrary.files {
            #expect(!file.set.properties.isEmpty, "\(file.name)")
            for property in file.set.properties {
                #expect(property.about.sentence.hasSuffix("."), "\(property.id)")
            }
        }
        #expect(!PropertyLibrary.standard.goals.isEmpty)
    }
}
