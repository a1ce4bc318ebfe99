import DeviceLink
import Testing
import Traces
import Vocabulary

/// Defects declare which events race.
@Suite struct RaceTests {
    @Test func itDoesNotMatterWhichOfTheTwoSidesIsFirst() throws {
        let race = try #require(Catalogue.race(of: "did-start-without-radio"))
        let (start, refusal) = (["att.sent", "msg.accessoryUwbDidStart.sent"], ["uwb.refused"])
        #expect(race.isBetween(start, refusal))
        #expect(race.isBetween(refusal, start))
        #expect(!race.isBetween(start, start))
        #expect(!race.isBetween(refusal, ["uwb.stopped"]))
    }

    @Test func aKindMeansThoseBelowItAndNoOthers() throws {
        let race = try #require(Catalogue.race(of: "disconnects-on-did-stop"))
        #expect(race.isBetween(["fault.corrupt"], ["msg.configureAndStart.sent"]))
        #expect(!race.isBetween(["faults.stopped"], ["msg.configureAndStart.sent"]))
    }

    @Test func whatRacesIsInTheTraceOrHappensBesideIt() {
        let beside = ["advertising event", "connection event", "ranging round"]
        for defect in Catalogue.racingDefects {
            let race = Catalogue.race(of: defect)
            for kind in (race?.one ?? []) + (race?.other ?? []) {
                #expect(
                    EventKind.allCases.map(\.rawValue).contains {
                        $0 == kind || $0.hasPrefix("\(kind).")
                    }
                        || beside.contains(kind) || kind.hasPrefix("timer "),
                    "\(defect): \(kind)")
            }
        }
    }

    /// Otherwise any two such events would be the race.
    @Test func onlyWhatBringsMessagesRacesWithItself() {
        for defect in Catalogue.racingDefects {
            guard let race = Catalogue.race(of: defect) else { continue }
            for kind in race.one + race.other where kind != "att.received" {
                #expect(!race.isBetween([kind], [kind]), "\(defect): \(kind)")
            }
        }
    }

    @Test func onlyDefectsDeclareRaces() {
        let ofClassics = ["commits-early", "forgets-pings", "small-quorum"]
        let known = Catalogue.Kind.allCases.flatMap(Catalogue.defects).map(\.name) + ofClassics
        for defect in Catalogue.racingDefects { #expect(known.contains(defect), "\(defect)") }
    }
}
