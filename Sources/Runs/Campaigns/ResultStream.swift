import Reports

/// Results in the order of their tasks, each written as soon as all before it are: there may be millions.
struct ResultStream {
    private let document: ResultsDocument
    private var next = 0
    /// Those that came before an earlier one.
    private var early: [Int: RunReport] = [:]

    init(into document: ResultsDocument) { self.document = document }

    mutating func take(_ report: RunReport, at index: Int) throws {
        early[index] = report
        while let report = early.removeValue(forKey: next) {
            try document.add(report)
            next += 1
        }
    }

    /// Writes what is left; where some runs were not done, those behind them follow.
    mutating func finish() throws {
        for (_, report) in early.sorted(by: { $0.key < $1.key }) { try document.add(report) }
        early = [:]
    }
}
