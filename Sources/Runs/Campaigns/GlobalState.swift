import Artifacts
package import Orchestration
import Reports
import Scenarios

extension RunSettings {
    /// Sees to it that no run finds what an earlier one has left in a program of somebody else's.
    ///
    /// The first run of each such program is played twice by the same process. Where the second one differs, and a third
    /// one in a new process does not, the program keeps global state; then every run has fresh processes, by process. It
    /// is said on standard error, unless somebody has heard it. Two runs more are all that it costs where there is
    /// nothing to say.
    package mutating func avoidGlobalState(
        in tasks: some Sequence<RunTask>, isKnown: Bool = false
    ) throws {
        guard !processes.usesFreshProcesses, clock == .virtual else { return }
        var known: [DeviceSpec.Program] = []
        for task in tasks {
            let foreign = try task.topology().devices.filter { !$0.isOurs && !$0.dialsIn }
            let new = foreign.map(\.program).filter { !known.contains($0) }
            guard !new.isEmpty else { continue }
            known += new
            guard let finding = try finding(in: task, isKnown: isKnown) else { continue }
            let programs = foreign.map(\.name).joined(separator: " or ")
            if !isKnown {
                printError(
                    finding.sentence(about: programs, in: task, isInline: hosting == .inline))
            }
            guard case .globalState = finding else { continue }
            processes.usesFreshProcesses = true
            hosting = .process
            return
        }
    }

    /// What differs where a run is played again.
    private enum Finding {
        /// It does not in a new process.
        case globalState(String)
        /// It does in a new process as well.
        case whim(String)

        func sentence(about programs: String, in task: RunTask, isInline: Bool) -> String {
            let run = "\(programs) of \(task.name), seed \(task.seed)"
            return switch self {
            case .globalState(let difference):
                "\(run): a program keeps global state, for played again in the process that had played it the run "
                    + "differs: \(difference). Every run has fresh processes from here on"
                    + (isInline ? ", and none is inline" : "")
                    + "; a program of DeviceKit's says so from the start by keepsGlobalState: true"
            case .whim(let difference):
                "\(run): played again the run differs, also in new processes: \(difference). What is found may "
                    + "not come back"
            }
        }
    }

    private func finding(in task: RunTask, isKnown: Bool) throws -> Finding? {
        var plain = self
        plain.hosting = .process
        plain.files.tree = nil
        // Others play a plain run before the first.
        plain.scheduler = .random
        return try LocalRunner.with(plain) { runner in
            // What is wrong with a run is said where it counts; of a device it may not happen again.
            guard let first = try? runner.study(task) else { return nil }
            guard first.report.status != .deviceFailed else {
                if !isKnown {
                    printError("\(task.name), seed \(task.seed): \(first.report.failure ?? "")")
                }
                return nil
            }
            guard let second = try? runner.study(task),
                let difference = firstDifference(
                    first.steps, second.steps, because: "what a reset does not clear leads to that")
            else { return nil }
            runner.releaseDevices()
            guard let third = try? runner.study(task) else { return nil }
            let whim = firstDifference(first.steps, third.steps)
            return whim.map(Finding.whim) ?? .globalState(difference)
        }
    }
}
