import Basics
package import Choices
package import Foundation
package import Simulation
package import Vocabulary

/// `replay.json`: everything that repeats a run, whatever has become of the topology's file.
package struct Replay: Codable, Equatable, Sendable {
    /// A decision other than the seed's own.
    package struct Decision: Codable, Equatable, Sendable {
        /// Channel, ordinal and purpose: `timer ben/0 ni #1 delay`.
        package var identity: String
        /// The value that was drawn; a time is in nanoseconds.
        package var value: UInt64

        package init(_ decision: RecordedDecision) {
            identity = decision.identity
            value = decision.value
        }
    }

    /// A defect that was switched on besides those of the topology.
    package struct Defect: Codable, Equatable, Sendable {
        /// The device's name in the topology.
        package var device: String
        /// The defect's name, as `--defect` takes it.
        package var name: String

        package init(device: String, name: String) {
            self.device = device
            self.name = name
        }
    }

    /// A program of somebody else's, or a file that it was started with.
    package struct Program: Codable, Equatable, Sendable {
        /// The device's name.
        package var device: String
        /// Which word of its command line it is, from 0.
        package var word: Int
        /// The path, as the topology has it.
        package var file: String
        /// What tells one build from another: `build-id 3a72…` or `sha256 0f3c…`.
        package var build: String

        package init(device: String, word: Int, file: String, build: String) {
            (self.device, self.word, self.file, self.build) = (device, word, file, build)
        }
    }

    /// What a device that goes by the wall clock did in its turns: it is not asked again.
    package struct Input: Codable, Equatable, Sendable {
        /// How such a device failed.
        package struct Failure: Codable, Equatable, Sendable {
            package var kind: Catalogue.FailureKind
            package var reason: String

            package init(kind: Catalogue.FailureKind, reason: String) {
                (self.kind, self.reason) = (kind, reason)
            }
        }

        /// The device's name.
        package var device: String
        /// How many turns one after another were like this.
        package var turns = 1
        /// Its answers in such a turn: a frame of DeviceLink, as of turn 0.
        package var answers: Data
        /// How far the device was behind then, in nanoseconds; nil where it has been as far behind before.
        package var lag: UInt64?
        /// How it failed instead of an answer.
        package var failure: Failure?

        package init(
            device: String, answers: Data = Data(), lag: UInt64? = nil, failure: Failure? = nil
        ) {
            self.device = device
            self.answers = answers
            self.lag = lag
            self.failure = failure
        }
    }

    /// The version of this document.
    package var schema = 1
    /// The program that wrote it.
    package var tool: String
    /// The topology's name: `dropout/mid-handshake`.
    package var name: String
    /// Its file, as it was given.
    package var file: String
    /// The whole text of the file.
    package var topology: TopologyDocument
    /// The folder from which the paths of programs in it count, absolute; nil where it names none.
    package var folder: String?
    /// The way from the folder of ``file`` to ``folder``, where those are two: `..`; nil where a topology that is made
    /// of this one is for ``folder`` itself.
    package var wayBack: String?
    /// The programs that it started; nil where it started none, or nobody noted them.
    package var programs: [Program]?
    package var seed: UInt64
    /// The name of the strategy by which the next event was picked.
    package var scheduler: String
    /// Defects that were switched on besides.
    package var defects: [Defect]
    /// Decisions that differ from the seed's own, or with ``afters`` from the plainest.
    package var decisions: [Decision]
    /// The afters of the schedule that it follows; nil where a strategy picks.
    package var afters: [After]?
    /// What the devices did that go by the wall clock, each in its own order; nil where there are none.
    package var inputs: [Input]?
    /// Whether every turn was traced, which is part of the digest.
    package var tracesTurns: Bool?
    /// The digest of the run; empty where it did not come to its end.
    package var digest: String
    /// Its digests on the way there.
    package var checkpoints: Checkpoints?

    package init(
        tool: String, name: String, file: String, topology: TopologyDocument, seed: UInt64,
        scheduler: String, defects: [Defect], decisions: [Decision], digest: String
    ) {
        self.tool = tool
        self.name = name
        self.file = file
        self.topology = topology
        self.seed = seed
        self.scheduler = scheduler
        self.defects = defects
        self.decisions = decisions
        self.digest = digest
    }

    /// Why a file is not a replay file.
    package struct ReadError: Error, CustomStringConvertible {
        /// The sentence for the user.
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// Reads a replay file.
    ///
    /// - Throws: `InputError` where it cannot be read, ``ReadError`` where it is none.
    package static func read(_ path: String) throws -> Replay {
        let replay = try InputFile.decode(
            Replay.self, from: path, as: "a replay.json",
            expected: "a replay.json that a run left behind" + meant(by: path))
        guard replay.schema == 1 else {
            throw ReadError("\(path): schema \(replay.schema); this program reads schema 1")
        }
        try replay.check(path)
        return replay
    }

    /// The end of a sentence about a path that is no replay file, where one stands in it or beside it.
    private static func meant(by path: String) -> String {
        let folder = InputFile.isFolder(path) ? path : parentFolder(of: path)
        let replay = "\(folder)/replay.json"
        guard replay != path, InputFile.exists(replay) else { return "" }
        return "; did you mean \(replay)?"
    }

    /// - Throws: `ReadError` where a text of it is none that a run leaves behind.
    private func check(_ path: String) throws(ReadError) {
        do throws(PathName.Refusal) { _ = try PathName(name) } catch {
            throw ReadError(
                "\(path): the name \"\(plainLine(name))\" cannot be that of a topology: it has "
                    + "\(error); expected " + PathName.rule)
        }
        let words =
            [tool, scheduler] + defects.flatMap { [$0.device, $0.name] }
            + decisions.map(\.identity)
        if let wrong = words.first(where: { $0.contains(where: \.isNewline) }) {
            throw ReadError(
                "\(path): \"\(plainLine(wrong))\" has more than one line; expected a replay.json "
                    + "as a run leaves it")
        }
        guard Self.isDigest(digest) else {
            throw ReadError(
                "\(path): the digest \"\(plainLine(String(digest.prefix(80))))\" is none; expected "
                    + "16 hexadecimal digits")
        }
    }

    /// Whether a text is a digest, or that of a run that did not come to its end: an empty one.
    private static func isDigest(_ text: String) -> Bool {
        text.isEmpty || text.wholeMatch(of: #/[0-9a-f]{16}/#) != nil
    }
}

extension DecodingError {
    /// What Foundation's sentences begin and end with, and parts of ours do not.
    private static let edges = CharacterSet(charactersIn: " .")

    /// What is wrong with a JSON document, in words.
    package var sentence: String {
        switch self {
        case .keyNotFound(let key, _): "the key \"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            (context.codingPath.map(\.stringValue).joined(separator: ".") + " "
                + context.debugDescription).trimmingCharacters(in: Self.edges)
        @unknown default: "\(self)"
        }
    }
}

/// JSON as this project writes it: sorted keys, readable, the same each time, and characters that control a
/// terminal as escapes: `\u202e`.
package func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return try plainJSON(encoder.encode(value)) + Data("\n".utf8)
}
