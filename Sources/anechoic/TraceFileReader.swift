import Foundation
import Topologies
import Traces

/// A trace on disk, read line by line: it may be longer than memory.
final class TraceFileReader {
    let file: String
    private let handle: FileHandle
    /// What has been read and is not a whole line yet, and the lines before it.
    private var rest = Data()
    private var lines: ArraySlice<Data> = []
    private var isAtEnd = false
    private var number = 0
    private var roles = DeviceRoles()

    /// - Throws: `TopologyError` where the file cannot be read.
    init(_ file: String) throws {
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw TopologyError(file: file, problem: Problem("this cannot be read", at: nil))
        }
        (self.file, self.handle) = (file, handle)
    }

    /// The next line that is not empty; nil at the end.
    ///
    /// - Throws: `TopologyError` that names the line that is none of a trace.
    func next() throws -> TraceReader.Line? {
        while true {
            while let line = lines.popFirst() {
                number += 1
                if !line.isEmpty { return try meaning(of: line) }
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
        do {
            let read = try TraceReader.line(line)
            guard case .event(var event) = read else { return read }
            roles.complete(&event)
            return .event(event)
        } catch {
            throw TopologyError(
                file: file,
                problem: Problem(
                    "this line is none of a trace: \(error)",
                    at: SourcePosition(line: number, column: error.offset + 1)))
        }
    }
}
