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
    /// How far each instance is, by the slots of their bindings.
    private var stories: [Story] = []
    private var best = 0
    /// How many instances are at each step but the first.
    private var waiting: [Int]

    init(_ goal: Goal) {
        self.goal = goal
        waiting = Array(repeating: 0, count: goal.steps.count + 1)
    }

    var progress: GoalProgress { GoalProgress(goal: goal, steps: best) }

    /// Whether there is still something to see.
    var isUnderway: Bool { best < goal.steps.count }

    /// Whether an instance waits for one of these steps; the first one is always waited for.
    func waits(for steps: [Int]) -> Bool {
        isUnderway && steps.contains { $0 == 0 || waiting[$0] > 0 }
    }

    /// Takes an event of an instance; `steps` are the goal's patterns that can mean its kind.
    mutating func take(_ event: TraceEvent, _ steps: [Patterns], at slot: Int) {
        while stories.count <= slot { stories.append(Story()) }
        let story = stories[slot]
        if let bound = goal.within, story.steps > 0, story.begin + bound < event.time {
            waiting[story.steps] -= 1
            stories[slot].steps = 0
        }
        guard isUnderway, steps[stories[slot].steps].mean(event) else { return }
        if stories[slot].steps == 0 { stories[slot].begin = event.time }
        if stories[slot].steps > 0 { waiting[stories[slot].steps] -= 1 }
        stories[slot].steps += 1
        waiting[stories[slot].steps] += 1
        best = max(best, stories[slot].steps)
    }
}
