package import Diagnosis
import Promises
package import Reports

// What broke together, and why.
extension ConformanceReport {
    /// The first failing run of each broken promise, of which nothing more is known yet, those first that fail the test;
    /// `output` is the folder in which failing runs have left their files.
    package func undiagnosed(in output: String) -> [DiagnosedRun] {
        let ordered = promises.filter(fails) + promises.filter { !fails($0) }
        return ordered.compactMap { promise in
            // Those without a command have left no files in this test.
            let broken = runs.first { $0.replay != nil && $0.firstBroken == promise.id }
            return broken.map { run in
                DiagnosedRun(
                    promise: promise.id,
                    replay: "\(output)/\(run.topology)/\(run.seed)/replay.json",
                    command: run.replay ?? "")
            }
        }
    }

    /// The broken promises, those of one cause together: the first one of them breaks before the others.
    ///
    /// Promises that the smallest run of one of them breaks have one cause; one that no run breaks before any other has
    /// that of the promise before it.
    func grouped() -> [[SuiteSummary.PromiseSummary]] {
        let broken = promises.filter { $0.verdict == .violated }
        let names = Set(broken.map(\.id))
        var heads: [String: String] = [:]
        for run in diagnosed.enumerated().sorted(by: {
            ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
        }).map(\.element) {
            let breaks = run.breaks ?? []
            let head =
                heads[run.promise] ?? breaks.first { heads[$0] == $0 } ?? run.promise
            for promise in [run.promise] + breaks where heads[promise] == nil {
                heads[promise] = head
            }
        }
        let leaders = Set(runs.compactMap(\.firstBroken))
        for promise in broken where heads[promise.id] == nil && !leaders.contains(promise.id) {
            let first = runs.first { run in
                run.promises.contains { $0.promise == promise.id && $0.verdict == .violated }
            }
            guard let leader = first?.firstBroken, names.contains(leader) else { continue }
            heads[promise.id] = heads[leader] ?? leader
        }
        // A promise that topologies bring along is one of each of them.
        let first = broken.filter { heads[$0.id] ?? $0.id == $0.id }
        return first.map { head in
            [head] + broken.filter { $0.id != head.id && heads[$0.id] == head.id }
        }
    }

    /// The causes of what was broken, those that fail the test first.
    package var causes: [Cause] {
        let all = groups.map(cause)
        return all.filter(\.fails) + all.filter { !$0.fails }
    }

    /// What is known of promises that break together.
    func cause(of group: [SuiteSummary.PromiseSummary]) -> Cause {
        var cause = Cause(
            group.map { Cause.Breach($0, level: level(of: $0), clauses: clausesBroken(by: $0)) },
            fails: group.contains(where: fails), first: group[0].failing.first)
        diagnosed.first { $0.promise == group[0].id }?.explain(&cause)
        return cause
    }

    /// Runs that did not come to their end, those that failed in one way together, each with nothing but that.
    var failures: [[RunReport]] {
        let failed = runs.filter {
            ![.held, .violated, .inconclusive].contains($0.status) && excuse(for: $0) == nil
        }.map { run in
            var run = run
            (run.promises, run.expectations) = ([], [])
            return run
        }
        let named = failed.map { (way: $0.fingerprint, run: $0) }
        return named.map(\.way).uniqued.map { way in named.filter { $0.way == way }.map(\.run) }
    }

    private func clausesBroken(by promise: SuiteSummary.PromiseSummary) -> [Rule] {
        matrix.rows.filter { $0.broken.contains(promise.id) }.map { Rule($0.clause) }
            .mostBindingFirst
    }
}
