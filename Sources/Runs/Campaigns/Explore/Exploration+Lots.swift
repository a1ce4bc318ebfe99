import Basics
import DeviceLink
package import Orchestration
import Topologies

/// Lots that follow from the plan alone.
extension Exploration {
    /// How many runs there are in all; nil where there is no end of seeds, or nobody knows yet.
    var total: Int? { plan.faults == .sweep ? sweeps.reduce(0) { $0 + $1.count } : nil }

    /// The kinds of fault of its sweeps, each once.
    var sweptKinds: [String] { sweeps.flatMap(\.kinds).uniqued }

    /// Topologies take turns; each lot has the next seeds.
    package func seeds(_ number: Int) -> Lot {
        let (round, place) = number.quotientAndRemainder(dividingBy: plan.topologies.count)
        // After the greatest seed comes 0.
        let first = plan.firstSeed &+ UInt64(round * Self.lotSize)
        var task = plan.topologies[place]
        // In a swarm every other lot is smaller.
        if plan.faults == .random, round % 2 == 1 {
            let size = Keyed(first).with("size")
            task.text =
                TopologyParts(task.text)?
                .text(ofSize: size, keeping: plan.defects.map(\.device)) ?? task.text
            // What is no topology is said by the worker that plays it.
            task = (try? task.read()) ?? task
        }
        return Lot(
            number: number, task: task,
            variations: (0..<UInt64(Self.lotSize)).map { Variation(seed: first &+ $0) },
            counts: plan.counts)
    }

    /// Topologies take turns, as long as they have faults left; the plain timing comes first.
    package func sweep(_ number: Int) -> Lot? {
        guard let (topology, first) = swept(by: number) else { return nil }
        let sweep = sweeps[topology]
        return Lot(
            number: number, task: plan.topologies[topology],
            variations: (first..<min(first + Self.lotSize, sweep.count)).map {
                sweep.variation($0, of: plan.firstSeed)
            })
    }

    /// The topology of a lot, and the first of its faults.
    private func swept(by number: Int) -> (topology: Int, first: Int)? {
        var (number, first) = (number, 0)
        while true {
            let open = sweeps.indices.filter { sweeps[$0].count > first }
            if open.isEmpty { return nil }
            if open.indices.contains(number) { return (open[number], first) }
            number -= open.count
            first += Self.lotSize
        }
    }
}

extension Exploration.Plan {
    /// What is swept over in each topology, or how a device failed in its plain run.
    ///
    /// - Throws: `HarnessError` where an error of ours ended a plain run, for there is no plan without it.
    package func sweeps(
        _ settings: RunSettings
    ) throws -> [Result<FaultSweep, FaultSweep.PlainFailure>] {
        let plain = Variation.plain(of: firstSeed)
        let tasks = topologies.map { $0.varied(by: plain) }
        let sweeps = try FaultSweep.over(tasks, with: settings, schedules: schedules)
        for case .failure(let plain) in sweeps where plain.report.status != .deviceFailed {
            throw HarnessError(
                "\(plain.report.topology): its plain run, in which a sweep strikes, came to "
                    + "nothing: \(plain.report.failure ?? plain.report.verdict)")
        }
        return sweeps
    }
}
