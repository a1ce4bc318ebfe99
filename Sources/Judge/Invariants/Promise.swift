package import DeviceLink
package import Monitors
package import Promises
package import Traces

/// A promise of the life cycle, as an observer of one run's trace.
///
/// It sees events in order, each after the scene has taken it in, and keeps no more than it needs to
/// tell the next violation. What it says depends on the events only.
package protocol Promise: Sendable {
    /// What is promised, who keeps it, and which kinds of events it observes.
    static var about: PromiseDescription { get }
    /// What has been seen so far.
    var record: Record { get }
    /// The time bounds it works with.
    var bounds: [Bound] { get }
    /// The earliest deadline of an open obligation; `never` where there is none.
    var nextDeadline: VirtualTime { get }
    /// How many obligations are open that the end of a run would leave undecided.
    var openCount: Int { get }
    /// What it waits for, oldest first.
    var openObligations: [OpenObligation] { get }

    /// Takes an event of one of the kinds in `about`.
    mutating func observe(_ event: TraceEvent, in scene: Scene)
    /// Decides all obligations whose deadline lies before `moment`.
    mutating func expire(before moment: VirtualTime, in scene: Scene)
}

extension Promise {
    /// A promise without time bounds.
    package var bounds: [Bound] { [] }
    /// A promise without deadlines.
    package var nextDeadline: VirtualTime { .never }
    /// A promise without obligations.
    package var openCount: Int { 0 }
    /// A promise without obligations.
    package var openObligations: [OpenObligation] { [] }
    /// Nothing expires where there are no deadlines.
    package mutating func expire(before moment: VirtualTime, in scene: Scene) {}
}

/// What a promise says and who keeps it.
package struct PromiseDescription: Equatable, Sendable {
    /// Who keeps a promise.
    package typealias Keeper = Property.Keeper

    /// The name by which files, reports and `--only` mean it: `message-order`.
    package let id: String
    /// Where it is written.
    package let clause: String
    /// What is promised, in one sentence.
    package let sentence: String
    /// How binding that is.
    package let level: Property.Level
    /// Who keeps it; nil where no one device does.
    package let keeper: Keeper?
    /// The kinds of events it observes.
    package let kinds: [EventKind]

    package init(
        id: String, clause: String, sentence: String, level: Property.Level = .must,
        keeper: Keeper?, kinds: [EventKind]
    ) {
        self.id = id
        self.clause = clause
        self.sentence = sentence
        self.level = level
        self.keeper = keeper
        self.kinds = kinds
    }

    /// The description of a promise that is written by hand.
    init(
        _ promise: HandwrittenPromise, clause: String, sentence: String, keeper: Keeper?,
        kinds: [EventKind]
    ) {
        self.init(
            id: promise.rawValue, clause: clause, sentence: sentence, keeper: keeper, kinds: kinds)
    }

    /// The description of a promise of the language.
    package init(_ property: Property) {
        self.init(
            id: property.id, clause: property.clause, sentence: property.sentence,
            level: property.level, keeper: property.keeper, kinds: [])
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
