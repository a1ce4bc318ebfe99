package import Monitors
internal import PromiseLibrary

/// What became of one promise in many runs.
package struct PromiseTally: Equatable, Sendable {
    /// How many runs have judged it.
    package private(set) var runs = 0
    /// How often it was put to the test.
    package private(set) var exercised = 0
    /// How many runs ended with each verdict.
    package private(set) var verdicts: [PromiseOutcome: Int] = [:]

    package init() {}

    /// Takes what became of it in a run.
    package mutating func take(_ promise: RunReport.PromiseReport) {
        runs += 1
        exercised += promise.exercised
        verdicts[promise.verdict, default: 0] += 1
    }
}

/// What identifies a promise: its name and, if a topology brings it along, that topology, because another one
/// may give the name another meaning.
struct PromiseKey: Hashable, Sendable {
    /// Nil for a promise of the library.
    let topology: String?
    let promise: String

    private static let library = Set(PropertyLibrary.promiseNames)

    init(_ promise: RunReport.PromiseReport, of run: RunReport) {
        topology = Self.library.contains(promise.promise) ? nil : run.topology
        self.promise = promise.promise
    }
}
