import Basics
import DeviceLink
import Foundation
package import Traces
import YAML

/// A trace on disk, read line by line: it may be longer than memory.
package final class TraceFileReader {
    package let file: String
    private let stream: ByteSource
    /// What has been read and is not a whole line yet, and the lines before it.
    private var rest = Data()
    private var lines: ArraySlice<Data> = []
    private var isAtEnd = false
    private var number = 0
    /// The event before, with its line.
    private var last: (number: UInt64, time: VirtualTime, line: Int)?
    /// The most bytes of a line, which is far more than an event may hold.
    private static let longestLine = 1 << 24
    private var roles = DeviceRoles()
    /// The first line, once it has been read; nil where the trace has none.
    package private(set) var header: TraceHeader?
    /// The line of the first event, once it has been read.
    package private(set) var firstEventLine = 1

    /// A reader at the beginning of a trace, or of that in the folder of a run.
    ///
    /// - Throws: `InputError` where it cannot be read.
    package init(_ path: String) throws(InputError) {
        file = InputFile.isFolder(path) ? "\(path)/trace.jsonl" : path
        stream = try ByteSource(file, expected: "a trace.jsonl, or the folder of a run")
    }

    /// The next event; nil at the end.
    ///
    /// - Throws: `DocumentError` that names the line that is no line of a trace, or does not come
    ///   behind the one before it; `InputError` where the file cannot be read.
    package func next() throws -> TraceEvent? {
        while true {
            while let line = lines.popFirst() {
                number += 1
                guard !line.isEmpty else { continue }
                switch try meaning(of: line) {
                case .header(let first): header = first
                case .event(var event):
                    try checkOrder(of: event)
                    roles.complete(&event)
                    return event
                }
            }
            guard !isAtEnd else { return nil }
            try readLines()
        }
    }

    /// Reads all events that are left.
    ///
    /// - Throws: As ``next()`` does, and `DocumentError` that says what `undone` says where there is none.
    package func eachEvent(
        orElse undone: String, _ take: (TraceEvent) throws -> Void
    ) throws {
        var isEmpty = true
        while let event = try next() {
            try take(event)
            isEmpty = false
        }
        guard isEmpty else { return }
        throw DocumentError(
            in: file, "there is no event in this file, so \(undone)",
            expected: "a line for each event (TRACE.md)")
    }

    /// Reads on to where a line ends; each byte is looked at once, however long the line is.
    private func readLines() throws {
        guard let chunk = try stream.next() else {
            isAtEnd = true
            lines = [rest]
            return
        }
        guard let end = chunk.lastIndex(of: 0x0A) else {
            rest += chunk
            guard rest.count <= Self.longestLine else {
                throw error("this line is longer than 16 MiB", line: number + 1, column: 1)
            }
            return
        }
        rest += chunk[..<end]
        lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
        rest = Data(chunk[chunk.index(after: end)...])
    }

    /// Promises measure time: events out of sequence would break some and keep others, whatever the devices
    /// did.
    private func checkOrder(of event: TraceEvent) throws {
        defer { last = (event.number, event.time, number) }
        guard let last else {
            firstEventLine = number
            guard event.number == 0 else {
                throw error(
                    "the beginning is missing: \"number\" is \(event.number) here, expected 0",
                    line: number, column: 1)
            }
            return
        }
        guard event.time >= last.time else {
            throw error(
                "time runs backwards: \"time\" is \(event.time.nanoseconds) here, and "
                    + "\(last.time.nanoseconds) in line \(last.line)", line: number, column: 1)
        }
        let (next, overflow) = last.number.addingReportingOverflow(1)
        guard !overflow, event.number == next else {
            throw error(
                "the numbers have a gap: \"number\" is \(event.number) here, and \(last.number) in "
                    + "line \(last.line)", line: number, column: 1)
        }
    }

    private func error(_ message: String, line: Int, column: Int) -> DocumentError {
        DocumentError(
            file: file,
            problem: Problem(message, at: SourcePosition(line: line, column: column)))
    }

    private func meaning(of line: Data) throws -> TraceReader.Line {
        do { return try TraceReader.line(line) } catch {
            throw self.error(
                "this is no line of a trace: \(error)", line: number,
                column: error.offset + 1)
        }
    }
}
