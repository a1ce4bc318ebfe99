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
        #expect(promises.filter { $0.clause.isEmpty }.map(\.id) == [])
        #expect(promises.filter { $0.keeper == nil }.map(\.id) == [])
        #expect(promises.filter { !$0.sentence.hasSuffix(".") }.map(\.id) == [])
        #expect(promises.filter { Set($0.kinds).count < $0.kinds.count }.map(\.id) == [])
    }

    @Test func everyPromiseOfAClauseExists() {
        let ids = Set(promises.map(\.id))
        let unknown = ClauseTable.r4.filter { clause in
            clause.promise.map { !ids.contains($0) } ?? false
        }
        #expect(unknown.map { "\($0.id): \($0.promise ?? "")" } == [])
    }
}
