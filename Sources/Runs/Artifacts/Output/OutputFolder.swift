import Basics
package import Foundation
import UV

/// A folder whose files anechoic writes and replaces: those of a run, of `shrink`, of `explain`.
///
/// A marker in it, `.anechoic`, says that it is ours, and names the files that are. Whatever else stands
/// there was written by somebody else: it is neither replaced nor removed. The marker is also the lock by
/// which one program at a time uses the folder.
package final class OutputFolder {
    /// The path as the user gave it.
    package let path: String
    private let lock: FileLock
    /// Whether the folder itself was made by us, now or earlier.
    private var isOurs: Bool
    package static let marker = ".anechoic"
    private static let words =
        "Written by anechoic, which replaces its own files here; their names follow.\n"
    /// The files that are ours, by their paths from here; looked up only.
    private var ours: Set<String> = []
    /// Whether the last name in the marker is whole.
    private var endsInLine = true
    private static let longestMarker = 1 << 20

    /// Makes the folder where there is none, marks it as ours and locks it until ``close()``.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - parts: What is going to be written into it, by name.
    /// - Throws: `ArtifactError` where that cannot be, somebody uses it, or somebody else wrote such a
    ///   part; then nothing has changed.
    package init(_ path: String, for parts: [String]) throws(ArtifactError) {
        self.path = path
        isOurs = try OutputTree.makeFolder(path)
        lock = try FileLock("\(path)/\(Self.marker)", for: path)
        do throws(ArtifactError) {
            if try isMarked() { isOurs = true } else { try mark(parts) }
            if let strange = parts.first(where: isStrange) { throw refusal(of: strange) }
        } catch {
            close()
            throw error
        }
        WholeFile.removeUnfinished(in: path)
    }

    package func close() { lock.release() }

    /// Takes the marker away, and a folder of ours, where nothing else stands in it.
    package func remove() {
        guard (try? FileManager.default.contentsOfDirectory(atPath: path)) == [Self.marker] else {
            return close()
        }
        unlink(markerPath)
        close()
        if isOurs { rmdir(path) }
    }

    /// Writes a file of it, whole or not at all.
    package func write(_ data: Data, to name: String) throws(ArtifactError) {
        try claim([name])
        try WholeFile.write(data, to: "\(path)/\(name)")
    }

    /// Begins a file of it, which is written piece by piece.
    func newFile(_ name: String) throws(ArtifactError) -> OutputFile {
        try claim([name])
        return try OutputFile("\(path)/\(name)")
    }

    /// Makes files ours that are going to be written here, by their paths from here.
    ///
    /// - Throws: `ArtifactError` where somebody else has written one of them; then none is.
    package func claim(_ names: [String]) throws(ArtifactError) {
        if let strange = names.first(where: isStrange) { throw refusal(of: strange) }
        let new = names.filter { !ours.contains($0) }
        guard !new.isEmpty else { return }
        var lines = (endsInLine ? "" : "\n") + new.map { $0 + "\n" }.joined()
        lseek(lock.descriptor, 0, SEEK_END)
        let failure = lines.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: lock.descriptor) }
            .failure
        if let failure { throw ArtifactError(cannot: "write", markerPath, code: failure) }
        endsInLine = true
        ours.formUnion(new)
    }

    /// Removes those of its files that are ours and that `isWanted`; a link is removed, and what it leads to
    /// stays.
    package func removeFiles(where isWanted: (String) -> Bool) {
        for name in ours where isWanted(name) { unlink("\(path)/\(name)") }
    }

    /// Removes what we have written into a folder and those below it; what somebody else wrote stays, with its
    /// folder.
    ///
    /// - Throws: `ArtifactError` where somebody uses one of them.
    package static func removeAll(below path: String) throws(ArtifactError) {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let marked = all.filter { $0 == marker || $0.hasSuffix("/\(marker)") }
            .map { parentFolder(of: "\(path)/\($0)") }
        // What is deepest goes first.
        for folder in marked.sorted().reversed() {
            let folder = try OutputFolder(folder, for: [])
            let ours = folder.ours
            folder.removeFiles { _ in true }
            for name in Set(ours.filter { $0.contains("/") }.map { parentFolder(of: $0) }) {
                rmdir("\(folder.path)/\(name)")
            }
            folder.remove()
        }
    }

    /// Whether something stands there that we have not written; a folder can hold files of both.
    private func isStrange(_ name: String) -> Bool {
        guard !ours.contains(name), let status = status(of: name) else { return false }
        return status.st_mode & S_IFMT != S_IFDIR
    }

    private func refusal(of name: String) -> ArtifactError {
        ArtifactError(
            "\(path)/\(name) would be replaced, and was not written by anechoic (the folder's "
                + "\(Self.marker) does not name it); nothing was changed. Move it away, or choose another "
                + "folder with --out")
    }

    // MARK: The marker

    private var markerPath: String { "\(path)/\(Self.marker)" }

    /// Whether the marker is ours; an empty one was made a moment ago, or by somebody who was killed then.
    private func isMarked() throws(ArtifactError) -> Bool {
        var status = stat()
        fstat(lock.descriptor, &status)
        let size = min(max(0, Int(status.st_size)), Self.longestMarker)
        var bytes = [UInt8](repeating: 0, count: size)
        let count = pread(lock.descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw ArtifactError(cannot: "read", markerPath, code: errno) }
        if count == 0 { return false }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        guard text.hasPrefix(Self.words) else {
            throw ArtifactError(
                "\(markerPath) was not written by anechoic, which would use it as its mark; nothing was "
                    + "changed. Choose another folder with --out")
        }
        let lines = text.dropFirst(Self.words.count).split(separator: "\n")
        endsInLine = text.hasSuffix("\n")
        // A name that is cut off has no file yet.
        ours = Set((endsInLine ? lines : lines.dropLast()).map(String.init))
        return true
    }

    private func mark(_ parts: [String]) throws(ArtifactError) {
        if let strange = parts.first(where: { status(of: $0) != nil }) {
            unlink(markerPath)
            throw ArtifactError(
                "\(path)/\(strange) would be replaced, and was not written by anechoic (its folder has "
                    + "no \(Self.marker)); nothing was changed. Move it away, or choose another folder "
                    + "with --out")
        }
        var words = Self.words
        let failure = words.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: lock.descriptor) }
            .failure
        guard let failure else { return }
        // A marker that is cut off would be taken for somebody else's.
        unlink(markerPath)
        throw ArtifactError(cannot: "write", markerPath, code: failure)
    }

    /// Of what stands there, a link itself; nil where nothing does.
    private func status(of name: String) -> stat? {
        var status = stat()
        return lstat("\(path)/\(name)", &status) == 0 ? status : nil
    }
}

package func isSameFolder(_ one: String, as other: String) -> Bool {
    let paths = [one, other].map { URL(filePath: $0).resolvingSymlinksInPath().standardized.path }
    return paths[0] == paths[1]
}
