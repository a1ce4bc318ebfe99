import Foundation

/// The repository.
package let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL.path
/// The topologies that ship.
package let topologies = root + "/Topologies"

/// The text of a file of the repository.
package func text(of path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
}
