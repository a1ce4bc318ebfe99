import Synchronization

/// The processes that this one has started on its loops and has not waited for.
///
/// One set for the process, because orphans are everybody's: a loop that knew its own children alone would take
/// those of another one for orphans, and end them.
enum Children {
    private static let living = Mutex<Set<Int32>>([])

    static func insert(_ pid: Int32) { living.withLock { _ = $0.insert(pid) } }

    static func remove(_ pid: Int32) { living.withLock { _ = $0.remove(pid) } }

    /// All of them, whatever loop they are on.
    static var all: Set<Int32> { living.withLock { $0 } }
}
