import Reports
import RunSupport
import Testing

@testable import Conformance

/// What does not bind a device that neither claims it nor shows it.
struct ApplicabilityTests {
    private func judged(
        _ parts: [PICS.Part: Bool] = [:], notClaimed: Set<String> = [], messages: Set<UInt8>? = nil,
        sent: Set<UInt8> = [], shownBy promises: String...
    ) -> Applicability {
        let run = RunReport.of("one", seed: 1, promises.map { .of($0, .held) })
        let pics = PICS(device: nil, parts: parts, messages: messages, notClaimed: notClaimed)
        return Applicability(pics, in: SuiteSummary([run]), messages: sent)
    }

    @Test func whereNobodyLookedNothingIsAbsent() { #expect(judged().outOfScope == []) }

    @Test func aServiceWithOneSingleHasNoMoreToShow() {
        let absent = judged(shownBy: "single-characteristic-present").outOfScope
        #expect(absent.isSuperset(of: ["R4-4.3-7", "R4-4.3-9", "R4-4.3-15", "R4-4.3.3-5"]))
        #expect(!absent.contains("R4-4.3-6") && !absent.contains("R4-4.3.2-6"))
    }

    /// R4 3.2: other messages than the two with data are the maker's.
    @Test func whoDoesNotAskOrSayIsNotBoundByPromisesAboutThat() {
        let silent = judged(shownBy: "shareable-data-sent").outOfScope
        #expect(silent.isSuperset(of: ["retry-accepted", "radio-as-reported"]))
        let speaking = judged(
            shownBy: "shareable-data-sent", "radio-as-reported", "configuration-answers-initialize")
        #expect(speaking.outOfScope.isDisjoint(with: ["retry-accepted", "radio-as-reported"]))
        #expect(
            judged([.acknowledges: false], shownBy: "radio-as-reported").differences == [
                "accessoryUwbDidStart and accessoryUwbDidStop (R4 3.2) is not claimed (acknowledges), and is there, so it binds"
            ])
    }

    @Test func whatIsThereBinds() {
        let absent = judged(
            shownBy: "single-characteristic-present", "single-beside-multiple",
            "single-descriptions-present"
        ).outOfScope
        #expect(
            absent == [
                "R4-4.3-16", "R4-4.3-18", "R4-4.3-19", "R4-4.3-20", "R4-4.3.4-3", "R4-4.3.4-4",
            ])
    }

    @Test func whatNobodyCanSeeIsAbsentWhereItIsNotClaimed() {
        #expect(judged([.severalSessions: false]).outOfScope == ["R4-4.3.2-6"])
        #expect(judged([.severalSessions: true]).outOfScope == [])
    }

    @Test func theServiceMayBeAbsentWhereItIsNotClaimedAlone() {
        #expect(judged(shownBy: "service-present").outOfScope == [])
        let absent = judged([.nearbyInteraction: false], shownBy: "service-present").outOfScope
        #expect(absent.isSuperset(of: ["R4-4.1-2", "R4-4.3.1-1"]))
        #expect(!absent.contains("R4-4.1-4") && !absent.contains("R4-3.4.1-1"))
    }

    @Test func anAppWhoseSessionsAreBoundToNoLinkHasNoneInTheBackground() {
        let clauses = ["R4-4.3.2-4", "R4-4.3.2-5", "R4-4.3.3-7", "R4-4.3.3-8"]
        let unbound = judged(shownBy: "shareable-data-sent").outOfScope
        #expect(unbound.isSuperset(of: clauses))
        let bound = judged(shownBy: "shareable-data-sent", "configuration-read-before-ranging")
        #expect(bound.outOfScope.isDisjoint(with: clauses))
    }

    @Test func whatIsClaimedAndNotThereBindsAndIsTold() {
        let judged = judged([.multiple: true], shownBy: "single-characteristic-present")
        #expect(!judged.outOfScope.contains("R4-4.3.3-9"))
        #expect(
            judged.differences == [
                "a Multiple characteristic (R4 4.3.3) is claimed (multiple), and was not found"
            ])
    }

    @Test func whatIsThereWithoutBeingClaimedBindsAndIsTold() {
        let part = judged([.multiple: false], shownBy: "single-beside-multiple")
        #expect(part.outOfScope == [])
        #expect(
            part.differences == [
                "a Multiple characteristic (R4 4.3.3) is not claimed (multiple), and is there, so it "
                    + "binds"
            ])
        let clause = judged(notClaimed: ["R4-4.3.3-9"], shownBy: "single-beside-multiple")
        #expect(clause.outOfScope == [])
        #expect(
            clause.differences == [
                "R4-4.3.3-9 is not claimed, and was put to the test, so it binds"
            ])
    }

    @Test func messagesOfItsOwnAreToldUnlessTheyAreClaimed() {
        #expect(judged(sent: [0x80]).differences == [])
        #expect(
            judged(messages: [0x80], sent: [0x80, 0x91]).differences == [
                "messages with ids that are not claimed: 0x91"
            ])
    }
}
