package import Reports
package import Simulation

/// Who picks in a run.
package enum Order: Sendable {
    /// The scheduler of the settings, by the seed's own decisions.
    case ofTheSeed
    /// The scheduler of the settings, by decisions of which some were recorded.
    case recorded([RecordedDecision])
    /// Nobody but a schedule.
    case schedule(Schedule)
    /// The picks of a noted run, and from there on the seed; the schedule's other decisions hold.
    case improvised(Schedule, [Pick])

    /// What a replay file says.
    package init(_ recording: Replay) {
        let decisions = recording.decisions.map(RecordedDecision.init)
        self =
            recording.afters.map { .schedule(Schedule(afters: $0, decisions: decisions)) }
            ?? .recorded(decisions)
    }

    /// The first picks of a run, and from there on the seed.
    package static func improvised(on study: Study, following count: Int) -> Order {
        improvised(by: study.schedule, Array(study.picks.prefix(count)))
    }

    /// The order of delivery is the seed's; the schedule's other decisions hold.
    package static func delivered(atRandom schedule: Schedule) -> Order {
        improvised(by: schedule, [])
    }

    private static func improvised(by schedule: Schedule, _ picks: [Pick]) -> Order {
        var schedule = schedule
        schedule.decisions.removeAll(where: \.isOfTheOrder)
        return .improvised(schedule, picks)
    }

    var decisions: [RecordedDecision] {
        switch self {
        case .ofTheSeed: []
        case .recorded(let decisions): decisions
        case .schedule(let schedule), .improvised(let schedule, _): schedule.decisions
        }
    }

    var afters: [After] {
        if case .schedule(let schedule) = self { return schedule.afters }
        return []
    }

    var isComplete: Bool {
        switch self {
        case .schedule, .improvised: true
        case .ofTheSeed, .recorded: false
        }
    }

    var isImprovised: Bool {
        if case .improvised = self { return true }
        return false
    }
}
