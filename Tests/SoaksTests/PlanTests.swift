import Campaigns
import Orchestration
import Testing

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
        #expect(plan.begin(ofBlockOf: 2_060) == 2_048)
    }
}
