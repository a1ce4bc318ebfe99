public import Foundation

#if canImport(Testing)
    internal import Testing
#endif

/// How a run ended.
public enum Verdict: Int32, Sendable {
    /// Every promise was kept, and everything that the topology expects happened.
    case held = 0
    /// A promise was broken, or an expectation was not met.
    case violated = 1
    /// The run ended before something was decided.
    case inconclusive = 2
    /// A device failed: it ended, hung, or sent what is no answer.
    case deviceFailed = 3
}

/// A run that was played.
///
/// Its description is what a person needs where it failed: the broken promise with the events that break it, why, and
/// the command that repeats it.
public struct Run: Sendable, CustomStringConvertible {
    /// A promise that was broken.
    public struct Violation: Sendable, Codable {
        /// The promise's name, as `anechoic promises` lists it.
        public let promise: String
        /// The clause or source that demands it.
        public let clause: String
        /// The device, or the devices, that it was about.
        public let device: String
        /// What happened.
        public let sentence: String
        /// When, in nanoseconds of virtual time; nil where the end of the run broke it.
        public let time: UInt64?
    }

    /// An event of the trace.
    public struct Event: Sendable {
        /// What happened: `ni.didUpdate`.
        public let kind: String
        /// The device that it happened on; empty where it is of none.
        public let device: String
        /// Nanoseconds of virtual time since the run began.
        public let time: UInt64
    }

    /// How it ended.
    public let verdict: Verdict
    /// Every promise that was broken, and how.
    public let violations: [Violation]
    /// Which two events race, or what it takes to pass; empty where that was not looked for.
    public internal(set) var explanation = ""
    private let story: String
    private let folder: RunFolder

    /// Whether every promise was kept, and everything that the topology expects happened.
    public var holds: Bool { verdict == .held }

    /// The folder of the run, with its trace, its captures and its devices' logs; it goes with this value where the
    /// run holds, and stays where it does not.
    public let path: String

    /// The file that repeats the run: `anechoic replay FILE`.
    public var replayFile: String? { file("replay.json") }

    private func file(_ name: String) -> String? {
        let file = "\(path)/\(name)"
        return InstalledPlaces.isFile(file) ? file : nil
    }

    public var description: String {
        holds
            ? "held"
            : ([story] + (explanation.isEmpty ? [] : [explanation])).joined(separator: "\n")
    }

    init(in folder: RunFolder, verdict: Verdict, telling text: String) throws(ChamberError) {
        (self.folder, self.verdict, path) = (folder, verdict, folder.run)
        story = Self.story(in: text)
        let report = "\(path)/verdict.json"
        violations = InstalledPlaces.isFile(report) ? try Self.violations(in: report) : []
    }

    /// The events of the run in the sequence in which they happened.
    ///
    /// - Throws: `ChamberError` where the trace cannot be read.
    public var events: [Event] {
        get throws(ChamberError) {
            guard let file = file("trace.jsonl"),
                let text = try? String(contentsOfFile: file, encoding: .utf8)
            else { throw ChamberError("\(path): there is no trace") }
            let decoder = JSONDecoder()
            // The first line says which run it is.
            return try text.split(separator: "\n").dropFirst().map { line throws(ChamberError) in
                guard let event = try? decoder.decode(Line.self, from: Data(line.utf8)) else {
                    throw ChamberError("\(file): no event: \(line)")
                }
                return Event(kind: event.kind, device: event.device ?? "", time: event.time)
            }
        }
    }

    private struct Line: Decodable {
        let kind: String
        let device: String?
        let time: UInt64
    }

    /// What is told below the table: the story of the run.
    private static func story(in text: String) -> String {
        let parts = text.split(separator: "\n\n", maxSplits: 1)
        return (parts.count == 2 ? parts[1] : Substring(text)).trimmingCharacters(in: .newlines)
    }

    private struct Report: Decodable {
        struct Promise: Decodable {
            struct Violation: Decodable {
                let device, sentence: String
                let time: UInt64
            }

            let promise, clause: String
            let violations: [Violation]
        }

        let promises: [Promise]
    }

    private static func violations(in file: String) throws(ChamberError) -> [Violation] {
        guard let data = FileManager.default.contents(atPath: file),
            let report = try? JSONDecoder().decode(Report.self, from: data)
        else { throw ChamberError("\(file): the verdict cannot be read") }
        return report.promises.flatMap { promise in
            promise.violations.map {
                Violation(
                    promise: promise.promise, clause: promise.clause, device: $0.device,
                    sentence: $0.sentence, time: $0.time == .max ? nil : $0.time)
            }
        }
    }

    // MARK: Attachments

    /// What a test is given of a run: names and contents.
    public var attachments: [(name: String, data: Data)] {
        ["trace.jsonl", "run.pcapng", "report.html"].compactMap { name in
            file(name).flatMap { FileManager.default.contents(atPath: $0) }.map {
                (name, $0)
            }
        }
    }

    /// Adds trace, capture and page to the test that is running, if one of Swift Testing is.
    func attach() {
        #if canImport(Testing)
            guard Test.current != nil else { return }
            for (name, data) in attachments {
                Attachment.record(Array(data), named: name)
            }
        #endif
    }
}
