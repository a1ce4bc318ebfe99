import Foundation
import UV

/// What a soak looks like from outside: how much it, its workers and their devices take.
struct SelfWatch {
    /// By name; bytes, or numbers of things.
    func values(of history: History) -> [String: Double] {
        let family = ProcessFamily.ofThisProcess()
        var values: [String: Double] = [:]
        for member in family.members {
            let name =
                member.generation == 0 ? "orchestrator" : member.isTool ? "workers" : "devices"
            values["\(name)-memory", default: 0] += Double(member.memory)
            values["\(name)-descriptors", default: 0] += Double(member.descriptors)
        }
        values["processes"] = Double(family.members.count)
        values["history-seconds"] = history.spent
        return values
    }
}

/// What grows, and by how much an hour.
package struct Growth: Equatable, Sendable {
    /// What was measured: `orchestrator-memory`.
    package let name: String
    /// An hour, in the unit of what was measured.
    package let slope: Double
    /// The most that is allowed an hour.
    package let most: Double

    /// Below this many seconds nothing is said: memory that is used for the first time grows, too.
    package static let shortest = 600.0

    private static let mebibyte = 1_048_576.0

    /// What may grow, by how much an hour.
    package static let allowed: [(name: String, most: Double)] = [
        ("orchestrator-memory", 16 * mebibyte), ("orchestrator-descriptors", 6),
        ("workers-memory", 64 * mebibyte), ("workers-descriptors", 12),
        ("devices-memory", 64 * mebibyte), ("devices-descriptors", 24), ("processes", 6),
    ]

    /// What grows faster than is allowed, by the median of the slopes between the samples of the second half: a
    /// single high one among them changes nothing.
    ///
    /// It grows in the third and in the fourth quarter: what begins late (an arm that waits for a first failure has
    /// devices of its own) is a step in one of them.
    package static func all(in samples: [(seconds: Double, values: [String: Double])]) -> [Growth] {
        guard let last = samples.last, let first = samples.first,
            last.seconds - first.seconds >= shortest
        else { return [] }
        let late = samples.filter {
            $0.seconds - first.seconds > (last.seconds - first.seconds) / 2
        }
        return allowed.compactMap { name, most in
            let points = thinned(late).compactMap { sample in
                sample.values[name].map { (sample.seconds, $0) }
            }
            let middle = points.count / 2
            let slopes = [points[..<middle], points[middle...], points[...]].compactMap {
                medianSlope(Array($0)).map { $0 * 3_600 }
            }
            guard slopes.count == 3, slopes.allSatisfy({ $0 > most }) else { return nil }
            return Growth(name: name, slope: slopes[2], most: most)
        }
    }

    /// At most so many of them, evenly spread: all pairs are looked at.
    private static func thinned<Value>(_ values: [Value], to most: Int = 200) -> [Value] {
        let step = max(1, values.count / most)
        return stride(from: 0, to: values.count, by: step).map { values[$0] }
    }

    /// The slope a second that half of the pairs of points are above (Theil and Sen).
    static func medianSlope(_ points: [(Double, Double)]) -> Double? {
        var slopes: [Double] = []
        for (place, one) in points.enumerated() {
            for other in points[(place + 1)...] where other.0 > one.0 {
                slopes.append((other.1 - one.1) / (other.0 - one.0))
            }
        }
        guard !slopes.isEmpty else { return nil }
        slopes.sort()
        return slopes[slopes.count / 2]
    }
}
