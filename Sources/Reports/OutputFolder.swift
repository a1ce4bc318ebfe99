package import Foundation
internal import Topologies
internal import Traces

/// A folder whose files anechoic writes and replaces: those of a run, of `shrink`, of `explain`.
///
/// A marker in it, `.anechoic`, says that it is ours. What stands in a folder without one was written by
/// somebody else: nothing there is replaced or removed. The marker is also the lock by which one program
/// at a time uses the folder.
package final class OutputFolder {
    /// Where it is.
    package let path: String
    private let lock: FileLock
    /// Whether the folder itself was made by us, now or earlier.
    private var isOurs: Bool
    /// The name of the marker.
    package static let marker = ".anechoic"
    private static let words = "Written by anechoic, which replaces its own files here.\n"

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
        } catch {
            close()
            throw error
        }
        WholeFile.removeUnfinished(in: path)
    }

    /// Lets others use the folder.
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
        try WholeFile.write(data, to: "\(path)/\(name)")
    }

    // MARK: The marker

    private var markerPath: String { "\(path)/\(Self.marker)" }

    /// Whether the marker is ours; an empty one was made a moment ago, or by somebody who was killed then.
    private func isMarked() throws(ArtifactError) -> Bool {
        var bytes = [UInt8](repeating: 0, count: Self.words.utf8.count + 1)
        let count = pread(lock.descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw ArtifactError("read", markerPath, errno) }
        if count == 0 { return false }
        guard bytes.prefix(count).elementsEqual(Self.words.utf8) else {
            throw ArtifactError(
                "\(markerPath) was not written by anechoic, which would use it as its mark; nothing was "
                    + "changed. Choose another folder with --out")
        }
        return true
    }

    private func mark(_ parts: [String]) throws(ArtifactError) {
        if let strange = parts.first(where: exists), !isOfAnEarlierVersion {
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
        // Half of it would be taken for somebody else's.
        unlink(markerPath)
        throw ArtifactError("write", markerPath, failure)
    }

    private func exists(_ name: String) -> Bool {
        var status = stat()
        return lstat("\(path)/\(name)", &status) == 0
    }

    // MARK: Earlier versions

    /// Whether an earlier version, which set no marks, left a whole run here, or an explanation, whose
    /// failing run is one.
    private var isOfAnEarlierVersion: Bool {
        [path, "\(path)/failing"].contains(where: Self.holdsRun)
    }

    /// Whether a replay file and a trace stand there that are of one run.
    private static func holdsRun(_ folder: String) -> Bool {
        guard let replay = try? Replay.read("\(folder)/replay.json"),
            let trace = try? TraceFileReader("\(folder)/trace.jsonl"),
            (try? trace.next()) != nil, let header = trace.header
        else { return false }
        return header.seed == replay.seed && header.topology == replay.name
            && header.tool == replay.tool
    }
}
