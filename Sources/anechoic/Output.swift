import Foundation
import Reports

/// Why results could not be shown.
struct OutputError: Error, CustomStringConvertible {
    let description: String
}

/// Writes text to standard output, whole.
///
/// Where nobody reads any more (`| head -1`) nobody misses the rest.
func show(_ text: String) throws { try write(Data(plain(text).utf8), to: STDOUT_FILENO) }

/// Writes bytes to a descriptor, whole, unless its reader is gone.
func write(_ data: Data, to descriptor: Int32) throws {
    var rest = data[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno == EPIPE {
            return
        } else if errno != EINTR {
            throw OutputError(
                description: "cannot write the results to standard output: "
                    + "\(String(cString: strerror(errno))); the files of the runs are kept")
        }
    }
}

/// Says something on standard error; where that cannot be, there is nobody to tell.
func printError(_ text: String) { try? write(Data((plain(text) + "\n").utf8), to: STDERR_FILENO) }

/// Results in the order of their tasks, whenever they come.
///
/// Of many runs only as many are kept as are shown, and only those that did not hold; all are counted.
struct Results {
    let total: Int
    /// How many of those that did not hold are kept; nil keeps all runs.
    private let most: Int?
    /// How many runs ended so.
    private(set) var counts: [ExitStatus: Int] = [:]
    /// How many of them have files that are not whole.
    private(set) var unwritten = 0
    /// What became of their steps.
    private(set) var scripts = ScriptSummaries()
    /// What became of the promises that they bring along.
    private(set) var ownPromises = OwnPromises()
    private var kept: [(index: Int, report: RunReport)] = []
    private(set) var status = ExitStatus.held

    init(total: Int, most: Int?) {
        self.total = total
        self.most = most
    }

    /// How many runs are over.
    var done: Int { counts.values.reduce(0, +) }

    /// How many of them did not hold.
    var failing: Int { done - (counts[.held] ?? 0) }

    /// Those that are kept: the first ones.
    var reports: [RunReport] {
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
        // Whoever comes later may be earlier in order; now and then the last ones go.
        if let most, kept.count > 2 * most {
            kept.sort { $0.index < $1.index }
            kept.removeLast(kept.count - most)
        }
    }
}

/// Results as one JSON array on standard output, each written as soon as all before it are: there may be
/// millions.
struct ResultStream {
    private var next = 0
    /// Those that came before an earlier one.
    private var early: [Int: RunReport] = [:]
    /// Whether some of it is written.
    private(set) var isBegun = false

    mutating func take(_ report: RunReport, at index: Int) throws {
        early[index] = report
        while let report = early.removeValue(forKey: next) {
            try write(report)
            next += 1
        }
    }

    /// Ends the array; where some runs were not done, those behind them follow.
    mutating func finish() throws {
        for (_, report) in early.sorted(by: { $0.key < $1.key }) { try write(report) }
        try print(isBegun ? "\n]\n" : "[\n\n]\n")
    }

    private mutating func write(_ report: RunReport) throws {
        var text = isBegun ? ",\n" : "[\n"
        isBegun = true
        // No string of JSON has a line feed in it.
        let lines = String(decoding: try json(report), as: UTF8.self).split(separator: "\n")
        text += lines.map { "  " + $0 }.joined(separator: "\n")
        try print(text)
    }

    private func print(_ text: String) throws {
        try anechoic.write(Data(text.utf8), to: STDOUT_FILENO)
    }
}
