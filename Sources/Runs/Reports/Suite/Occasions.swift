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

// A worker tells it after every lot, and the history is told again: one text is read and written many times faster
// than eighty names with three numbers each.
extension Occasions {
    /// A line for each promise: its name, and the three numbers.
    package var lines: String {
        counts.reduce(into: "") { text, one in
            text += "\(one.key) \(one.value.occasions) \(one.value.runs) \(one.value.broken)\n"
        }
    }

    package init(from decoder: any Decoder) throws {
        let lines = try decoder.singleValueContainer().decode(String.self)
        for line in lines.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "))
            let numbers = words.dropFirst().compactMap { Int(Substring($0)) }
            guard let name = words.first, let count = Count(numbers) else { continue }
            counts[String(Substring(name))] = count
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(lines)
    }
}
