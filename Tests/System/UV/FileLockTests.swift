import Glibc
import Testing
import UV

/// One at a time uses what a file stands for.
struct FileLockTests {
    @Test func aLockIsInUseUntilItIsReleased() throws {
        let path = temporaryPath("lock")
        let first = try FileLock(making: path, mode: 0o600)
        defer { unlink(path) }
        #expect(first.state == .held)
        #expect(try FileLock(making: path, mode: 0o600).state == .inUse)
        first.release()
        #expect(try FileLock(opening: path).state == .held)
    }

    @Test func whoRemovesALockLeavesNoFile() throws {
        let path = temporaryPath("removed-lock")
        let lock = try FileLock(making: path, mode: 0o600)
        lock.remove()
        #expect(throws: UVError(UVError.Code(rawValue: -ENOENT), in: "open", about: path)) {
            try FileLock(opening: path)
        }
    }

    @Test func nobodyRemovesTheLockOfSomebodyElse() throws {
        let path = temporaryPath("others-lock")
        let lock = try FileLock(making: path, mode: 0o600)
        try FileLock(opening: path).remove()
        #expect(access(path, F_OK) == 0)
        lock.remove()
    }

    @Test func aLinkIsNotFollowed() throws {
        let (path, other) = (temporaryPath("link-lock"), temporaryPath("linked"))
        symlink(other, path)
        defer { unlink(path) }
        #expect(throws: UVError(UVError.Code(rawValue: -ELOOP), in: "open", about: path)) {
            try FileLock(making: path, mode: 0o600)
        }
    }
}
