internal import Campaigns
internal import DeviceLink
internal import Foundation
package import Orchestration
internal import Schedules
internal import Simulation
package import Topologies

/// What a soak plays: every lot follows from it and its number, but for those that mutate earlier failures.
package struct SoakPlan: Codable, Equatable {
    /// The tool, whose version decides what a seed means.
    package var tool: String
    package var hosting: RunSettings.Hosting
    package var defects: [RunSettings.Defect]
    /// The topologies as they are, each with its whole text.
    package var topologies: [RunTask]
    /// The same with faults at random.
    package var faulty: [RunTask]
    package var firstSeed: UInt64

    package init(
        tool: String, hosting: RunSettings.Hosting, defects: [RunSettings.Defect],
        topologies: [RunTask], faulty: [RunTask], firstSeed: UInt64
    ) {
        (self.tool, self.hosting, self.defects) = (tool, hosting, defects)
        (self.topologies, self.faulty, self.firstSeed) = (topologies, faulty, firstSeed)
    }

    /// What is played of topologies, by these programs in place of the reference devices.
    ///
    /// A topology that expects a violation is played by no arm: what fails in it is what it is for.
    ///
    /// - Throws: `DocumentError` for a file that is wrong, `WrongUse` where nothing is left to play.
    package init(
        of tasks: [RunTask], accessory: TopologyVariant.Program?, app: TopologyVariant.Program?,
        defects: [RunSettings.Defect], firstSeed: UInt64, tool: String
    ) throws {
        var variant = TopologyVariant()
        (variant.accessory, variant.app) = (accessory, app)
        variant.expectsNothing = accessory != nil || app != nil
        let isChanged = variant.expectsNothing
        let fit = try tasks.compactMap { task -> RunTask? in
            let topology = try task.topology()
            try topology.demandRepeatableRuns()
            guard topology.mustViolate.isEmpty else { return nil }
            var task = task
            if isChanged { task.text = variant.text(of: task.text) }
            return try task.read()
        }
        guard !fit.isEmpty else {
            throw WrongUse(
                description: "every one of these topologies expects a violation; expected one that "
                    + "holds")
        }
        let isForeign = try fit.contains {
            RunSettings.Hosting(of: try $0.topology()) == .process
        }
        self.init(
            tool: tool, hosting: isForeign ? .process : .inline, defects: defects, topologies: fit,
            faulty: try fit.map { try $0.withRandomFaults() }, firstSeed: firstSeed)
    }

    // MARK: Places

    /// The arm of a lot.
    func arm(of number: Int) -> SoakArm { SoakArm.block[number % SoakArm.block.count] }

    /// The strand of a lot: which lots see each other's failures.
    func strand(of number: Int) -> Int { number / SoakArm.block.count % Shard.most }

    /// The first number of the block of a lot: failures of its strand before it are known to all of the block.
    func begin(ofBlockOf number: Int) -> Int { number - number % SoakArm.block.count }

    /// How many lots of its arm come before a lot.
    func ordinal(of number: Int) -> Int {
        let (block, place) = number.quotientAndRemainder(dividingBy: SoakArm.block.count)
        let arm = SoakArm.block[place]
        return block * arm.share + SoakArm.block[..<place].count { $0 == arm }
    }

    // MARK: Arms

    /// How an arm looks for failures.
    func search(of arm: SoakArm) -> Search {
        switch arm {
        case .plain: .strategy(.random)
        case .portfolio, .faults, .mutation, .canary: .strategy(.portfolio)
        case .sweep: .strategy(.sweep(plain: firstSeed))
        }
    }

    /// Under how many schedules the sweep strikes: more than anybody plays.
    private static let schedules = 1_000_000

    /// What makes the lots of an arm; those of mutations are made by ``mutation(_:of:)``.
    func exploration(of arm: SoakArm) throws -> Exploration {
        let faults: FaultSource? =
            switch arm {
            case .faults: .random
            case .sweep: .sweep
            case .plain, .portfolio, .mutation, .canary: nil
            }
        let tasks =
            switch arm {
            case .faults: faulty
            case .canary: [try Canary.task()]
            case .plain, .portfolio, .sweep, .mutation: topologies
            }
        return Exploration(
            Exploration.Plan(
                tool: tool, search: search(of: arm), faults: faults, hosting: hosting,
                defects: arm == .canary ? [] : defects, topologies: try tasks.map { try $0.read() },
                firstSeed: firstSeed, schedules: arm == .sweep ? Self.schedules : 1))
    }

    /// Runs like one that has failed, under seeds of their own: half of them with the faults that struck it, half with
    /// faults at random like those.
    func mutation(_ number: Int, of failure: WayToFail) throws -> Lot {
        let draw = Keyed(firstSeed).with("mutation").with(UInt64(number))
        var task = failure.task
        // One that was made here itself: names do not grow.
        if let end = task.name.range(of: "/like/") {
            task.name = String(task.name[..<end.lowerBound])
        }
        // One that went by a schedule has drawn nothing.
        let faults =
            failure.afters == nil ? try task.topology().drawnFaults(seed: task.seed) : []
        let parts = faults.isEmpty ? nil : TopologyParts(task.text)
        return Lot(
            number: number, task: task,
            variations: (0..<UInt64(Exploration.lotSize)).map { place in
                var variation = Variation(seed: draw.value &+ place, name: "like/\(number)")
                // The same text for one run after another: a worker reads it once.
                let like =
                    place < UInt64(Exploration.lotSize) / 2
                    ? faults : FaultMutation.faults(like: faults, drawing: draw.with(place))
                variation.text = parts?.text(spelling: like)
                return variation
            })
    }

    /// How the runs of an arm are played.
    package func settings(of arm: SoakArm, from settings: RunSettings) -> RunSettings {
        var settings = settings.searching
        settings.scheduler = search(of: arm).scheduler
        settings.hosting = arm == .canary ? .inline : hosting
        settings.defects = arm == .canary ? [] : defects
        settings.files.tree = nil
        return settings
    }
}
