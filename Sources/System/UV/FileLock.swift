import Glibc

/// A file by whose lock (`flock`) one program at a time uses what the file stands for.
///
/// The lock ends with the process, however that ends.
package final class FileLock {
    /// Who has the lock.
    package enum State {
        /// This object, until it is released.
        case held
        /// Somebody else, in this process or in another one.
        case inUse
        /// Nobody: some file systems have no locks.
        case unsupported
    }

    private let path: String
    private let file: Descriptor
    /// Who had the lock when it was asked for.
    package let state: State

    /// Makes the file where there is none, and tries to lock it.
    ///
    /// - Parameters:
    ///   - path: Where it is; a link is not followed.
    ///   - mode: Who may open a file that is made here, less the umask.
    /// - Throws: Where the file cannot be opened; a lock that is in use is no error but a ``State``.
    package convenience init(making path: String, mode: UInt32) throws(UVError) {
        try self.init(path, flags: O_CREAT, mode: mode)
    }

    /// Tries to lock a file that is there.
    ///
    /// - Throws: Where the file cannot be opened, or `path` is a link.
    package convenience init(opening path: String) throws(UVError) {
        try self.init(path, flags: 0, mode: 0)
    }

    private init(_ path: String, flags: Int32, mode: mode_t) throws(UVError) {
        self.path = path
        var (file, state): (Descriptor, State)
        // Its last owner may have removed the file after we opened it.
        repeat {
            file = try Self.open(path, flags: flags, mode: mode)
            state = Self.lock(file)
        } while state != .inUse && !Self.isThere(file, path)
        (self.file, self.state) = (file, state)
    }

    private static func open(
        _ path: String, flags: Int32, mode: mode_t
    ) throws(UVError) -> Descriptor {
        let number = Glibc.open(path, flags | O_RDWR | O_NOFOLLOW | O_CLOEXEC, mode)
        guard number >= 0 else { throw UVError.last(in: "open", about: path) }
        return Descriptor(owning: number)
    }

    private static func lock(_ file: Descriptor) -> State {
        if flock(file.number ?? -1, LOCK_EX | LOCK_NB) == 0 { return .held }
        return errno == EWOULDBLOCK ? .inUse : .unsupported
    }

    /// Whether the open file is still the one at its path.
    private static func isThere(_ file: Descriptor, _ path: String) -> Bool {
        var (ours, theirs) = (stat(), stat())
        return fstat(file.number ?? -1, &ours) == 0 && stat(path, &theirs) == 0
            && ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev
    }

    /// The open file, for reading and writing; -1 once it is released.
    package var descriptor: Int32 { file.number ?? -1 }

    /// Lets somebody else take the lock; the file stays.
    package func release() { file.close() }

    /// Removes the file, where nobody else has the lock, and lets somebody else make it anew.
    package func remove() {
        if state != .inUse, file.number != nil { unlink(path) }
        release()
    }
}
