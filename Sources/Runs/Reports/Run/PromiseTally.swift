package import Monitors
import PromiseLibrary
import Traces

/// What became of one promise in many runs.
package struct PromiseTally: Codable, Equatable, Sendable {
    /// How many runs have judged it.
    package private(set) var runs = 0
    /// How often it was put to the test.
    package private(set) var exercised = 0
    /// How many runs ended with each verdict.
    package private(set) var verdicts: [Outcome: Int] = [:]
    /// The roles of those who broke it; nil for somebody whose role nobody knows.
    private(set) var blamed: Set<DeviceRole?> = []

    package init() {}

    /// Takes what became of it in a run.
    package mutating func take(_ promise: RunReport.PromiseReport) {
        runs += 1
        exercised += promise.exercised
        verdicts[promise.verdict, default: 0] += 1
        blame(promise)
    }

    /// Takes who broke it in a run.
    mutating func blame(_ promise: RunReport.PromiseReport) {
        guard promise.verdict == .violated else { return }
        blamed.formUnion(promise.violations.map(\.role))
    }

    /// Takes what became of it in other runs.
    package mutating func add(_ other: PromiseTally) {
        runs += other.runs
        exercised += other.exercised
        verdicts.merge(other.verdicts, uniquingKeysWith: +)
        blamed.formUnion(other.blamed)
    }
}

/// What identifies a promise: its name and, if a topology brings it along, that topology, because another one
/// may give the name another meaning.
package struct PromiseKey: Hashable, Codable, Sendable {
    /// Nil for a promise of the library.
    package var topology: String?
    let promise: String

    private static let library = Set(PropertyLibrary.promiseNames)

    /// Of a promise that was judged in a run of `topology`.
    package init(_ promise: RunReport.PromiseReport, in topology: String) {
        self.topology = Self.library.contains(promise.promise) ? nil : topology
        self.promise = promise.promise
    }
}
