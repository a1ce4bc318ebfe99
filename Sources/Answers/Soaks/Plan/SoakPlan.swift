import Artifacts
import Basics
package import Campaigns
import DeviceLink
import Foundation
package import Orchestration
import Schedules
import Simulation
import Topologies

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
    /// Topologies that are played with fewer parameters than they have, because a device refuses the others.
    package var simplified: [Repertoire.Refusal] = []
    /// Topologies that are not played, because a device refuses them.
    package var omitted: [Repertoire.Refusal] = []

}

extension SoakPlan {

    /// What is played of topologies, by whatever programs play their devices.
    ///
    /// A topology that expects a violation is played by no arm: what fails in it is what it is for. What these programs
    /// refuse is played without, or not at all (`settle`).
    ///
    /// - Throws: `DocumentError` for a file that is wrong, `WrongUse` where nothing is left to play.
    package init(
        of trials: [Trial], defects: [RunSettings.Defect], firstSeed: UInt64, tool: String,
        settle: ([Trial]) throws -> Repertoire
    ) throws {
        let trials = try trials.filter { trial in
            let topology = try trial.task.topology()
            try topology.demandRepeatableRuns()
            return topology.mustViolate.isEmpty
        }
        guard !trials.isEmpty else {
            throw WrongUse(
                "every one of these topologies expects a violation; expected one that "
                    + "holds")
        }
        let repertoire = try settle(trials)
        let fit = repertoire.tasks
        let isForeign = try fit.contains {
            RunSettings.Hosting(of: try $0.topology()) == .process
        }
        self.init(
            tool: tool, hosting: isForeign ? .process : .inline, defects: defects, topologies: fit,
            faulty: try fit.map { try $0.withRandomFaults() }, firstSeed: firstSeed,
            simplified: repertoire.simplified, omitted: repertoire.omitted)
    }

    // MARK: Places

    func arm(of number: Int) -> SoakArm { SoakArm.block[number % SoakArm.block.count] }

    /// The strand of a lot: which lots see each other's failures.
    func strand(of number: Int) -> Int { number / SoakArm.block.count % Shard.most }

    /// How many lots of its block come between a mutation and the last one of which it knows: those that are
    /// played while it is handed out.
    private static let distance = 4

    /// The number before which a lot knows the failures of its strand: those of earlier blocks, and of its own block up to a
    /// little before it.
    func horizon(of number: Int) -> Int {
        number - min(number % SoakArm.block.count, Self.distance)
    }

    /// How many lots of its arm come before a lot.
    func ordinal(of number: Int) -> Int {
        let (block, place) = number.quotientAndRemainder(dividingBy: SoakArm.block.count)
        let arm = SoakArm.block[place]
        return block * arm.share + SoakArm.block[..<place].count { $0 == arm }
    }

    // MARK: Arms

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
        var task = try failure.task.read()
        // One that was made here itself: names do not grow.
        if let end = task.name.range(of: "/like/") {
            task.name = String(task.name[..<end.lowerBound])
        }
        // One that went by a schedule has drawn nothing.
        let faults =
            failure.afters == nil ? try task.topology().drawnFaults(seed: task.seed) : []
        return Lot(
            number: number, task: task,
            variations: (0..<UInt64(Exploration.lotSize)).map { place in
                var variation = Variation(seed: draw.value &+ place, name: "like/\(number)")
                // The same faults for one run after another: a worker makes its judge once.
                let like =
                    place < UInt64(Exploration.lotSize) / 2
                    ? faults : FaultMutation.faults(like: faults, drawing: draw.with(place))
                variation.faults = faults.isEmpty ? nil : .drawn(like)
                return variation
            })
    }

    package func settings(of arm: SoakArm, from settings: RunSettings) -> RunSettings {
        var settings = settings.searching
        settings.scheduler = search(of: arm).scheduler
        settings.hosting = arm == .canary ? .inline : hosting
        settings.defects = arm == .canary ? [] : defects
        settings.files.tree = nil
        return settings
    }
}

// What is told of it.
extension SoakPlan {
    /// What devices refuse of its topologies, for people; nil where they refuse nothing.
    var note: String? { Repertoire.note(simplified: simplified, omitted: omitted) }

    /// The programs of somebody else's that it starts, each once, as they are now.
    func programMarks() throws -> [ProgramMark] {
        let marks = ProgramMarks()
        return try topologies.flatMap(marks.marks).uniqued
    }

    /// How much a failure is worth to whoever tests a device.
    func worth(of failure: WayToFail) -> Worth {
        let foreign = (try? failure.task.topology().devices.filter { !$0.isOurs }.map(\.name)) ?? []
        switch failure.first.status {
        case .violated:
            guard let broken = failure.first.firstViolation?.violation else {
                return .ofExpectation
            }
            return foreign.isEmpty || foreign.contains(broken.device) ? .ofSubject : .ofOther
        case .deviceFailed: return .ofCrash
        case .held, .inconclusive, .wrongUse, .wrongFile, .unavailable, .harnessError, .interrupted:
            return .ofHarness
        }
    }
}

/// How much a group of failures is worth to whoever tests a device, the most first.
package enum Worth: Int, Comparable {
    /// A promise that the device under test broke.
    case ofSubject
    /// A device that crashed, hung or broke the contract.
    case ofCrash
    /// A promise that another device broke.
    case ofOther
    /// What a topology expects.
    case ofExpectation
    /// An error of ours.
    case ofHarness

    package static func < (one: Worth, other: Worth) -> Bool { one.rawValue < other.rawValue }
}
