internal import Glibc

/// A file by whose lock one program at a time uses what it stands for; the lock ends with the process.
package final class FileLock {
    private let path: String
    private(set) var descriptor: Int32

    /// Makes the file where there is none, and locks it.
    ///
    /// A link is not followed.
    ///
    /// - Throws: `ArtifactError` that says that `subject` is in use, where somebody has the lock.
    package init(_ path: String, for subject: String) throws(ArtifactError) {
        self.path = path
        descriptor = -1
        // Its last owner may have removed the file after we opened it.
        repeat { try take(for: subject) } while !isThere
    }

    private func take(for subject: String) throws(ArtifactError) {
        release()
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw ArtifactError(cannot: "write", path, code: errno) }
        // Some file systems have no locks; there the file is used without one.
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        release()
        throw ArtifactError(
            "\(subject) is in use by another anechoic, which holds the lock \(path); wait until it has "
                + "ended, or choose another folder with --out")
    }

    /// Whether the file that is locked is the one at its path.
    private var isThere: Bool {
        var (ours, theirs) = (stat(), stat())
        return fstat(descriptor, &ours) == 0 && stat(path, &theirs) == 0
            && ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev
    }

    deinit { release() }

    /// Lets another program take the lock.
    package func release() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}
