import DeviceLink
import PromiseLibrary
import Promises
import Testing
import Vocabulary

/// The tables of states: complete, and honest about what is not shown.
struct StateTableTests {
    @Test func eachKeeperHasACellForEachStateAndEachEventThatCanComeThere() {
        #expect(StateTable.all.map(\.keeper) == [.accessory, .app, .appleDevice, .link])
        for table in StateTable.all {
            let wanted = table.states.map(\.name).flatMap { state in
                table.events.filter { table.has(state, $0) }.map { "\(state) \($0.rawValue)" }
            }
            let found = table.cells.map { "\($0.state) \($0.event.rawValue)" }
            #expect(Set(found).count == found.count)
            #expect(Set(wanted).symmetricDifference(found) == [], "\(table.keeper)")
        }
    }

    @Test func atMostOneCellInTenStandsByAReasonAlone() {
        let cells = StateTable.all.flatMap(\.cells)
        let reasons = cells.count { if case .reason = $0.entry { true } else { false } }
        #expect(reasons * 10 <= cells.count)
    }

    /// What is excluded somewhere can come elsewhere: else it belongs to no table.
    @Test func everyKindOfATableComesInSomeState() {
        for table in StateTable.all {
            for event in table.events {
                #expect(table.states.contains { table.has($0.name, event) }, "\(event.rawValue)")
            }
        }
    }
}
