import DeviceLink
import Orchestration
import Scenarios
import Simulation
import Testing
import Topologies

@testable import Campaigns
@testable import Soaks

/// Which lots a campaign has follows from their numbers.
struct PlanTests {
    private let plan = SoakPlan(
        tool: "anechoic 1", hosting: .inline, defects: [], topologies: [], faulty: [], firstSeed: 1)

    @Test func aBlockHasEachArmAsOftenAsItsShareSaysAndEvenlyMixed() {
        #expect(
            SoakArm.block.prefix(16).map(\.rawValue) == [
                "portfolio", "faults", "plain", "sweep", "portfolio", "faults", "mutation",
                "portfolio", "faults", "canary", "portfolio", "faults", "plain", "sweep",
                "portfolio", "faults",
            ])
        for arm in SoakArm.allCases {
            #expect(SoakArm.block.count { $0 == arm } == arm.share)
        }
    }

    @Test func theOrdinalsOfAnArmHaveNoGaps() {
        for arm in SoakArm.allCases {
            let ordinals = (0..<320).filter { plan.arm(of: $0) == arm }.map(plan.ordinal)
            #expect(ordinals == Array(0..<arm.share * 10))
        }
    }

    @Test(arguments: [1, 2, 3, 8, 64])
    func allShardsTogetherAreTheCampaignOfOne(_ count: Int) throws {
        let shards = try (1...count).map { try #require(Shard("\($0)/\(count)")) }
        for number in 0..<10_000 {
            #expect(shards.count { $0.has(plan.strand(of: number)) } == 1)
        }
    }

    @Test(arguments: ["0/2", "3/2", "1/65", "1", "a/b", "1/2/3", ""])
    func aShardIsAPartOfAtMostSixtyFour(_ text: String) { #expect(Shard(text) == nil) }

    @Test func aMutationKnowsItsStrandAlone() {
        // Lot 0 and lot 2048 are of strand 0, lot 32 of strand 1.
        #expect([0, 31, 32, 2_047, 2_048].map(plan.strand) == [0, 0, 1, 63, 0])
        #expect([2_050, 2_054, 2_070].map(plan.horizon) == [2_048, 2_050, 2_066])
    }

    @Test func halfOfAMutationHasFaultsLikeThoseThatStruck() throws {
        let task = RunTask(
            name: "pair", file: "pair",
            text: """
                length: 20s
                devices: {ben: {model: iPhone 15}, lock: {profile: qorvo}}
                faults: {between: 0s..10s, heal: true, disconnect: {ratio: 1/2}}
                """, seed: 7)
        let lot = Lot(number: 3, task: task, variations: [Variation(seed: 7, name: "a")])
        var result = LotResult()
        result.take(
            crashed: lot.variations[0], of: lot,
            with: RunSettings(programs: "", tool: "test"), by: WorkerDied(reason: ""))
        let failure = WayToFail(result.failures[0], of: lot, at: 3)

        let struck = try task.topology().drawnFaults(seed: 7)
        let mutations = try plan.mutation(2_054, of: failure)
        let steps = try mutations.variations.map {
            try mutations.task.varied(by: $0).topology().steps.count
        }
        #expect(steps.count == 16)
        #expect(steps.prefix(8).allSatisfy { $0 == struck.count })
        #expect(
            Set(mutations.variations.map(\.faults)).count == 9,
            "the same for eight, and eight others"
        )
        #expect(mutations.task.varied(by: mutations.variations[0]).name == "pair/a/like/2054")
    }

    @Test func aFaultIsMovedALittleAndNeverBeyondTheLastEnd() {
        let deed = Deed(.disconnect, at: .pair(DevicePair("ben", "lock")))
        let struck = (UInt64(0)..<40).map {
            TimedFault(deed, start: .seconds($0), length: $0 % 2 * .seconds(2))
        }
        let moved = FaultMutation.faults(like: struck, drawing: Keyed(1))
        #expect((24...36).contains(moved.count))
        for fault in moved {
            #expect(
                struck.contains {
                    max(fault.start, $0.start) - min(fault.start, $0.start) <= .seconds(1)
                        && ($0.length == 0) == (fault.length == 0) && fault.length <= .seconds(3)
                })
            #expect(fault.start + fault.length <= .seconds(41))
        }
    }
}
