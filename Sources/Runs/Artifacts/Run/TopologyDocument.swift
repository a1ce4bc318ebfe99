package import Scenarios
package import Topologies

/// A topology as text, for the files that people read, and as the value that is played.
///
/// In a file it is its text. A worker gets both: it parses nothing, and writes the text into replay files.
package struct TopologyDocument: Sendable {
    /// What stands in the file that was read.
    private let original: String
    /// What that says; nil where nobody has read it yet.
    private let originalTopology: Topology?
    /// What was added to it, in this sequence.
    private var added: [AddedFaults] = []

    /// A text, and what it says where somebody has read it; else it is read when it is played.
    package init(_ text: String, saying topology: Topology? = nil) {
        (original, originalTopology) = (text, topology)
    }

    /// What stands in its file; what was added is written for it.
    package var text: String {
        added.reduce(original) { TopologyParts($0)?.text(adding: $1) ?? $0 }
    }

    /// What it says; nil where its text has to be read for that.
    package var topology: Topology? { added.reduce(originalTopology) { $0?.adding($1) } }

    /// What it says; `file` is what messages call it.
    ///
    /// - Throws: `DocumentError` where it is no topology.
    package func read(name: String, file: String) throws -> Topology {
        try topology ?? Topology(parsing: Array(text.utf8), name: name, file: file)
    }

    /// The same with more faults.
    package func adding(_ faults: AddedFaults) -> TopologyDocument {
        var document = self
        document.added.append(faults)
        return document
    }

    /// The same as its file has it, so that each step has its line there.
    package var written: TopologyDocument { added.isEmpty ? self : TopologyDocument(text) }
}

/// What a document says follows from its text, and from what was added to that.
extension TopologyDocument: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        one.original == other.original && one.added == other.added
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(original) }
}

extension TopologyDocument: Codable {
    /// Who gets what is coded, where it does not go into a file.
    package struct Worker: Sendable {
        /// What it played last.
        let known: TopologyDocument?

        package init(known: TopologyDocument?) { self.known = known }
    }

    /// Says that a ``Worker`` gets what is coded.
    package static let worker = CodingUserInfoKey(rawValue: "worker")!

    private enum CodingKeys: CodingKey { case text, topology, added }

    package init(from decoder: any Decoder) throws {
        guard let worker = decoder.userInfo[Self.worker] as? Worker else {
            self.init(try decoder.singleValueContainer().decode(String.self))
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let known = worker.known, !container.contains(.text) {
            self = known
        } else {
            let text = try container.decode(String.self, forKey: .text)
            self.init(text, saying: try container.decodeIfPresent(Topology.self, forKey: .topology))
        }
        added = try container.decode([AddedFaults].self, forKey: .added)
    }

    package func encode(to encoder: any Encoder) throws {
        guard let worker = encoder.userInfo[Self.worker] as? Worker else {
            var container = encoder.singleValueContainer()
            return try container.encode(text)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(added, forKey: .added)
        guard worker.known?.original != original else { return }
        try container.encode(original, forKey: .text)
        try container.encodeIfPresent(originalTopology, forKey: .topology)
    }
}
