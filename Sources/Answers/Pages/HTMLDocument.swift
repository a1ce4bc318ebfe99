import Artifacts
package import Foundation

/// A page as one file that needs no other: styles, scripts and data stand in it.
///
/// A browser runs what the policy names by its hash, and nothing else: whatever a device said stays text.
package struct HTMLDocument {
    private let page: Page
    private let charts: ChartLibrary

    package init(_ page: Page, charts: ChartLibrary) { (self.page, self.charts) = (page, charts) }

    package var data: Data {
        let style = Assets.style
        let scripts = [charts.source, Assets.script(drawing: page.kind)]
        return Data(head(style: style, scripts: scripts).utf8)
            + Data("<script type=\"application/json\" id=\"data\">".utf8)
            + EmbeddedJSON.inside(page.data)
            + Data("</script>\n".utf8)
            + Data(scripts.map { "<script>\($0)</script>\n" }.joined().utf8)
            + Data("</body>\n</html>\n".utf8)
    }

    private func head(style: String, scripts: [String]) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy(style: style, scripts: scripts))">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(Self.text(page.title))</title>
        <style>\(style)</style>
        </head>
        <body>
        <noscript>This page draws what it shows by JavaScript, which is switched off here.</noscript>

        """
    }

    /// What a browser may do for this page.
    private func policy(style: String, scripts: [String]) -> String {
        let hashes = scripts.map { "'sha256-\(SHA256.base64(of: $0))'" }.joined(separator: " ")
        return [
            "default-src 'none'", "script-src \(hashes)",
            "style-src 'sha256-\(SHA256.base64(of: style))'", "base-uri 'none'",
            "form-action 'none'",
        ].joined(separator: "; ")
    }

    /// Text between two tags.
    private static func text(_ text: String) -> String {
        plainLine(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
            ">", with: "&gt;")
    }
}

extension SHA256 {
    /// The digest of a text, as a content security policy has it.
    fileprivate static func base64(of text: String) -> String {
        Data(digest(of: Array(text.utf8))).base64EncodedString()
    }
}
