import Foundation

/// What a command that plays many runs leaves in its folder beside them, for `report` and for programs:
/// one JSON document that says which version of which program wrote it.
package enum KeptResults {
    private struct Head: Decodable {
        let schema: Int
        let tool: String
    }

    /// Makes sure that the file may be written, before anything is played.
    ///
    /// - Throws: `ArtifactError` where somebody else's stands there.
    package static func check(_ name: String, in folder: String) throws(ArtifactError) {
        let path = "\(folder)/\(name)"
        guard InputFile.exists(path) else { return }
        let data = try? InputFile.contents(path)
        if let data, (try? JSONDecoder().decode(Head.self, from: data)) != nil { return }
        throw ArtifactError(
            "\(path) would be replaced, and was not written by anechoic; nothing was changed. Move it "
                + "away, or choose another folder with --out")
    }

    /// Writes it, whole or not at all, and makes the folder where there is none.
    package static func write(
        _ value: some Encodable, as name: String, in folder: String
    ) throws {
        try check(name, in: folder)
        try OutputTree.prepare(folder)
        try WholeFile.write(json(value), to: "\(folder)/\(name)")
    }
}
