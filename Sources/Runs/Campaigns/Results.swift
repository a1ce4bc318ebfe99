package import Reports

/// Results in the order of their tasks, whenever they come.
///
/// Of many runs only as many are kept as are shown, and only those that did not hold; all are counted.
package struct Results {
    let total: Int
    /// How many of those that did not hold are kept; nil keeps all runs.
    private let most: Int?
    private(set) var counts: [ExitStatus: Int] = [:]
    /// How many of them have files that are not whole.
    package private(set) var unwritten = 0
    /// What became of their steps.
    private(set) var scripts = ScriptSummaries()
    /// What became of the promises that they bring along.
    private(set) var ownPromises = OwnPromises()
    private var kept: [(index: Int, report: RunReport)] = []
    package private(set) var status = ExitStatus.held

    init(total: Int, most: Int?) {
        self.total = total
        self.most = most
    }

    package var done: Int { counts.values.reduce(0, +) }

    var failing: Int { done - (counts[.held] ?? 0) }

    /// Those that are kept: the first ones.
    package var reports: [RunReport] {
        kept.sorted { $0.index < $1.index }.prefix(most ?? kept.count).map(\.report)
    }

    mutating func take(_ report: RunReport, at index: Int) {
        counts[report.status, default: 0] += 1
        scripts.take(report)
        ownPromises.take(report)
        status = status.combined(with: report.status)
        if report.unwritten != nil { unwritten += 1 }
        guard most == nil || report.status != .held else { return }
        kept.append((index, report))
        // A later result may belong to an earlier task; now and then the last ones are dropped.
        if let most, kept.count > 2 * most {
            kept.sort { $0.index < $1.index }
            kept.removeLast(kept.count - most)
        }
    }
}
