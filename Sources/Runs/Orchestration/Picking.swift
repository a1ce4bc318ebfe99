package import Artifacts
package import Choices

/// Who picks in a run.
package enum Picking: Sendable {
    /// The scheduler of the settings, by the seed's own decisions.
    case ofTheSeed
    /// The scheduler of the settings, by decisions of which some were recorded.
    case recorded([RecordedDecision])
    /// Nobody but a schedule.
    case schedule(Schedule)
    /// The strategies of the portfolio, with all that they and the run draw by the seed.
    case portfolio
    /// The picks of a noted run, and from there on the seed; the schedule's other decisions hold.
    case improvised(Schedule, [Pick])

    package init(_ recording: Replay) {
        let decisions = recording.decisions.map(RecordedDecision.init)
        self =
            recording.afters.map { .schedule(Schedule(afters: $0, decisions: decisions)) }
            ?? .recorded(decisions)
    }

    /// The first picks of a run, and from there on the seed.
    package static func improvised(on study: Study, following count: Int) -> Picking {
        .improvised(study.schedule.besideTheOrder, Array(study.picks.prefix(count)))
    }

    var decisions: [RecordedDecision] {
        switch self {
        case .ofTheSeed, .portfolio: []
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
        case .ofTheSeed, .portfolio, .recorded: false
        }
    }

    /// Whether the order is drawn, though all else is recorded.
    var drawsOrder: Bool {
        switch self {
        case .improvised: true
        case .ofTheSeed, .portfolio, .recorded, .schedule: false
        }
    }
}

extension Schedule {
    /// What it decides besides who happens when.
    package var besideTheOrder: Schedule {
        Schedule(decisions: decisions.filter { !$0.isOfTheOrder })
    }
}
