package import DeviceLink
package import Traces

/// A promise as data: what must hold of a trace, for whom, and where it is written.
///
/// What each part means is defined in PROMISES.md.
package struct Property: Codable, Equatable, Sendable {
    /// How binding a clause is.
    package enum Level: String, Codable, CaseIterable, Sendable {
        /// The levels of a specification.
        case must, should, may
    }

    /// Who has to keep it.
    package enum Keeper: String, Codable, CaseIterable, Sendable {
        /// The accessory's firmware.
        case accessory
        /// The app on the Apple device.
        case app
        /// The Apple device below the app.
        case appleDevice = "apple-device"
        /// Both ends of a link together.
        case link
    }

    /// What it says, and to whom.
    package var about: PromiseDescription
    /// Its stable name: `fresh-configuration`.
    package var id: String { about.id }
    /// What tells its instances apart.
    package var keys: [EventKey]
    /// Where it is in force; nil for everywhere.
    package var scope: Condition?
    /// What ends an instance for good.
    package var ends: [EventPattern]
    /// The events that put it to the test; empty where its body says which.
    package var stimuli: [EventPattern]
    /// What must hold.
    package var body: Body
    /// What has happened where it is broken, in a sentence that may name keys in braces: `{configuration}`; nil where the
    /// body tells.
    package var breaks: BreachSentence?

    /// A property that binds everywhere, as a must.
    package init(
        _ id: String, clause: PromiseSource = .nowhere, level: Level = .must,
        keeper: Keeper? = nil, sentence: String = "", keys: [EventKey] = [],
        scope: Condition? = nil,
        ends: [EventPattern] = [], stimuli: [EventPattern] = [], body: Body,
        breaks: BreachSentence? = nil
    ) {
        about = PromiseDescription(
            id, clause: clause, level: level, keeper: keeper, sentence: sentence)
        self.keys = keys
        self.scope = scope
        self.ends = ends
        self.stimuli = stimuli
        self.body = body
        self.breaks = breaks
    }
}

extension Property.Body {
    /// The events of which one breaks it by itself; empty where something is missing or counted instead.
    package var breaking: [EventPattern] {
        switch self {
        case .never(let events), .precedence(let events, _, _, _, _),
            .correlation(let events, _, _):
            events
        case .response, .existence, .always, .atMost, .count, .machine: []
        }
    }
}

extension Property {
    /// Whether a fluent is needed to judge it.
    package func speaks(of fluent: Fluent) -> Bool {
        var names = scope?.literals.map(\.fluent) ?? []
        switch body {
        case .always(let condition): names += condition.literals.map(\.fluent)
        case .atMost(_, let name): names.append(name)
        default: break
        }
        return names.contains(fluent.name)
    }

    /// What must hold, in the forms of the published specification patterns.
    package enum Body: Codable, Equatable, Sendable {
        /// `never`: absence.
        case never([EventPattern])
        /// `when`, `then`, `same`, `within`, `unless`: response.
        case response(
            when: [EventPattern], then: [EventPattern], same: [EventKey] = [],
            within: TimeBound? = nil, unless: [EventPattern] = [])
        /// `event`, `needs`, `same`, `since`, `within`: precedence.
        case precedence(
            event: [EventPattern], needs: [EventPattern], same: [EventKeyPair] = [],
            since: [EventPattern] = [], within: Nanoseconds? = nil)
        /// `event`, `same`, `as`: data correlation.
        case correlation(event: [EventPattern], field: String, source: [EventPattern])
        /// `always`: universality.
        case always(Condition)
        /// `eventually`, `within`: existence; of several events, one after the other.
        case existence([[EventPattern]], within: TimeBound? = nil)
        /// `at-most`, `of`: a bound on how many at a time.
        case atMost(Int, fluent: String)
        /// `count`, `min`, `max`, `over`: bounded recurrence.
        case count([EventPattern], range: ClosedRange<Int>, over: Nanoseconds?)
        /// `machine`: states and the events that lead from one to the next.
        case machine([MachineState])
    }

