import Artifacts
import Foundation

/// JSON of pages: sorted keys, so that the same run gives the same bytes.
enum PageJSON {
    static func data(of value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// The file of this name that a path means: itself, or the folder that it stands in; nil where it means
    /// something else.
    static func file(_ name: String, of path: String) -> String? {
        if path == name || path.hasSuffix("/\(name)") { return path }
        let below = "\(path)/\(name)"
        return InputFile.exists(below) ? below : nil
    }

    /// An object of documents.
    static func object(_ members: [(key: StaticString, value: Data)]) -> Data {
        var object = Data("{".utf8)
        for (place, member) in members.enumerated() {
            object += Data("\(place > 0 ? "," : "")\"\(member.key)\":".utf8) + member.value
        }
        return object + Data("}\n".utf8)
    }
}
