import Basics
package import Foundation

/// Files that appear whole or not at all: written beside, under another name, and renamed.
///
/// If we are killed meanwhile, the old file stays until the new one is complete.
package enum WholeFile {
    /// Writes a file of ours.
    ///
    /// A link of that name is replaced, not followed. One that `survives` a loss of power too is on the
    /// disk when this returns.
    package static func write(
        _ data: Data, to path: String, survives: Bool = false, mode: mode_t = 0o644,
        option: String = "--out"
    ) throws(ArtifactError) {
        let folder = parentFolder(of: path)
        let new = unfinishedFile(in: folder)
        do throws(ArtifactError) {
            try write(
                data, to: new, flags: O_CREAT | O_TRUNC | O_NOFOLLOW, mode: mode,
                survives: survives,
                for: path, option: option)
            if rename(new, path) != 0 {
                throw ArtifactError(cannot: "write", path, code: errno, option: option)
            }
        } catch {
            unlink(new)
            throw error
        }
        if survives { synchronize(folder) }
    }

    /// Writes a file that a user named: a link is followed, and what is no file (a terminal, a pipe) is
    /// written to as it is.
    package static func write(
        _ data: Data, toNamed path: String, option: String
    ) throws(ArtifactError) {
        switch kind(path) {
        case nil: try write(data, to: path, option: option)
        case S_IFREG: try write(data, to: target(of: path), option: option)
        default: try write(data, to: path, flags: 0, survives: false, for: path, option: option)
        }
    }

    /// Checks whether a file that a user named could be written, so that a wrong one is reported before
    /// anything is done.
    package static func check(_ path: String, option: String) throws(ArtifactError) {
        let kind = kind(path)
        if kind == S_IFDIR {
            throw ArtifactError(cannot: "write", path, code: EISDIR, option: option)
        }
        if kind != nil, access(path, W_OK) != 0 {
            throw ArtifactError(cannot: "write", path, code: errno, option: option)
        }
        guard kind == nil || kind == S_IFREG else { return }
        let folder = parentFolder(of: kind == nil ? path : target(of: path))
        if access(folder, W_OK | X_OK) != 0 {
            throw ArtifactError(cannot: "write", path, code: errno, option: option)
        }
    }

    /// Removes what processes left behind that were killed while they wrote into a folder.
    package static func removeUnfinished(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(unfinished) && name.hasSuffix(".new") {
            guard let pid = pid_t(name.dropFirst(unfinished.count).dropLast(4)), pid > 0,
                kill(pid, 0) != 0, errno == ESRCH
            else { continue }
            unlink("\(folder)/\(name)")
        }
    }

    /// Where a file of a folder is written until it is complete, and renamed.
    static func unfinishedFile(in folder: String) -> String {
        "\(folder)/\(unfinished)\(getpid()).new"
    }

    /// The prefix of files that are not complete yet; the id of their writer follows.
    private static let unfinished = ".anechoic-"

    private static func write(
        _ data: Data, to path: String, flags: Int32, mode: mode_t = 0o644, survives: Bool,
        for goal: String, option: String
    ) throws(ArtifactError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | flags, mode)
        guard descriptor >= 0 else {
            throw ArtifactError(cannot: "write", goal, code: errno, option: option)
        }
        var failure = data.withUnsafeBytes { writeAll($0, to: descriptor) }.failure
        if failure == nil, survives, fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0, failure == nil { failure = errno }
        if let failure { throw ArtifactError(cannot: "write", goal, code: failure, option: option) }
    }

    private static func synchronize(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        // The file itself is safe; a file system that cannot do this for folders does it by itself.
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// What a path leads to, as in `st_mode`; nil where there is nothing.
    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private static func target(of path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
