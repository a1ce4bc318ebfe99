import Basics
import Foundation
import UV

/// The folder in which devices find the sockets that they dial: ours alone, so that nobody else dials, or
/// takes the place of a socket.
///
/// One of our making has a file `lock` that is locked as long as we live; by it a later run knows what
/// one that was killed has left, and removes it.
package final class SocketsFolder {
    package let path: String
    private let isMade: Bool
    private var lock: FileLock?

    private static let prefix = "anechoic-sockets-"

    /// The folder that the user names, or a new one in the folder for temporary files.
    ///
    /// - Throws: `HarnessError` where it cannot be made, or somebody else may write there.
    package convenience init(_ name: String?) throws {
        if let name { try self.init(named: name) } else { try self.init(in: Self.temporary) }
    }

    /// A new folder below another one.
    private init(in folder: String) throws {
        Self.removeStale(in: folder)
        var template = Array("\(folder)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw HarnessError(
                "cannot make a folder for sockets in \(folder): "
                    + "\(String(cString: strerror(errno))); expected a folder that can be written "
                    + "in TMPDIR, or one of yours with --sockets")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        isMade = true
        lock = try? FileLock(making: path + "/lock", mode: 0o600)
    }

    /// A folder of the user's, made where it is missing.
    private init(named name: String) throws {
        let trimmed = String(name.prefix(name.count - name.reversed().prefix { $0 == "/" }.count))
        path = trimmed.isEmpty ? name : trimmed
        isMade = try Self.make(path)
        try Self.check(path)
        Self.removeStaleSockets(in: path) { Self.isNumbered($0) }
        HostPlace.removeAll(in: path) { kill($0, 0) != 0 && errno == ESRCH }
    }

    deinit { remove() }

    /// Removes it where we made it and nothing is left in it but what our hosts had.
    package func remove() {
        HostPlace.removeAll(in: path) { $0 == getpid() }
        guard isMade else { return }
        lock?.remove()
        lock = nil
        rmdir(path)
    }

    private static var temporary: String {
        let folder = NSTemporaryDirectory()
        return folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }

    /// Makes a folder with those above it that are missing; false where it is there.
    private static func make(_ path: String) throws -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        switch errno {
        case EEXIST: return false
        case ENOENT where path.dropFirst().contains("/"):
            _ = try make(parentFolder(of: path))
            if mkdir(path, 0o700) == 0 { return true }
        default: break
        }
        throw HarnessError(
            "cannot make the folder \(path) for sockets: "
                + String(cString: strerror(errno)))
    }

    private static func check(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw HarnessError("--sockets \(path): expected a folder, and not a link to one")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw HarnessError(
                "--sockets \(path): others may write there, and take the place of a "
                    + "socket; expected a folder of yours alone: chmod 700 \(path)")
        }
    }
}

/// What runs that were killed have left.
extension SocketsFolder {
    /// Removes folders of our making whose makers are gone, with the sockets in them.
    private static func removeStale(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(folder)/\(name)"
            guard (try? check(path)) != nil, isFree(path + "/lock") else { continue }
            removeStaleSockets(in: path) { _ in true }
            HostPlace.removeAll(in: path) { _ in true }
            unlink(path + "/lock")
            rmdir(path)
        }
    }

    /// Removes the sockets of a folder that nobody listens on any more.
    private static func removeStaleSockets(in folder: String, where isOurs: (String) -> Bool) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasSuffix(".sock.lock") && isOurs(name) {
            let path = "\(folder)/\(name)"
            guard isFree(path) else { continue }
            let socket = String(path.dropLast(".lock".count))
            var status = stat()
            if lstat(socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink(socket) }
            unlink(path)
        }
    }

    /// Whether a lock file is there, is ours, and nobody holds it.
    private static func isFree(_ path: String) -> Bool {
        guard let lock = try? FileLock(opening: path) else { return false }
        defer { lock.release() }
        var status = stat()
        return lock.state == .held && fstat(lock.descriptor, &status) == 0
            && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
    }

    /// Whether a lock belongs to a socket of a process, `PID-NUMBER.sock`; those of devices that dial in
    /// are replaced when they are used again.
    private static func isNumbered(_ name: String) -> Bool {
        let parts = name.dropLast(".sock.lock".count).split(separator: "-")
        return parts.count == 2 && parts.allSatisfy { $0.allSatisfy(\.isNumber) }
    }
}
