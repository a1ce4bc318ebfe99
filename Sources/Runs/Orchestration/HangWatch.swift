import Foundation
import Reports
import Synchronization

/// Ends this process where nothing in it has moved for a long while: a hang of ours costs a night its rest, and not its
/// morning.
///
/// Workers are watched by whoever gives them tasks; this is for what is done without one.
package enum HangWatch {
    private static let beats = Atomic<UInt64>(0)
    private static let isWatching = Atomic<Bool>(false)

    /// Something has moved: a run played here has gone on, or a worker has spoken.
    package static func beat() { beats.wrappingAdd(1, ordering: .relaxed) }

    /// Does something, and ends this process with status 70 where for `patience` seconds nothing has moved in it.
    ///
    /// Seconds in which this process was stopped do not count. What is kept on the disk stays; `advice` tells how to go on
    /// with it.
    package static func watching<Value>(
        for patience: Int = 600, advice: String, _ body: () throws -> Value
    ) rethrows -> Value {
        isWatching.store(true, ordering: .relaxed)
        defer { isWatching.store(false, ordering: .relaxed) }
        Thread { watch(for: patience, advice: advice) }.start()
        return try body()
    }

    private static func watch(for patience: Int, advice: String) {
        var (silent, last) = (0, beats.load(ordering: .relaxed))
        while isWatching.load(ordering: .relaxed) {
            sleep(1)
            let now = beats.load(ordering: .relaxed)
            (silent, last) = (now == last ? silent + 1 : 0, now)
            guard silent >= patience else { continue }
            printError(
                "nothing has moved for \(patience) s. That is an error of anechoic: please report it; \(advice)"
            )
            _exit(ExitStatus.harnessError.rawValue)
        }
    }
}
