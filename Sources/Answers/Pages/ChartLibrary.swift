import Artifacts
import Foundation

/// d3, which draws the charts: a file that is installed with this program or of the system's, read when a page is made
/// and copied into it.
package struct ChartLibrary {
    let source: String

    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// Where Debian's packages node-d3 and libjs-d3 put it.
    package static let places = [
        "/usr/share/nodejs/d3/dist/d3.min.js", "/usr/share/javascript/d3/d3.min.js",
    ]

    /// The version whose functions our scripts call.
    private static let beginning = "// https://d3js.org v5."

    /// Reads the library; `places` are looked at in this sequence.
    package init(places: [String] = Self.places) throws(Missing) {
        for place in places {
            guard let data = try? InputFile.contents(place) else { continue }
            let text = String(decoding: data, as: UTF8.self)
            // A script that holds the end of a script element cannot stand in a page.
            guard text.hasPrefix(Self.beginning), !text.contains("</script") else { continue }
            source = text
            return
        }
        throw Missing(
            description: "a page is drawn with d3, version 5, which is not installed; expected "
                + "\(places.joined(separator: " or ")): apt-get install node-d3")
    }
}
