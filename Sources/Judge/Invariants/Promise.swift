package import DeviceLink
package import Monitors
package import Promises
package import Traces

/// A promise of the life cycle, as an observer of one run's trace.
///
/// It sees events in order, each after the scene has taken it in, and keeps no more than it needs to
/// tell the next violation. What it says depends on the events only.
package protocol Promise: Sendable {
    /// What is promised, and who keeps it.
    static var about: PromiseDescription { get }
    static var kinds: [EventKind] { get }
    var record: Record { get }
    var bounds: [Bound] { get }
    /// The earliest deadline of an open obligation; `never` where there is none.
    var nextDeadline: VirtualTime { get }
    /// How many obligations are open that the end of a run would leave undecided.
    var openCount: Int { get }
    /// What it waits for, oldest first.
    var openObligations: [OpenObligation] { get }

    mutating func observe(_ event: TraceEvent, in scene: Scene)
    /// Decides all obligations whose deadline lies before `moment`.
    mutating func expire(before moment: VirtualTime, in scene: Scene)
}

extension Promise {
    package var bounds: [Bound] { [] }
    package var nextDeadline: VirtualTime { .never }
    /// A promise without obligations.
    package var openCount: Int { 0 }
    /// A promise without obligations.
    package var openObligations: [OpenObligation] { [] }
    package mutating func expire(before moment: VirtualTime, in scene: Scene) {}
}

extension PromiseDescription {
    /// The description of a promise that is written by hand.
    init(
        _ promise: HandwrittenPromise, clause: PromiseSource, sentence: String,
        keeper: Property.Keeper?
    ) {
        self.init(promise.rawValue, clause: clause, keeper: keeper, sentence: sentence)
    }
}

/// A length of time that a promise works with, and where the number comes from.
package struct Bound: Equatable, Sendable {
    /// What it bounds, in one word of the promise's own: `pause`.
    package let name: String
    /// How long, in nanoseconds.
    package let value: Nanoseconds
    /// Where the number comes from: a clause, a measured firmware, or the choice of this test bench.
    package let origin: String

    package init(_ name: String, _ value: Nanoseconds, origin: String) {
        self.name = name
        self.value = value
        self.origin = origin
    }
}
