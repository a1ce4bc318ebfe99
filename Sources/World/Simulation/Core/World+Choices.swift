package import Choices

// What was chosen in a run, where the options asked to note it.
extension World {
    /// The schedule of the run so far, where the options asked for it.
    ///
    /// Together with the plan it gives the same run again, step by step.
    package var schedule: Schedule? {
        notes.map {
            // Of the rest only what somebody draws beside the schedule is recorded.
            Schedule(afters: $0.afters, decisions: $0.delays + state.decisions.recorded)
        }
    }

    /// The picks of the run so far, where the options asked for the schedule; one for each step, but where
    /// the plain scheduler sends grants ahead.
    package var picks: [Pick] { notes?.picks ?? [] }

    /// What of the schedule by which this run went makes no difference to it: without that the run is
    /// the same.
    package var idleSchedule: Schedule {
        Schedule(
            afters: (scheduler as? ScheduledOrder)?.idle ?? [], decisions: state.decisions.idle)
    }

    /// What is known of the order of the run so far, which went by these afters; nil where the options do
    /// not ask for it.
    package func orderSurvey(of afters: [After]) -> OrderSurvey? { orderNotes?.survey(afters) }
}
