import DeviceLink
package import Promises
import Traces

/// How far a run came on the way to a goal.
package struct GoalProgress: Equatable, Sendable {
    package let goal: Goal
    /// The most steps that one instance has seen.
    package let steps: Int
}

/// Watches whether a run tells a goal's story.
struct GoalMonitor: Sendable {
    private struct Story {
        /// Whether it is an instance's: it keeps its slot from then on.
        var isTold = false
        var steps = 0
        var begin = VirtualTime.zero
    }

    private let goal: Goal
    /// How far each instance is, by the slots of their bindings.
    private var stories: [Story] = []
    private var best = 0
    /// How many instances wait for each step.
    private var waiting: [Int]

    init(_ goal: Goal) {
        self.goal = goal
        waiting = Array(repeating: 0, count: goal.steps.count + 1)
    }

    /// Begins anew: no instance has seen a step.
    mutating func reset() {
        if !stories.isEmpty { stories.removeAll(keepingCapacity: true) }
        best = 0
        for step in waiting.indices { waiting[step] = 0 }
    }

    var progress: GoalProgress { GoalProgress(goal: goal, steps: best) }

    /// Whether an instance waits for one of these steps; the first one is always waited for.
    func waits(for steps: [Int]) -> Bool {
        best < goal.steps.count && steps.contains { $0 == 0 || waiting[$0] > 0 }
    }

    /// Whether the binding of a slot has an instance.
    func lives(at slot: Int) -> Bool { slot < stories.count && stories[slot].isTold }

    /// Begins an instance, which waits for the first step.
    mutating func begin(at slot: Int) {
        while stories.count <= slot { stories.append(Story()) }
        stories[slot].isTold = true
        waiting[0] += 1
    }

    /// Takes an event of an instance; `steps` are the goal's patterns that can mean its kind.
    mutating func take(
        _ event: TraceEvent, with marks: inout KeyMarks, as steps: [Patterns], at slot: Int
    ) {
        guard lives(at: slot), best < goal.steps.count else { return }
        let story = stories[slot]
        if let bound = goal.within, story.steps > 0, story.begin + bound < event.time {
            move(slot, to: 0)
        }
        guard steps[stories[slot].steps].mean(event, with: &marks) else { return }
        if stories[slot].steps == 0 { stories[slot].begin = event.time }
        move(slot, to: stories[slot].steps + 1)
        best = max(best, stories[slot].steps)
    }

    private mutating func move(_ slot: Int, to step: Int) {
        waiting[stories[slot].steps] -= 1
        stories[slot].steps = step
        waiting[step] += 1
    }
}
