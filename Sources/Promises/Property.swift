package import DeviceLink
package import Traces

/// A promise as data: what must hold of a trace, for whom, and where it is written.
///
/// What each part means is defined in PROMISES.md.
package struct Property: Equatable, Sendable {
    /// How binding a clause is.
    package enum Level: String, CaseIterable, Sendable {
        /// The levels of a specification.
        case must, should, may
    }

    /// Who has to keep it.
    package enum Keeper: String, CaseIterable, Sendable {
        /// The accessory's firmware.
        case accessory
        /// The app on the Apple device.
        case app
        /// The Apple device below the app.
        case appleDevice = "apple-device"
        /// Both ends of a link together.
        case link
    }

    /// Its stable name: `fresh-configuration`.
    package var id: String
    /// Where it is written; empty for an expectation of one topology.
    package var clause: String
    /// How binding that is.
    package var level: Level
    /// Who has to keep it; nil where nobody in particular has.
    package var keeper: Keeper?
    /// What is promised, in one plain sentence.
    package var sentence: String
    /// The fields that tell its instances apart; `device` is the event's device.
    package var keys: [String]
    /// Where it is in force; nil for everywhere.
    package var scope: Condition?
    /// What ends an instance for good.
    package var ends: [EventPattern]
    /// What must hold.
    package var body: Body

    /// A property that binds everywhere, as a must.
    package init(
        _ id: String, clause: String = "", level: Level = .must, keeper: Keeper? = nil,
        sentence: String = "", keys: [String] = [], scope: Condition? = nil,
        ends: [EventPattern] = [], body: Body
    ) {
        self.id = id
        self.clause = clause
        self.level = level
        self.keeper = keeper
        self.sentence = sentence
        self.keys = keys
        self.scope = scope
        self.ends = ends
        self.body = body
    }
}

extension Property {
    /// What must hold, in the forms of the published specification patterns.
    package enum Body: Equatable, Sendable {
        /// `never`: absence.
        case never([EventPattern])
        /// `when`, `then`, `within`, `unless`: response.
        case response(
            when: [EventPattern], then: [EventPattern], within: Nanoseconds?,
            unless: [EventPattern])
        /// `event`, `needs`, `since`, `within`: precedence.
        case precedence(
            event: [EventPattern], needs: [EventPattern], since: [EventPattern],
            within: Nanoseconds?)
        /// `event`, `same`, `as`: data correlation.
        case correlation(event: [EventPattern], field: String, source: [EventPattern])
        /// `always`: universality.
        case always(Condition)
        /// `eventually`, `within`: existence.
        case existence([EventPattern], within: Nanoseconds?)
        /// `at-most`, `of`: a bound on how many at a time.
        case atMost(Int, fluent: String)
        /// `count`, `min`, `max`, `over`: bounded recurrence.
        case count([EventPattern], range: ClosedRange<Int>, over: Nanoseconds?)
    }

    /// Fluents that hold together: `linked & !suspended`.
    package struct Condition: Equatable, Sendable {
        /// A fluent, or its opposite.
        package struct Literal: Equatable, Sendable {
            /// The fluent's name.
            package var fluent: String
            /// Whether it is to hold.
            package var isPositive: Bool

            /// A literal.
            package init(_ fluent: String, isPositive: Bool = true) {
                self.fluent = fluent
                self.isPositive = isPositive
            }
        }

        /// All of them.
        package var literals: [Literal]

        /// A condition.
        package init(_ literals: [Literal]) { self.literals = literals }
    }
}

/// A fact that events switch on and off.
package struct Fluent: Equatable, Sendable {
    /// Its name in conditions.
    package var name: String
    /// The fields that tell its instances apart; `device` is the event's device.
    package var keys: [String]
    /// What makes it hold.
    package var set: [EventPattern]
    /// What ends it.
    package var clear: [EventPattern]

    /// A fluent that does not hold at first.
    package init(
        _ name: String, keys: [String] = [], set: [EventPattern], clear: [EventPattern]
    ) {
        self.name = name
        self.keys = keys
        self.set = set
        self.clear = clear
    }
}

/// Fluents and the properties that speak of them.
package struct PropertySet: Equatable, Sendable {
    /// The fluents, each name once.
    package var fluents: [Fluent]
    /// The properties, each id once.
    package var properties: [Property]

    /// A set.
    package init(fluents: [Fluent] = [], properties: [Property] = []) {
        self.fluents = fluents
        self.properties = properties
    }
}

extension [EventPattern] {
    /// Whether one of them means an event.
    package func match(_ event: TraceEvent) -> Bool { contains { $0.matches(event) } }
}

extension TraceEvent {
    /// The value of a key: the device where the key is `device`, a field else.
    package func value(ofKey key: String) -> Field.Value? {
        guard key == "device" else { return self[key] }
        return device.isEmpty ? nil : .text(device)
    }
}
