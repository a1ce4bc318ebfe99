import DeviceLink
import Promises
import Testing
import Traces

@testable import Invariants

/// How instances are found.
struct BindingTableTests {
    private func binding(_ device: String, _ link: Int64? = nil) -> Binding {
        let fields = link.map { [Field("link", .number($0))] } ?? []
        return Binding(
            [.device, .field("link")],
            in: TraceEvent(kind: "link.up", device: device, fields: fields))
    }

    @Test func aBindingIsFoundByAnyOfItsKeys() {
        var table = BindingTable(keys: 2)
        let pairs = [("ben", Int64(1)), ("amy", 2), ("ben", 2)]
        #expect(pairs.map { table.insert(binding($0.0, $0.1)) } == [0, 1, 2])
        #expect(table.slots(of: binding("ben", 2)) == [2])
        table.index(by: binding("ben").choice)
        #expect(table.slots(of: binding("ben")) == [0, 2])
    }

    @Test func aSlotThatWasGivenFreeIsTakenAgain() {
        var table = BindingTable(keys: 2)
        table.index(by: binding("ben").choice)
        let slots = [1, 2].map { table.insert(binding("ben", $0)) }
        table.remove(slots[0])
        #expect(table.slots(of: binding("ben")) == [slots[1]])
        #expect(table.insert(binding("ben", 3)) == slots[0])
        #expect(table.slots(of: binding("ben")) == slots)
    }
}
