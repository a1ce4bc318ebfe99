import Artifacts
import Promises
import Reports
import Testing

/// All promises together.
struct PromiseCatalogueTests {
    private let promises = PromiseCatalogue.descriptions

    @Test func noPromiseStandsTwice() {
        let ids = promises.map(\.id)
        let again = ids.indices.filter { ids[..<$0].contains(ids[$0]) }.map { ids[$0] }
        #expect(again == [])
    }

    @Test func everyPromiseSaysWhatItIs() {
        #expect(promises.filter { $0.clause == .nowhere }.map(\.id) == [])
        #expect(promises.filter { $0.keeper == nil }.map(\.id) == [])
        #expect(promises.filter { !$0.sentence.hasSuffix(".") }.map(\.id) == [])
    }

    @Test func everyPromiseOfAClauseExists() {
        let ids = Set(promises.map(\.id))
        let unknown = Set(ClauseTable.r4.flatMap(\.promises)).subtracting(ids)
        #expect(unknown.sorted() == [])
    }

    @Test func everyPromiseOfR4AloneStandsForAClause() {
        let known = Set(ClauseTable.r4.flatMap(\.promises))
        let orphans = promises.filter { promise in
            promise.clause.isR4Alone
                && !known.contains(promise.id)
        }
        #expect(orphans.map(\.id) == [])
    }
}
