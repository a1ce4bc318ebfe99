import Foundation
import Vocabulary

/// Where a process with somebody else's host has its sockets and, where it asks for one, its storage: paths in the
/// folder for sockets, which all begin in the same way and are always as long.
///
/// A program's arguments are fixed when it starts, but it plays devices and runs one after another. So its storage is a
/// link, which leads to the folder of the device that it is.
struct HostPlace {
    /// The beginning of its paths.
    let start: String
    var storage: String { start + Self.link }

    private static let (link, files) = (".storage", ".files")

    /// The `number`th place in a folder that this process makes.
    init(in folder: String, number: Int) {
        start = Self.path(in: folder, number)
        remove()
    }

    /// Leads the storage to the folder of a device, which is new and empty at the beginning of a run.
    ///
    /// - Throws: `HarnessError` where it cannot be made.
    func lead(toDevice device: Int, of folder: String, isNew: Bool) throws {
        let kept = Self.path(in: folder, device) + Self.files
        if isNew {
            Self.remove(kept)
            if mkdir(kept, 0o700) != 0 { throw Self.failure("make the folder \(kept)") }
        }
        unlink(storage)
        if symlink(kept, storage) != 0 { throw Self.failure("make the link \(storage)") }
    }

    /// Removes its sockets and its link; the folders of devices stay.
    func remove() {
        for path in HostProgram.sockets(at: start) + [storage] { unlink(path) }
    }

    /// Removes from a folder what places there have left whose makers are gone.
    ///
    /// - Parameters:
    ///   - folder: One for sockets.
    ///   - isGone: Whether a process is.
    static func removeAll(in folder: String, where isGone: (Int32) -> Bool) {
        for (path, maker) in all(in: folder) where isGone(maker) { remove(path) }
    }

    /// Removes the folders of devices of ours.
    static func removeFiles(in folder: String) {
        let own = getpid()
        for (path, maker) in all(in: folder) where maker == own && path.hasSuffix(files) {
            remove(path)
        }
    }

    /// What places have in a folder, and who made it.
    private static func all(in folder: String) -> [(path: String, maker: Int32)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in maker(of: name).map { ("\(folder)/\(name)", $0) } }
    }

    /// What a guest has put into a folder of ours goes with it; a link is not followed.
    private static func remove(_ path: String) {
        if unlink(path) != 0 { try? FileManager.default.removeItem(atPath: path) }
    }

    private static func path(in folder: String, _ number: Int) -> String {
        "\(folder)/\(digits(Int(getpid()), 10))-\(digits(number, 6))"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// The process that made what has this name; nil where it is nothing of a place.
    private static func maker(of name: String) -> Int32? {
        let parts = name.prefix(17).split(separator: "-", omittingEmptySubsequences: false)
        let ends = HostProgram.sockets(at: "") + [link, files]
        guard parts.count == 2, parts.map(\.count) == [10, 6],
            parts.allSatisfy({ $0.allSatisfy(\.isWholeNumber) }),
            ends.contains(String(name.dropFirst(17)))
        else { return nil }
        return Int32(parts[0])
    }

    private static func failure(_ what: String) -> HarnessError {
        HarnessError("cannot \(what) for the files of a host: \(String(cString: strerror(errno)))")
    }
}
