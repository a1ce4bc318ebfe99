/// How often each promise was put to the test, in so many runs that only numbers are kept.
package struct Occasions: Codable, Equatable, Sendable {
    /// What is known of one promise.
    package struct Count: Equatable, Sendable {
        /// How often it was put to the test.
        package var occasions = 0
        /// In how many runs.
        package var runs = 0
        /// How many runs broke it.
        package var broken = 0

        package init() {}
    }

    /// By the name of the promise; looked up and summed up only.
    package private(set) var counts: [String: Count] = [:]

    package init() {}

    /// Counts what a run has shown; promises that a topology brings along are its own matter.
    package mutating func take(_ run: RunReport) {
        for promise in run.promises
        where promise.counts(in: run) && PromiseKey(promise, in: run.topology).topology == nil {
            guard promise.exercised > 0 || promise.verdict == .violated else { continue }
            counts[promise.promise, default: Count()].occasions += promise.exercised
            counts[promise.promise, default: Count()].runs += 1
            if promise.verdict == .violated { counts[promise.promise]?.broken += 1 }
        }
    }

    package mutating func add(_ other: Occasions) {
        for (name, count) in other.counts { add(count, to: name) }
    }

    package mutating func add(_ count: Count, to name: String) {
        counts[name, default: Count()].occasions += count.occasions
        counts[name, default: Count()].runs += count.runs
        counts[name, default: Count()].broken += count.broken
    }
}

extension Occasions.Count {
    /// As three numbers: occasions, runs, broken; nil where there are others.
    package init?(_ numbers: [Int]) {
        guard numbers.count == 3 else { return nil }
        (occasions, runs, broken) = (numbers[0], numbers[1], numbers[2])
    }

    package var numbers: [Int] { [occasions, runs, broken] }
}

// A worker tells it after every lot, so it is short: three numbers a promise.
extension Occasions {
    package init(from decoder: any Decoder) throws {
        let numbers = try decoder.singleValueContainer().decode([String: [Int]].self)
        counts = numbers.compactMapValues(Count.init)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(counts.mapValues(\.numbers))
    }
}
