import Foundation
package import Testing

/// Tests that wait for processes, several for each processor: the runner itself plays as many at a time as there are
/// processors, which would be idle for a third of the time.
package struct Processes: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    private static let threads = Threads(2 * ProcessInfo.processInfo.activeProcessorCount)

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) { try await body() }
    }
}

extension Trait where Self == Processes {
    /// A suite whose tests wait for processes.
    package static var processes: Self { Processes() }
}

/// So many jobs at a time.
private final class Threads: TaskExecutor {
    private let queue = OperationQueue()

    init(_ count: Int) { queue.maxConcurrentOperationCount = count }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
