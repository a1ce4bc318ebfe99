import Foundation
import Testing

/// Links lead somewhere.
struct LinkTests {
    @Test(arguments: try Document.all())
    func everyLinkLeadsToAFileAndAHeading(_ document: Document) throws {
        let dead = try links(of: document).filter { try !leadsSomewhere($0, from: document) }
        #expect(dead == [])
    }

    @Test func everyArticleIsOnTheManualsFirstPage() throws {
        let folder = "Sources/Tool/anechoic/Manual.docc"
        let listed = links(of: try Document(folder + "/Anechoic.md"))
        let articles = try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)
        #expect(articles.filter { !listed.contains($0) && $0 != "Anechoic.md" } == [])
    }

    /// A page of ours says where the words of others are defined.
    @Test func theReadmeLinksToAppleBluetoothAndFiRa() throws {
        let foreign = links(of: try Document("README.md")).filter { $0.hasPrefix("https://") }
        for host in ["developer.apple.com", "www.bluetooth.com", "www.firaconsortium.org"] {
            #expect(foreign.contains { $0.contains(host) }, "\(host)")
        }
    }

    @Test func theReadmeIsShort() throws {
        #expect(try Document("README.md").lines.count <= 151)
    }

    /// What `[text](target)` names; code is none.
    private func links(of document: Document) -> [String] {
        document.prose.joined(separator: "\n").replacing(/`[^`\n]*`/, with: "`")
            .matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
    }

    private func leadsSomewhere(_ link: String, from document: Document) throws -> Bool {
        if link.hasPrefix("https://") { return true }
        let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let folder = URL(filePath: root + "/" + document.path).deletingLastPathComponent()
        let target =
            parts[0].isEmpty
            ? document.path
            : String(
                folder.appending(path: parts[0]).standardizedFileURL.path.dropFirst(root.count + 1))
        guard FileManager.default.fileExists(atPath: root + "/" + target) else { return false }
        return try parts.count == 1 || Document(target).anchors.contains(parts[1])
    }
}
