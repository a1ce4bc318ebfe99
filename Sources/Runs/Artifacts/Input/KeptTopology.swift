import Topologies

/// A topology's text for a file that somebody keeps, or sends to somebody else.
///
/// Paths of programs are as they were written, or as they would be in the topology's own file: never those of this
/// machine.
///
/// - Parameters:
///   - text: The text, whose paths count from `folder`.
///   - folder: An absolute path.
///   - way: The way to that folder from the one for which the file is; nil where it is for that folder.
/// - Returns: The text as it is kept.
package func keptText(_ text: String, from folder: String, by way: String?) -> String {
    guard let way, let parts = TopologyParts(text), parts.startsPrograms else { return text }
    return parts.text(runningBy: way) { isFile($0, in: folder) }
}

/// Whether a relative path leads from a folder to something that is no folder.
package func isFile(_ path: String, in folder: String) -> Bool {
    let whole = "\(folder)/\(path)"
    return InputFile.exists(whole) && !InputFile.isFolder(whole)
}
