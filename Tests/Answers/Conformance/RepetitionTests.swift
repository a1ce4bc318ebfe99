import Reports
import RunSupport
import Testing

@testable import Conformance

/// A run that fails is played once more.
struct RepetitionTests {
    private func report(_ seed: UInt64, _ status: Reports.ExitStatus) -> RunReport {
        .of("t", seed: seed, status: status)
    }

    /// What was seen stands, whatever is seen of the same run once more.
    @Test(
        arguments: [
            ("crash of lock: it", 3, nil, 0, 3), ("the worker process died", 70, nil, 0, 70),
            ("crash of lock: it", 3, "refusal of lock: no", 3, 3),
            (nil, 1, "hang of lock: it", 3, 3), (nil, 2, nil, 0, 70),
        ] as [(String?, Int32, String?, Int32, Int32)])
    func aFailureThatComesAndGoesIsOne(
        first: String?, status: Int32, second: String?, other: Int32, both: Int32
    ) throws {
        func run(_ failure: String?, _ status: Int32, _ digest: String) throws -> RunReport {
            var run = report(1, try #require(ExitStatus(rawValue: status)))
            (run.failure, run.digest) = (failure, digest)
            if failure != nil { run.ended = "abandoned" }
            return run
        }
        var seen = try run(first, status, "a")
        seen.take(repetition: try run(second, other, "b"))
        #expect(seen.status.rawValue == both && seen.failure != nil)
        let again = try run("crash of lock: it", 3, "b")
        var twice = try run("crash of lock: it", 3, "a")
        twice.take(repetition: again)
        #expect(twice == again)
    }
}
