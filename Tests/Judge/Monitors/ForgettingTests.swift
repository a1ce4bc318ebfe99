import DeviceLink
import Promises
import Testing
import Traces

@testable import Monitors

/// What is left of many instances.
struct ForgettingTests {
    private let upBeforeDown = Property(
        "up-before-down", keys: [.field("link")],
        body: .precedence(
            event: [EventPattern(kind: "link.down")], needs: [EventPattern(kind: "link.up")]))

    private func event(_ kind: EventKind, _ link: Int) -> TraceEvent {
        TraceEvent(kind: kind, device: "ben", fields: [Field("link", .number(Int64(link)))])
    }

    /// A night has more links than memory; the one that lasts is remembered, those long gone are not.
    @Test func theInstancesThatEventsGoToAreKept() {
        var book = PropertyBook(CompiledProperties(PropertySet(properties: [upBeforeDown])))
        for link in 0..<30_000 {
            book.observe(event(.linkUp, link))
            if link.isMultiple(of: 1_000) { book.observe(event(.linkUp, 0)) }
        }
        book.observe(event(.linkDown, 0))
        #expect(book.findings()[0].findings.breachCount == 0)
        book.observe(event(.linkDown, 1))
        #expect(book.findings()[0].findings.breachCount == 1)
    }
}
