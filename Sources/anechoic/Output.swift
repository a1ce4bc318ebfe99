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

/// Text without what would steer a terminal: it may quote a file, or what a device said.
private func plain(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.map { scalar in
                let steers = scalar.properties.generalCategory == .control && scalar != "\n"
                return steers ? "\u{FFFD}" : scalar
            }))
}

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
/// Of many runs only those that did not hold are kept, unless all are to be shown.
struct Results {
    let total: Int
    private let keepsAll: Bool
    /// How many runs are over.
    private(set) var done = 0
    /// How many of them held.
    private(set) var held = 0
    /// What became of their steps.
    private(set) var scripts = ScriptSummaries()
    private var kept: [(index: Int, report: RunReport)] = []
    private(set) var status = ExitStatus.held

    init(total: Int, keepsAll: Bool) {
        self.total = total
        self.keepsAll = keepsAll
    }

    var reports: [RunReport] { kept.sorted { $0.index < $1.index }.map(\.report) }

    mutating func take(_ report: RunReport, at index: Int) {
        done += 1
        scripts.take(report)
        status = status.combined(with: report.status)
        if report.status == .held { held += 1 }
        if keepsAll || report.status != .held { kept.append((index, report)) }
    }
}
