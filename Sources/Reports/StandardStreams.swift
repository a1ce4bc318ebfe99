package import Foundation

/// Why results could not be shown.
package struct OutputError: Error, CustomStringConvertible {
    package let description: String
}

/// Writes text to standard output, whole.
///
/// Where nobody reads any more (`| head -1`) nobody misses the rest.
package func show(_ text: String) throws { try write(Data(plain(text).utf8), to: STDOUT_FILENO) }

/// The same of a text that has colours: what it quotes has to be plain already.
package func show(raw text: String) throws { try write(Data(text.utf8), to: STDOUT_FILENO) }

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

/// Writes the line that says on a terminal how far we are over the one before; an empty one takes it away.
package func showProgress(_ line: String) {
    try? write(Data("\r\u{1B}[K\(line)".utf8), to: STDERR_FILENO)
}

/// Says something on standard error; where that cannot be, there is nobody to tell.
package func printError(_ text: String) {
    try? write(Data((plain(text) + "\n").utf8), to: STDERR_FILENO)
}
