import Choices
import Scenarios

/// What is played once: a topology, who picks, and the seeds by which the rest is drawn.
struct PlannedRun {
    var plan: Plan
    var picking = Picking.ofTheSeed
    /// The seed of the devices' keys, where that is not the plan's.
    var keySeed: UInt64?

    init(
        _ topology: Topology, seed: UInt64, by picking: Picking = .ofTheSeed, keySeed: UInt64? = nil
    ) {
        plan = Plan(topology: topology, seed: seed)
        self.picking = picking
        self.keySeed = keySeed
    }

    /// What is recorded of it, and what is drawn.
    var decisions: Decisions {
        Decisions(
            seed: plan.seed, keySeed: keySeed, replaying: picking.decisions,
            isComplete: picking.isComplete, drawsOrder: picking.drawsOrder)
    }
}
