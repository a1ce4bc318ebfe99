import Foundation
import Reports
import Testing

/// What the tool writes for people to read stands in the tree.
struct PromiseTableTests {
    @Test func theTableSaysWhatTheCatalogueSays() throws {
        let written = try String(
            contentsOfFile: root + "/Sources/PromiseLibrary/CATALOGUE.md", encoding: .utf8)
        #expect(
            written == PromiseTable.markdown,
            "write it anew: anechoic promises --markdown > Sources/PromiseLibrary/CATALOGUE.md")
    }
}
