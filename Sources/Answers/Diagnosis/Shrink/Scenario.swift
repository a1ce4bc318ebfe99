import Basics
package import Choices
package import Orchestration
package import Scenarios
import Topologies

/// What fails: a topology and a schedule, and the seed that its devices draw from.
package struct Scenario: Hashable {
    package var task: RunTask
    package var schedule: Schedule

    package var size: Size {
        let parts = TopologyParts(task.text)
        return Size(
            lines: task.text.split(separator: "\n").count, devices: parts?.deviceCount ?? 0,
            steps: parts?.stepCount ?? 0, afters: schedule.afters.count,
            decisions: schedule.decisions.count)
    }

    package struct Size: Codable, Equatable {
        package var lines: Int
        var devices: Int
        package var steps: Int
        var afters: Int
        var decisions: Int

        /// How each count has changed: `lines 11 → 6, devices 2 → 2`.
        package func text(becoming other: Size) -> String {
            [
                ("lines", \Size.lines), ("devices", \.devices), ("steps", \.steps),
                ("afters", \.afters), ("decisions", \.decisions),
            ].map { "\($0) \(self[keyPath: $1]) → \(other[keyPath: $1])" }.joined(separator: ", ")
        }
    }

    /// The same with another text; if steps are gone, the schedule names the others by their new places.
    package func with(_ text: String) -> Scenario {
        var changed = self
        changed.task.text = text
        if schedule.namesSteps, let places = StepPlaces(from: task.text, to: text) {
            changed.schedule = schedule.movingSteps(places.callAsFunction)
        }
        return changed
    }
}

extension Schedule {
    mutating func subtract(_ other: Schedule) {
        let (others, values) = (Set(other.afters), Set(other.decisions))
        afters.removeAll(where: others.contains)
        decisions.removeAll(where: values.contains)
    }
}

/// Where the steps of one script stand in another one, which has fewer.
package struct StepPlaces {
    private var places: [Int?]
    private let difference: Int

    /// The steps of a script as it has them, one each.
    static func lines(of text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return (steps(of: text) ?? []).map(\.source.line).uniqued.compactMap { number in
            guard lines.indices.contains(number - 1) else { return nil }
            let line = lines[number - 1].trimmingPrefix { $0 == " " || $0 == "-" }
            return line.isEmpty ? nil : String(line)
        }
    }

    /// Nil where a text is no topology, or has as many steps.
    init?(from old: String, to new: String) {
        guard let old = Self.steps(of: old), let new = Self.steps(of: new), old.count > new.count
        else { return nil }
        difference = old.count - new.count
        places = []
        var next = 0
        for step in old {
            let isNext = next < new.count && Self.isSame(step, as: new[next])
            places.append(isNext ? next : nil)
            if isNext { next += 1 }
        }
        if next < new.count { places = Self.aroundChange(from: old, to: new) }
    }

    /// Nil for a step that is gone; random faults stand behind the steps.
    func callAsFunction(_ place: Int) -> Int? {
        place < places.count ? places[place] : place - difference
    }

    /// Where one step became others, and all before and behind it are the same.
    private static func aroundChange(from old: [Step], to new: [Step]) -> [Int?] {
        let before = zip(old, new).prefix { isSame($0, as: $1) }.count
        let room = new.count - before
        let behind = zip(old.reversed(), new.reversed()).prefix { isSame($0, as: $1) }.count
        let end = new.count - min(behind, room)
        return old.indices.map { place in
            if place >= old.count - (new.count - end) { return place - old.count + new.count }
            return place < end ? place : nil
        }
    }

    private static func isSame(_ one: Step, as other: Step) -> Bool {
        one.moment == other.moment && one.text == other.text
    }

    package static func steps(of text: String) -> [Step]? {
        try? Topology(parsing: Array(text.utf8), name: "", file: "").steps
    }
}
