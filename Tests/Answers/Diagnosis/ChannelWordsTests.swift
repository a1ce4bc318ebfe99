import Choices
import Simulation
import Testing

@testable import Diagnosis

/// What an event is called of which the trace says nothing.
struct ChannelWordsTests {
    @Test(arguments: [
        ("link ben/0-lock/0 1 events #18", "connection event (ben ↔ lock)"),
        ("link ben/0-lock/0 1 supervision #0", "supervision timeout (ben ↔ lock)"),
        ("link ben/0-lock/0 1 to central #2", "arrival from the link (ben)"),
        ("link ben/0-lock/0 1 to peripheral #2", "arrival from the link (lock)"),
        ("advertising lock #31", "advertising event (lock)"),
        ("uwb ben/0 1 rounds #44", "ranging round (ben)"),
        ("timer lock/1 handling #3", "timer handling (lock)"),
        ("queue ben/0 main #63", "callback on main (ben)"),
        ("step 1 #0", "step 1 #0"),
    ])
    func anEventIsNamedByItsChannel(event: String, words: String) throws {
        #expect(ChannelWords(try #require(EventID(event))).words == words)
    }
}
