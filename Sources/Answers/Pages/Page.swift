package import Foundation

/// A page: what it shows, before it is HTML.
package struct Page {
    /// What a page is of: the script `Assets/<kind>.js` draws it.
    package enum Kind: String, Encodable, Sendable {
        case run, failure, conformance, exploration, soak
    }

    package let kind: Kind
    /// What stands in the title of the window.
    package let title: String
    /// What the script is handed: one JSON document.
    package let data: Data

    /// The page of what a path means: of the first kind that knows it, else of a run.
    ///
    /// - Throws: `InputError`, `DocumentError` and `Replay.ReadError` where nothing stands there of which
    ///   there is a page, or something that is spoilt.
    package init(of path: String) throws {
        self =
            try ConformancePage.page(of: path) ?? ExplorationPage.page(of: path)
            ?? SoakPage.page(of: path) ?? RunPage.page(of: path)
    }

    /// A page whose data is a document already.
    init(kind: Kind, title: String, data: Data) {
        (self.kind, self.title, self.data) = (kind, title, data)
    }
}
