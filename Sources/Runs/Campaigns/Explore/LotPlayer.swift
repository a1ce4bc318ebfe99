import Artifacts
import Choices
package import Orchestration
import Schedules

/// Plays lots, and reports what each adds to the coverage.
package final class LotPlayer {
    private let coverage = CoverageObserver()
    /// Topologies whose plain run was reported.
    private var reported: Set<TopologyDocument> = []

    package init() {}

    /// Plays a lot, or as much of it as comes before an interruption.
    package func play(_ lot: Lot, on runner: LocalRunner) throws -> LotResult {
        runner.observer = coverage
        var result = LotResult()
        for variation in lot.variations where !Interruption.isHere {
            let task = lot.task.varied(by: variation)
            guard let afters = variation.afters else {
                let report = runner.run(task)
                result.take(report, of: variation)
                if report.status != .interrupted {
                    if lot.counts { result.counts.take(report) }
                    if lot.countsOccasions { result.occasions.take(report) }
                }
                if try runner.failsPlainly(task), reported.insert(task.document).inserted {
                    let plain = variation.withNothingDrawn
                    let (report, _) = try runner.judge(
                        lot.task.varied(by: plain), by: .schedule(Schedule()))
                    result.take(report, ofPlain: plain)
                }
                continue
            }
            let (report, order) = try runner.survey(task, by: .schedule(Schedule(afters: afters)))
            result.take(report, of: variation)
            result.orders.append(OrderSearch.Visit(afters, order))
        }
        result.coverage = coverage.takeNew()
        return result
    }
}
