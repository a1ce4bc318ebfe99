import Invariants
import Scenarios

/// The topology of the last task, and a judge of its runs.
///
/// Most tasks are runs of one topology, and to make a judge takes longer than a short run.
struct PreparedTopology {
    /// Defects that are switched on besides those of the topologies, and where programs are.
    private let settings: RunSettings
    /// The judge is nil while it judges.
    private var last: (task: RunTask, topology: Topology, judge: Judge?)?

    init(_ settings: RunSettings) { self.settings = settings }

    /// A task's topology with all defects.
    ///
    /// - Throws: As ``RunTask/topology(with:programs:)`` does.
    mutating func topology(of task: RunTask) throws -> Topology {
        if let (known, topology, _) = last, known.name == task.name,
            known.document == task.document
        {
            return topology
        }
        let topology = try task.topology(
            with: settings.defects, programs: settings.programs)
        last = (task, topology, nil)
        return topology
    }

    /// A judge of a task's runs that has seen nothing: that of the run before, where it was given back.
    mutating func newJudge(of task: RunTask) throws -> Judge {
        let topology = try topology(of: task)
        return last?.judge.take() ?? Judge(topology)
    }

    /// Takes the judge of a run that is over, for the next one.
    mutating func takeBack(_ judge: consuming Judge) {
        last?.judge = judge
        last?.judge?.reset()
    }
}
