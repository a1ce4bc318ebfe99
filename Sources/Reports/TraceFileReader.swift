internal import Foundation
internal import Topologies
package import Traces

/// A trace on disk, read line by line: it may be longer than memory.
package final class TraceFileReader {
    private let file: String
    private let handle: FileHandle
    /// What has been read and is not a whole line yet, and the lines before it.
    private var rest = Data()
    private var lines: ArraySlice<Data> = []
    private var isAtEnd = false
    private var number = 0
    private var roles = DeviceRoles()
    /// The first line, once it has been read; nil where the trace has none.
    package private(set) var header: TraceHeader?

    /// A reader at the beginning of a file.
    ///
    /// - Throws: `TopologyError` where the file cannot be read.
    package init(_ file: String) throws {
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw TopologyError(file: file, problem: Problem("this cannot be read", at: nil))
        }
        (self.file, self.handle) = (file, handle)
    }

    /// The next event; nil at the end.
    ///
    /// - Throws: `TopologyError` that names the line that is none of a trace.
    package func next() throws -> TraceEvent? {
        while true {
            while let line = lines.popFirst() {
                number += 1
                guard !line.isEmpty else { continue }
                switch try meaning(of: line) {
                case .header(let first): header = first
                case .event(var event):
                    roles.complete(&event)
                    return event
                }
            }
            guard !isAtEnd else { return nil }
            guard let chunk = try handle.read(upToCount: 1 << 16), !chunk.isEmpty else {
                isAtEnd = true
                lines = [rest]
                continue
            }
            rest += chunk
            var pieces = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
            rest = Data(pieces.removeLast())
            lines = pieces[...]
        }
    }

    private func meaning(of line: Data) throws -> TraceReader.Line {
        do { return try TraceReader.line(line) } catch {
            throw TopologyError(
                file: file,
                problem: Problem(
                    "this line is none of a trace: \(error)",
                    at: SourcePosition(line: number, column: error.offset + 1)))
        }
    }
}
