import Campaigns
import TestSupport
import Testing

@testable import Conformance

/// What a maker declares to be out of scope.
struct ProfileTests {
    @Test func aSectionNamesItsClausesAndNoneOfAnother() {
        let names = Profile.clauses(named: "R4-4.3.3")
        #expect(names.count > 1)
        #expect(names.allSatisfy { $0.hasPrefix("R4-4.3.3-") })
        #expect(Profile.clauses(named: "R4-4.3.3-1") == ["R4-4.3.3-1"])
        #expect(Profile.clauses(named: "R4-4.3.") == [])
    }

    @Test func onlyTheAccessoryOfOneSessionDoesWithoutSeveral() {
        #expect(Profile(reference: "qorvo").outOfScope.contains("R4-4.3.3-1"))
        #expect(Profile(reference: "multi").outOfScope == [])
        #expect(Profile(reference: nil).outOfScope == [])
    }

    @Test func aNameThatIsNoneIsToldWithItsLine() throws {
        let place = try Place()
        let pics = try place.write("# ours\nR4-4.3.3 # several\n\nR4-9.9\n", to: "pics")
        let error = #expect(throws: WrongUse.self) { try Profile(file: pics) }
        #expect(
            error?.description
                == "\(pics):4: \"R4-9.9\" is no clause, section or promise (anechoic promises lists them)"
        )
        let good = try place.write("R4-4.3.3\nfresh-configuration\n", to: "good")
        #expect(
            try Profile(file: good).outOfScope.isSuperset(of: ["R4-4.3.3-1", "fresh-configuration"])
        )
    }
}
