import PromiseLibrary
import Testing

/// The library that the program brings along; a file that is wrong ends the tests with its line.
struct LibraryTests {
    /// Words of the monitors that watch them mean nothing to an engineer of firmware or of an app.
    @Test func everyPromiseSaysInTheFieldsWordsWhatBrokeIt() throws {
        let machinery = ["no move", "at once held", "fluent", "obligation", "instance", " state "]
        for property in PropertyLibrary.standard.properties {
            let sentence = try #require(property.breaks?.text, "\(property.id)")
            #expect(sentence.hasSuffix("."), "\(property.id)")
            for word in machinery { #expect(!sentence.contains(word), "\(property.id)") }
        }
    }

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
