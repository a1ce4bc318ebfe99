package import Choices
package import Orchestration
package import Reports

/// A way to fail, with the first run that failed so.
package struct WayToFail: Codable, Equatable {
    /// Where in the order of lots a run stands.
    package struct Place: Codable, Equatable, Comparable, Sendable {
        package let lot: Int
        package let run: Int

        package init(lot: Int, run: Int) { (self.lot, self.run) = (lot, run) }

        package static func < (one: Place, other: Place) -> Bool {
            (one.lot, one.run) < (other.lot, other.run)
        }
    }

    package let fingerprint: String
    /// How many runs failed in this way.
    package var runs: UInt64 = 1
    /// The first of them, in the order of lots.
    package var first: RunReport
    package var task: RunTask
    /// The schedule by which it went, where it was one.
    package var afters: [After]?
    package var place: Place

    func has(_ report: RunReport) -> Bool { fingerprint == report.wayToFail }
}

extension WayToFail {
    /// A run of a lot that failed; `number` is the place of the lot.
    package init(_ failed: LotResult.Failure, of lot: Lot, at number: Int) {
        let run = lot.variations.firstIndex(of: failed.variation) ?? lot.count
        self.init(
            fingerprint: failed.report.wayToFail, first: failed.report,
            task: lot.task.varied(by: failed.variation), afters: failed.variation.afters,
            place: Place(lot: number, run: run))
    }
}

extension RunReport {
    /// What distinguishes a failed run from others.
    var wayToFail: String { fingerprint ?? failure ?? verdict }
}
