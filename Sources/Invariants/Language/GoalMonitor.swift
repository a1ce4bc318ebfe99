internal import DeviceLink
package import Promises
internal import Traces

/// How far a run came on the way to a goal.
package struct GoalProgress: Equatable, Sendable {
    /// The goal.
    package let goal: Goal
    /// The most steps that one instance has seen.
    package let steps: Int

    /// Whether one instance has seen all of them.
    package var isCovered: Bool { steps == goal.steps.count }
}

/// Watches whether a run tells a goal's story.
struct GoalMonitor: Sendable {
    private struct Story {
        var steps = 0
        var begin = VirtualTime.zero
    }

    private let goal: Goal
    private let patterns: [EventPattern]
    /// How far each instance is that has begun.
    private var stories: [Binding: Story] = [:]
    private var best = 0

    init(_ goal: Goal) {
        self.goal = goal
        patterns = goal.steps.flatMap { $0 }
    }

    var progress: GoalProgress { GoalProgress(goal: goal, steps: best) }

    mutating func take(_ event: TraceEvent) {
        guard best < goal.steps.count, patterns.contains(where: { $0.matches(event) }) else {
            return
        }
        guard let binding = Binding(goal.keys, in: event) else {
            for binding in stories.keys where binding.agrees(with: event, goal.keys) {
                advance(binding, event)
            }
            return
        }
        advance(binding, event)
    }

    private mutating func advance(_ binding: Binding, _ event: TraceEvent) {
        var story = stories[binding] ?? Story()
        if let bound = goal.within, story.steps > 0, story.begin + bound < event.time {
            story = Story()
        }
        if goal.steps[story.steps].match(event) {
            if story.steps == 0 { story.begin = event.time }
            story.steps += 1
        } else if goal.steps[0].match(event), story.steps == 1 {
            // Begun anew: the later beginning leaves more time for the rest.
            story.begin = event.time
        }
        stories[binding] = story.steps == 0 ? nil : story
        best = max(best, story.steps)
    }
}
