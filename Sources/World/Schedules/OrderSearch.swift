import Basics
package import Choices
import DeviceLink

/// All schedules of some topologies that put off at most so many events: breadth first from the plain one,
/// with partial-order reduction.
///
/// A schedule is first come, first served but for its afters, each of which makes one event wait for
/// another. Only events that race are worth an after, and only where the window of the one that waits
/// leaves time for the other. Of schedules whose runs differ in independent neighbours only, one leads
/// further: the orders that they lead to are equal too.
///
/// It is complete for orders and not for moments: topologies are as they are without what is drawn (loss,
/// faults, latencies, phases), each event happens as early as its schedule lets it, and of runs of one order
/// that differ in when something happened (a connection event that was planned by one side or the other)
/// the first one stands for all. The number of schedules grows with the power of the afters; 1 or 2 are for
/// a handshake, more for what is smaller.
package struct OrderSearch: Codable, Equatable, Sendable {
    /// A schedule that was played.
    package struct Visit: Codable, Equatable, Sendable {
        let afters: [After]
        /// What all runs of its order have in common; nil where it did not come to its end.
        let identity: UInt64?
        let isAsScheduled: Bool
        /// What could have waited besides.
        let reversals: [After]

        /// A schedule whose run was surveyed, or did not come to its end.
        package init(_ afters: [After], _ order: OrderSurvey?) {
            self.afters = afters
            identity = order?.identity
            isAsScheduled = order?.isAsScheduled ?? true
            reversals = order?.reversals ?? []
        }
    }

    private struct Waiting: Codable, Equatable {
        let topology: Int
        let afters: [After]

        /// Whatever the order in which the afters were found.
        var key: UInt64 {
            let texts = afters.map { "\($0.event.text) \($0.after.text)" }.sorted()
            return texts.reduce(Keyed(UInt64(topology))) { $0.with($1) }.value
        }
    }

    /// So many schedules may wait; where there are more of them, the rest is omitted.
    private static let mostWaiting = 100_000

    /// With at most how many afters.
    package let most: Int
    /// How many afters the present schedules have.
    private var depth = 0
    /// Those that were not played to their end.
    private var present: [Waiting]
    private var coming: [Waiting] = []
    /// How many afters each schedule has that was ever put in line; looked up only.
    private var known: [UInt64: Int] = [:]
    /// How many schedules had each order; looked up only.
    package private(set) var orders: [UInt64: Int] = [:]
    /// How many of the present ones are being played; those begin anew in another process.
    private var issued = 0
    package private(set) var played = 0
    /// Schedules whose order an earlier one had already.
    package private(set) var equal = 0
    /// Schedules that time forbids.
    package private(set) var impossible = 0
    /// Whether some were omitted because too many waited.
    package private(set) var isCut = false

    private enum CodingKeys: CodingKey {
        case most, depth, present, coming, known, orders, played, equal, impossible, isCut
    }

    /// A search that has not begun, with at most so many afters.
    package init(topologies: Int, most: Int) {
        self.most = most
        present = (0..<topologies).map { Waiting(topology: $0, afters: []) }
        for schedule in present { known[schedule.key] = 0 }
    }

    /// Whether it is one that a search over so many topologies can come to, with counts of at most so much:
    /// what was kept may have been changed.
    package func isPossible(topologies: Int, atMost limit: Int) -> Bool {
        let counts = [depth, played, equal, impossible] + orders.values
        return counts.allSatisfy { (0...limit).contains($0) }
            && (present + coming).allSatisfy {
                (0..<topologies).contains($0.topology) && $0.afters.count <= most
            }
    }

    package var differentOrders: Int { orders.count }

    package var total: Int { known.count }

    /// Whether every schedule has been played.
    package var isComplete: Bool { present.isEmpty && coming.isEmpty && !isCut }

    /// The next schedules, at most so many, of one topology; nil where none is left, or where those of a
    /// depth wait for results of the one before.
    package mutating func next(atMost count: Int) -> (topology: Int, afters: [[After]])? {
        guard issued < present.count else { return nil }
        let topology = present[issued].topology
        let lot = present[issued...].prefix(count).prefix { $0.topology == topology }
        issued += lot.count
        return (topology, lot.map(\.afters))
    }

    /// Takes what became of the first of those that were handed out.
    package mutating func take(_ visits: [Visit], of topology: Int) {
        present.removeFirst(visits.count)
        issued -= visits.count
        for visit in visits { take(visit, of: topology) }
        guard present.isEmpty else { return }
        swap(&present, &coming)
        depth += 1
    }

    private mutating func take(_ visit: Visit, of topology: Int) {
        played += 1
        guard let identity = visit.identity else { return }
        guard visit.isAsScheduled else { return impossible += 1 }
        let order = Self.key(of: identity, topology)
        orders[order, default: 0] += 1
        guard orders[order] == 1 else { return equal += 1 }
        for reversal in visit.reversals
        where !visit.afters.contains(After(event: reversal.after, after: reversal.event)) {
            // Who waits already may wait for something later instead.
            let others = visit.afters.filter { $0.event != reversal.event }
            guard others.count < most else { continue }
            add(Waiting(topology: topology, afters: others + [reversal]))
        }
    }

    package static func key(of identity: UInt64, _ topology: Int) -> UInt64 {
        Keyed(UInt64(topology)).with(identity).value
    }

    private mutating func add(_ schedule: Waiting) {
        let key = schedule.key
        guard known[key] == nil else { return }
        guard present.count + coming.count < Self.mostWaiting else { return isCut = true }
        known[key] = schedule.afters.count
        if schedule.afters.count > depth {
            coming.append(schedule)
        } else {
            present.append(schedule)
        }
    }

    /// What has been done, for people.
    package var text: String {
        let number = isCut ? "more than \(total)" : "\(isComplete ? "" : "at least ")\(total)"
        return "explored \(played) of \(number) schedules with at most \(most.counted("after")): "
            + "\(differentOrders.counted("different order")), \(equal.counted("duplicate")), "
            + "\(impossible) impossible because of timing"
    }
}