    /// A state of a machine; the first one of a machine is where it begins.
    package struct MachineState: Codable, Equatable, Sendable {
        /// An event that leads to another state.
        package struct Move: Codable, Equatable, Sendable {
            package var event: EventPattern
            /// The place of the state that it leads to.
            package var target: Int

            package init(_ event: EventPattern, to target: Int) {
                self.event = event
                self.target = target
            }
        }

        package var name: String
        /// What may happen in it; of several that match the first one counts.
        package var moves: [Move]

        package init(_ name: String, moves: [Move]) {
            self.name = name
            self.moves = moves
        }
    }

    /// How long something may take: a sum of a duration and of multiples of what the link has.
    package struct TimeBound: Codable, Equatable, Sendable {
        /// The part that is the same for every link.
        package var fixed: Nanoseconds
        /// How many effective connection intervals on top.
        package var intervals: UInt64
        /// How many supervision timeouts on top.
        package var supervisionTimeouts: UInt64

        package init(
            _ fixed: Nanoseconds, intervals: UInt64 = 0, supervisionTimeouts: UInt64 = 0
        ) {
            self.fixed = fixed
            self.intervals = intervals
            self.supervisionTimeouts = supervisionTimeouts
        }
    }

    /// Fluents that hold together: `linked & !suspended`.
    package struct Condition: Codable, Equatable, Sendable {
        /// A fluent, or its opposite.
        package struct Literal: Codable, Equatable, Sendable {
            /// The fluent's name.
            package var fluent: String
            /// Whether it is to hold.
            package var isPositive: Bool

            package init(_ fluent: String, isPositive: Bool = true) {
                self.fluent = fluent
                self.isPositive = isPositive
            }
        }

        /// All of them.
        package var literals: [Literal]

        package init(_ literals: [Literal]) { self.literals = literals }
    }
}

/// A fact that events switch on and off.
package struct Fluent: Codable, Equatable, Sendable {
    /// Its name in conditions.
    package var name: String
    /// What tells its instances apart.
    package var keys: [EventKey]
    /// What makes it hold.
    package var set: [EventPattern]
    /// What ends it.
    package var clear: [EventPattern]

    /// A fluent that does not hold at first.
    package init(
        _ name: String, keys: [EventKey] = [], set: [EventPattern], clear: [EventPattern]
    ) {
        self.name = name
        self.keys = keys
        self.set = set
        self.clear = clear
    }
}

/// A story that a suite should have seen once.
package struct Goal: Codable, Equatable, Sendable {
    /// Its stable name.
    package var id: String
    /// The story in one plain sentence.
    package var sentence: String
    /// What tells its instances apart.
    package var keys: [EventKey]
    /// The events, each of which comes after the one before.
    package var steps: [[EventPattern]]
    /// From the first to the last at most so long; nil for any time.
    package var within: Nanoseconds?

    package init(
        _ id: String, sentence: String = "", keys: [EventKey] = [], steps: [[EventPattern]],
        within: Nanoseconds? = nil
    ) {
        self.id = id
        self.sentence = sentence
        self.keys = keys
        self.steps = steps
        self.within = within
    }
}

/// Fluents, the properties that speak of them, and goals.
package struct PropertySet: Codable, Equatable, Sendable {
    /// The fluents, each name once.
    package var fluents: [Fluent]
    /// The properties, each id once.
    package var properties: [Property]
    /// The goals, each id once.
    package var goals: [Goal]

    package init(fluents: [Fluent] = [], properties: [Property] = [], goals: [Goal] = []) {
        self.fluents = fluents
        self.properties = properties
        self.goals = goals
    }
}

extension [EventPattern] {
    /// Whether one of them means an event.
    package func match(_ event: TraceEvent) -> Bool { contains { $0.matches(event) } }
}
