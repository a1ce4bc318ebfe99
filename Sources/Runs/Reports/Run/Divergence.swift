package import Simulation

/// Where two runs of one plan first take another step, in words; nil where they take the same ones.
///
/// Where a device answered otherwise, `why` says what may have led to it.
package func firstDifference(
    _ first: [World.StepRecord], _ second: [World.StepRecord],
    because why: String = "a device that reads a clock, or draws numbers of its own, answers "
        + "differently"
) -> String? {
    guard first != second else { return nil }
    let step =
        zip(first, second).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        ?? min(first.count, second.count)
    func picture(_ steps: [World.StepRecord], _ step: Int) -> String {
        guard steps.indices.contains(step) else { return "the end of the run" }
        return "\(steps[step].event) at \(Console.seconds(steps[step].time.nanoseconds))"
    }
    let (one, other) = (picture(first, step), picture(second, step))
    // Where the same step follows, what the one before it led to is what differs.
    if one == other && step > 0 {
        return
            "step \(step) (\(picture(first, step - 1))) had another effect the second time; \(why)"
    }
    return "step \(step + 1) was \(one), then \(other)"
        + (step > 0 ? "; the step before was \(picture(first, step - 1))" : "")
}
