import Reports
import RunSupport
import Testing

@testable import Conformance

/// What does not bind a device that does not have it.
struct AbsencesTests {
    private func clauses(shownBy promises: String...) -> Set<String> {
        let run = RunReport.of("one", seed: 1, promises.map { .of($0, .held) })
        return Absences(in: SuiteSummary([run])).clauses
    }

    @Test func whereNobodyLookedNothingIsAbsent() { #expect(clauses() == []) }

    @Test func aServiceWithOneSingleHasNoMoreToShow() {
        let absent = clauses(shownBy: "single-characteristic-present")
        #expect(absent.isSuperset(of: ["R4-4.3-7", "R4-4.3-9", "R4-4.3-15", "R4-4.3.3-5"]))
        #expect(!absent.contains("R4-4.3-6") && !absent.contains("R4-4.3.2-6"))
    }

    @Test func whatIsThereBinds() {
        let absent = clauses(
            shownBy: "single-characteristic-present", "single-beside-multiple",
            "single-descriptions-present")
        #expect(
            absent == [
                "R4-4.3-16", "R4-4.3-18", "R4-4.3-19", "R4-4.3-20", "R4-4.3.4-3", "R4-4.3.4-4",
            ])
    }
}
