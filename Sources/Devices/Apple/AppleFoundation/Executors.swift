import DeviceKit
import Synchronization
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

/// Runs the jobs of tasks in turns of their device: those of the main actor on its main queue, all others on one of
/// its lanes, whose items the scheduler orders as those of any queues.
///
/// Swift asks an executor factory for both once in a process (`_createExecutors`, experimental in Swift 6.3), and its
/// clocks ask the executor to wait. No job ever reaches a thread pool.
package enum Executors {
    /// Jobs that came outside a turn, from a global initialiser for example: the next device has them.
    private static let homeless = Mutex<[(isMain: Bool, job: UnownedJob)]>([])

    /// Makes every task of this process run so; before the first of them.
    package static func install() { _createExecutors(factory: Factory.self) }

    /// Gives the device whose turn it is what came outside a turn.
    static func deliver() {
        let jobs = homeless.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for (isMain, job) in jobs { post(job, isMain: isMain) }
    }

    /// Posts a job to its queue, after a delay where there is one.
    fileprivate static func post(_ job: UnownedJob, isMain: Bool, after delay: Duration? = nil) {
        guard Context.ofTurn != nil else { return homeless.withLock { $0.append((isMain, job)) } }
        // A device that is gone does nothing more, and its jobs are nobody else's.
        guard let runtime = AppRuntime.ofTurn else { return }
        if let delay {
            _ = runtime.setTimer(after: delay.nanoseconds) { post(job, isMain: isMain) }
            return
        }
        runtime.post(to: isMain ? DispatchQueue.mainChannel : runtime.nextLane()) {
            run(job, isMain: isMain)
        }
    }

    private static func run(_ job: UnownedJob, isMain: Bool) {
        if isMain {
            job.runSynchronously(on: MainTurns.shared.asUnownedSerialExecutor())
        } else {
            job.runSynchronously(on: Lanes.shared.asUnownedTaskExecutor())
        }
    }

    private struct Factory: ExecutorFactory {
        static var mainExecutor: any MainExecutor { MainTurns.shared }
        static var defaultExecutor: any TaskExecutor { Lanes.shared }
    }
}

/// What both executors do with jobs: they post them, at once or when they are due.
private protocol TurnExecutor: SchedulingExecutor {
    var isMain: Bool { get }
}

extension TurnExecutor {
    func enqueue(_ job: consuming ExecutorJob) { Executors.post(UnownedJob(job), isMain: isMain) }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        Executors.post(UnownedJob(job), isMain: isMain, after: length(delay, of: clock))
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        let delay = length(clock.now.duration(to: instant), of: clock)
        Executors.post(UnownedJob(job), isMain: isMain, after: delay)
    }
}

private final class MainTurns: MainExecutor, TurnExecutor {
    static let shared = MainTurns()

    var isMain: Bool { true }

    /// The turns are the loop.
    func run() {}
    func stop() {}

    var isMainExecutor: Bool { true }

    /// Traps off the main queue, as on iOS.
    func checkIsolated() {
        let channel = AppRuntime.current.channel
        precondition(
            channel == DispatchQueue.mainChannel,
            "this is the main actor's, and runs on '\(channel)' of the device")
    }
}

/// The executor of all other tasks and actors.
private final class Lanes: TaskExecutor, TurnExecutor {
    static let shared = Lanes()

    var isMain: Bool { false }
}

/// A length of time of a clock whose durations are Swift's, as those of all its own clocks are.
private func length<C: Clock>(_ duration: C.Duration, of clock: C) -> Duration {
    guard let duration = duration as? Duration else {
        preconditionFailure("a task sleeps by \(type(of: clock)), whose durations are not Duration")
    }
    return duration
}

extension Duration {
    /// The nearest whole number below; 0 for what is past.
    fileprivate var nanoseconds: Nanoseconds {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return min(UInt64(seconds), 3_155_760_000) * 1_000_000_000
            + UInt64(attoseconds / 1_000_000_000)
    }
}
