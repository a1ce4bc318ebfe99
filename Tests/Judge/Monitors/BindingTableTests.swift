import DeviceLink
import Promises
import Testing
import Traces

@testable import Monitors

/// How instances are found.
struct BindingTableTests {
    private func binding(_ device: String, _ link: Int64? = nil) -> Binding {
        let fields = link.map { [Field("link", .number($0))] } ?? []
        return binding(
            [.device, .field("link")],
            in: TraceEvent(kind: .linkUp, device: device, fields: fields))
    }

    private func binding(_ keys: [EventKey], in event: TraceEvent) -> Binding {
        var table = KeyTable()
        let places = table.places(of: keys)
        var marks = KeyMarks(table, kinds: 0)
        return Binding.of(places, in: event, with: &marks)
    }

    private func shared(_ theirs: EventKey...) -> SharedKeys {
        SharedKeys([.device, .field("link")], theirs)
    }

    @Test func aBindingIsFoundByAnyOfItsKeys() {
        var table = BindingTable(keys: 2)
        let pairs = [("ben", Int64(1)), ("amy", 2), ("ben", 2)]
        #expect(pairs.map { table.insert(binding($0.0, $0.1)) } == [0, 1, 2])
        #expect(Array(table.slots(of: binding("ben", 2))) == [2])
        table.index(by: binding("ben").choice)
        #expect(Array(table.slots(of: binding("ben"))) == [0, 2])
    }

    @Test func aSlotThatWasGivenFreeIsTakenAgain() {
        var table = BindingTable(keys: 2)
        table.index(by: binding("ben").choice)
        let slots = [1, 2].map { table.insert(binding("ben", $0)) }
        table.remove(slots[0])
        #expect(Array(table.slots(of: binding("ben"))) == [slots[1]])
        #expect(table.insert(binding("ben", 3)) == slots[0])
        #expect(Array(table.slots(of: binding("ben"))) == slots)
    }

    @Test func manyAreFoundAsFewAre() {
        var table = BindingTable(keys: 2)
        for link in 1...20 { _ = table.insert(binding(link % 2 == 0 ? "ben" : "amy", Int64(link))) }
        table.index(by: binding("ben").choice)
        table.remove(3)
        #expect(Array(table.slots(of: binding("ben"))) == [1, 5, 7, 9, 11, 13, 15, 17, 19])
        #expect(Array(table.slots(of: binding("amy", 13))) == [12])
        #expect(table.has(shared(.device, .field("link")), of: binding("ben", 20)))
        #expect(!table.has(shared(.device, .field("link")), of: binding("ben", 4)))
        #expect(table.has(shared(.device), of: binding("ben", 4)))
    }

    @Test func aValueIsNoOtherOne() {
        let fields: [Field.Value] = [
            .none, .number(0), .number(1), .flag(false), .flag(true), .text(""), .text("1"),
            .bytes([]), .bytes([1]), .text("ben"), .text("neb"),
        ]
        #expect(Set(fields.map(\.mark)).count == fields.count)
    }

    @Test func aKeyIsFoundWhereverItsFieldStands() {
        var table = KeyTable()
        let key = table.place(of: .field("link"))
        var marks = KeyMarks(table, kinds: 1)
        func number(_ fields: [Field], kind: Int = 0) -> Int64? {
            marks.forget(nextKind: kind)
            return marks.number(of: key, in: TraceEvent(kind: .linkUp, fields: fields))
        }
        let (link, peer) = (Field("link", 7), Field("peer", "lock"))
        let many = (1...20).map { Field("field \($0)", 0) }
        // As it was learnt, another field in its place, none, more of them, another kind, an unknown one.
        #expect(number([link, peer]) == 7)
        #expect(number([link, peer]) == 7)
        #expect(number([peer, link]) == 7)
        #expect(number([peer, Field("lunk", 7)]) == nil)
        #expect(number([link, peer]) == 7)
        #expect(number([]) == nil)
        #expect(number(many + [link]) == 7)
        #expect(number([peer, link], kind: 1) == 7)
        #expect(number([link, peer], kind: 1) == 7)
    }

    @Test func asManyKeysAsAListMayHaveAreBound() {
        let names = (1...EventKey.most).map(String.init)
        let event = TraceEvent(
            kind: .linkUp, fields: names.map { Field($0, .text($0)) })
        let binding = binding(names.map(EventKey.field), in: event)
        #expect(binding.choice == Binding.all(EventKey.most))
    }
}
