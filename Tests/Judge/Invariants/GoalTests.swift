import Promises
import Testing
import Traces

@testable import Monitors

/// Stories that a run tells, or only begins.
struct GoalTests {
    private func steps(
        _ text: String, within: UInt64? = nil, properties: [Property] = []
    ) -> Int {
        let goal = Goal(
            "there-and-back", keys: [.device],
            steps: [
                [EventPattern(kind: "app.background")], [EventPattern(kind: "app.foreground")],
            ], within: within)
        var book = PropertyBook(
            CompiledProperties(PropertySet(properties: properties, goals: [goal])))
        for event in trace(text) { book.observe(event) }
        return book.progress[0].steps
    }

    @Test func aStoryIsToldByOneInstanceInItsOrder() {
        #expect(steps("1.0 ben app.background\n2.0 ben app.foreground") == 2)
        #expect(steps("1.0 ben app.foreground\n2.0 ben app.background") == 1)
        #expect(steps("1.0 ben app.background\n2.0 amy app.foreground") == 1)
        #expect(steps("1.0 ben app.launched") == 0)
    }

    @Test func aStoryThatTakesTooLongMayBeginAnew() {
        let late = "1.0 ben app.background\n3.0 ben app.foreground\n"
        #expect(steps(late, within: 1_000_000_000) == 1)
        let again = late + "4.0 ben app.background\n4.5 ben app.foreground"
        #expect(steps(again, within: 1_000_000_000) == 2)
    }

    @Test func whatOneInstanceHasSeenIsNotAnothersStory() {
        // The property's instance for ben ends, and the one for amy may take its place.
        let counted = Property(
            "counted", keys: [.device], ends: [EventPattern(kind: "app.terminated")],
            body: .count(
                [EventPattern(kind: "app.background"), EventPattern(kind: "app.found")],
                range: 0...9, over: nil))
        let text = """
            1.0 ben app.background
            2.0 ben app.terminated
            3.0 amy app.found
            4.0 amy app.foreground
            """
        #expect(steps(text, properties: [counted]) == 1)
    }
}
