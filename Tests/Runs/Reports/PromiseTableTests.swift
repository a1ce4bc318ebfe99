import Foundation
import Reports
import TestSupport
import Testing

/// What the tool writes for people to read stands in the tree.
struct PromiseTableTests {
    @Test func theTableSaysWhatTheCatalogueSays() throws {
        let written = try text(of: "Sources/Language/PromiseLibrary/CATALOGUE.md")
        #expect(
            written == PromiseTable.markdown,
            "write it anew: anechoic promises --markdown > Sources/Language/PromiseLibrary/CATALOGUE.md"
        )
    }
}
