package import UV

extension FileLock {
    /// Locks a file of the output tree, which is made where there is none.
    ///
    /// Where the file system has no locks, `subject` is used without one.
    ///
    /// - Throws: `ArtifactError` that says that `subject` is in use, where somebody has the lock.
    package convenience init(_ path: String, for subject: String) throws(ArtifactError) {
        do throws(UVError) { try self.init(making: path, mode: 0o644) } catch {
            throw ArtifactError(cannot: "write", path, code: -error.code.rawValue)
        }
        guard state == .inUse else { return }
        throw ArtifactError(
            "\(subject) is in use by another anechoic, which holds the lock \(path); wait until it has "
                + "ended, or choose another folder with --out")
    }
}
