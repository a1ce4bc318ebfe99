import Artifacts
package import Foundation

/// Why results could not be shown.
package struct OutputError: Error, CustomStringConvertible {
    package let description: String
}

/// Writes text to standard output, whole.
///
/// If the reader has gone (`| head -1`), the rest is dropped.
package func show(_ text: String) throws { try show(raw: plain(text)) }

/// The same for a text with colours; what it quotes has to be plain already.
package func show(raw text: String) throws { try write(Data(shown(text).utf8), to: STDOUT_FILENO) }

/// What a reader cannot mistake for a command: one of GitHub's runners obeys lines.
private func shown(_ text: String) -> String {
    GitHub.ofThisProcess.isHere ? WorkflowCommand.defused(text) : text
}

/// Writes bytes to a descriptor, whole, unless its reader is gone.
package func write(_ data: Data, to descriptor: Int32) throws {
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

/// Replaces the line of progress on a terminal; an empty one removes it.
package func showProgress(_ line: String) {
    try? write(Data("\r\u{1B}[K\(line)".utf8), to: STDERR_FILENO)
}

/// Prints a line on standard error; if that fails, it is lost.
package func printError(_ text: String) {
    try? write(Data((shown(plain(text)) + "\n").utf8), to: STDERR_FILENO)
}
