import Artifacts
import Invariants
import Monitors
import Promises
import Reports
import RunSupport
import Testing

import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

/// Many runs taken together, promise by promise and clause by clause.
struct SuiteTests {
    private func summary(_ verdicts: Outcome...) throws
        -> SuiteSummary.PromiseSummary
    {
        let runs = verdicts.enumerated().map { index, verdict in
            RunReport.of("one", seed: UInt64(index), [.of("quiet", verdict)])
        }
        return try #require(SuiteSummary(runs)["quiet"])
    }

    @Test func oneViolationIsEnough() throws {
        #expect(try summary(.held, .violated, .inconclusive).verdict == .violated)
    }

    @Test func oneRunThatHeldDecidesWhatOthersLeftOpen() throws {
        #expect(try summary(.inconclusive, .held, .vacuous).verdict == .held)
        #expect(try summary(.inconclusive, .vacuous).verdict == .inconclusive)
    }

    @Test func whatNoRunExercisedIsVacuous() throws {
        #expect(try summary(.vacuous, .vacuous).verdict == .vacuous)
        #expect(SuiteSummary([.of("one", seed: 1)])["quiet"] == nil)
    }

    @Test func runsAreCountedAndTheFirstThatFailedTellsItsStory() throws {
        let summary = SuiteSummary([
            .of("two", seed: 1, [.of("alive-again"), .of("quiet", .violated, "Third.")]),
            .of("one", seed: 9, [.of("quiet", .violated, "Second.")]),
            .of(
                "one", seed: 8,
                [.of("alive-again", excused: 2), .of("quiet", .violated, "First."), .of("fresh")]),
        ])
        #expect(summary.promises.map(\.id) == ["alive-again", "quiet", "fresh"])
        let quiet = try #require(summary["quiet"])
        #expect([quiet.runs, quiet.exercised, quiet.excused] == [3, 3, 0])
        #expect(quiet.failing.map(\.seed) == [8, 9, 1])
        #expect(
            quiet.story == """
                one, seed 8: violated
                  promise quiet, kept by the accessory: It keeps quiet.
                    broken at 2.500 s (ben – lock): First.
                    clause: R4 2.3
                      2.500 s  event 7  link.down on lock
                  replay: anechoic replay out/one/8/replay.json
                """)
        let alive = try #require(summary["alive-again"])
        #expect([alive.runs, alive.exercised, alive.excused] == [2, 2, 2])
        #expect(alive.story == nil)
    }

    @Test func whatBothEndsHaveToKeepNamesTheOneThatHasNot() {
        let order = PromiseDescription("message-order", keeper: .link)
        #expect(order.keeperWords(brokenBy: "lock") == "lock")
        #expect(order.keeperWords(brokenBy: "") == "both ends of the link")
        #expect(PromiseDescription("it", keeper: .app).keeperWords(brokenBy: "ben") == "the app")
        #expect(PromiseDescription("it").keeperWords(brokenBy: "ben") == nil)
    }

    /// A promise of both: its clauses fail where their keeper has broken it.
    @Test func aClauseFailsForItsKeeperAlone() throws {
        var broken = RunReport.of("one", seed: 1, [.of("quiet", .violated, "It spoke.")])
        broken.promises[0].violations[0].role = .appleDevice
        let clauses = try ClauseTable.clauses(
            of: Array(
                (Self.header
                    + ["accessory", "app", "link"].map {
                        "R4-1-\($0),1,must,\($0),It copes.,quiet,\n"
                    }
                    .joined()).utf8))
        let rows = ClauseMatrix(SuiteSummary([broken]), clauses: clauses).rows
        #expect(rows.map(\.outcome) == [.pass, .fail, .fail])
        broken.promises[0].violations[0].role = nil
        let unknown = ClauseMatrix(SuiteSummary([broken]), clauses: clauses).rows
        #expect(unknown.map(\.outcome) == [.fail, .fail, .fail])
    }

    @Test func aClauseOfSeveralPromisesIsPutToTheTestByItsFirst() throws {
        let clause = try ClauseTable.clauses(
            of: Array("\(Self.header)R4-1-1,1,must,app,It copes.,quiet fresh,\n".utf8))
        func outcome(_ promises: RunReport.PromiseReport...) -> ClauseMatrix.Outcome {
            ClauseMatrix(SuiteSummary([.of("one", seed: 1, promises)]), clauses: clause).rows[0]
                .outcome
        }
        #expect(outcome(.of("fresh")) == .inconclusive(.notExercised))
        #expect(outcome(.of("quiet")) == .pass)
        #expect(outcome(.of("quiet"), .of("fresh", .violated, "Again.")) == .fail)
    }

    // MARK: Runs that were counted

    private func counted(_ runs: RunReport...) -> SuiteCounts {
        runs.reduce(into: SuiteCounts()) { $0.take($1) }
    }

    @Test func whatWasCountedIsBrokenThoughNobodyTellsOfIt() throws {
        let summary = SuiteSummary(
            [.of("one", seed: 1, [.of("quiet")])],
            beside: counted(.of("one", seed: 2, [.of("quiet", .violated, "It spoke.")])))
        let quiet = try #require(summary["quiet"])
        #expect(quiet.verdict == .violated && quiet.failing.isEmpty)
        #expect([quiet.runs, quiet.agreeing, quiet.exercisingRuns] == [2, 1, 2])
    }

    @Test func aPromiseOfATopologyIsTheSameOneUnderFaults() throws {
        let found = RunReport.of("one/faults", seed: 2, [.of("own", .violated, "It spoke.")])
        let summary = SuiteSummary(
            [.of("one", seed: 1, [.of("own")])], beside: counted(found), told: [found],
            home: { $0 == "one/faults" ? "one" : $0 })
        #expect(summary.promises.map(\.id) == ["own"])
        #expect(summary.promises[0].topology == "one" && summary.promises[0].runs == 2)
        #expect(summary.promises[0].story?.hasPrefix("one/faults, seed 2: violated") == true)
    }

    @Test func countsComeBackAsTheyWere() throws {
        var run = RunReport.of("one", seed: 2, [.of("quiet"), .of("own", .vacuous)])
        run.otherMessages = [0x80]
        let counts = counted(run, run)
        let again = try JSONDecoder().decode(SuiteCounts.self, from: JSONEncoder().encode(counts))
        #expect(again == counts)
    }

    @Test func aRunThatWantsAPromiseBrokenSaysNothingOfIt() throws {
        let summary = SuiteSummary([
            .of(
                "defects/one", seed: 1,
                [
                    .of("quiet", .violated, "As meant.", meantToBreak: true),
                    .of("alive", .inconclusive), .of("fresh"),
                ])
        ])
        #expect(summary.promises.map(\.verdict) == [.vacuous, .vacuous, .held])
        #expect(summary.promises.map(\.runs) == [0, 0, 1])
    }

    private static let header = "id,section,level,keeper,statement,promise,untestable\n"

    private static let clauses = """
        id,section,level,keeper,statement,promise,untestable
        R4-1.1-1,1.1,may,link,A permission.,,It forbids nothing.
        R4-2.3-1,2.3,must,app,Two messages go over before anything ranges.,order,
        R4-2.3-2,2.3,must,accessory,"A sentence that goes on and on, until it is longer than a line.",fresh,
        R4-2.3-3,2.3,must,apple-device,It hides the service.,hidden,
        R4-2.3-4,2.3,should,accessory,It falls silent.,quiet,
        R4-4.3-1,4.3,must,accessory,There is one service.,service,
        R4-4.3-2,4.3,must,accessory,It can be read.,readable,
        """

    private func matrix(outOfScope: Set<String>) throws -> ClauseMatrix {
        let summary = SuiteSummary([
            .of(
                "one", seed: 1,
                [
                    .of("order"), .of("fresh", .violated), .of("quiet", .inconclusive),
                    .of("service", .vacuous), .of("readable", .vacuous),
                ])
        ])
        return ClauseMatrix(
            summary, clauses: try ClauseTable.clauses(of: Array(Self.clauses.utf8)),
            outOfScope: outOfScope)
    }

    @Test func everyClauseHasALine() throws {
        #expect(
            try matrix(outOfScope: ["R4-4.3-1", "readable", "R4-1.1-1"]).text == """
                clause    level   keeper        result          exercised  runs  promise: statement
                R4-1.1-1  may     link          not testable                     A permission.
                R4-2.3-1  must    app           pass            1          1     order: Two messages go over before anything ranges.
                R4-2.3-2  must    accessory     fail            1          1     fresh: A sentence that goes on and on, until it is lon…
                R4-2.3-3  must    apple-device  not exercised                    hidden: It hides the service.
                R4-2.3-4  should  accessory     left open       1          1     quiet: It falls silent.
                R4-4.3-1  must    accessory     not applicable                   service: There is one service.
                R4-4.3-2  must    accessory     not applicable                   readable: It can be read.
                R4: 1 of 4 testable clauses passes, 1 fails, 1 never exercised, 1 left open; 1 not testable, \
                2 not applicable.

                """)
    }

    @Test func withoutAScopeAllClausesCount() throws {
        #expect(
            try matrix(outOfScope: []).conclusion
                == "R4: 1 of 6 testable clauses passes, 1 fails, 3 never exercised, 1 left open; "
                + "1 not testable.")
        let testable = ClauseTable.r4.count { !$0.promises.isEmpty }
        #expect(
            ClauseMatrix(SuiteSummary([])).conclusion
                == "R4: 0 of \(testable) testable clauses pass, 0 fail, \(testable) never exercised; "
                + "\(ClauseTable.r4.count - testable) not testable.")
    }
}
