internal import Foundation
internal import Topologies
package import Traces

/// A trace on disk, read line by line: it may be longer than memory.
package final class TraceFileReader {
    private let file: String
    private let stream: ByteSource
    /// What has been read and is not a whole line yet, and the lines before it.
    private var rest = Data()
    private var lines: ArraySlice<Data> = []
    private var isAtEnd = false
    private var number = 0
    private var roles = DeviceRoles()
    /// The first line, once it has been read; nil where the trace has none.
    package private(set) var header: TraceHeader?

    /// A reader at the beginning of a trace, or of that in the folder of a run.
    ///
    /// - Throws: `InputError` where it cannot be read.
    package init(_ path: String) throws(InputError) {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        file = exists && isFolder.boolValue ? "\(path)/trace.jsonl" : path
        stream = try ByteSource(file, expected: "a trace.jsonl, or the folder of a run")
    }

    /// The next event; nil at the end.
    ///
    /// - Throws: `TopologyError` that names the line that is none of a trace; `InputError` where it cannot
    ///   be read.
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
            guard let chunk = try stream.next() else {
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
