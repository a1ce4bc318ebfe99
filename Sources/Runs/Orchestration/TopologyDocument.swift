package import Scenarios
import Topologies

/// A topology as text, for the files that people read, and as the value that is played.
///
/// In a file it is its text. A worker gets both: it parses nothing, and writes the text into replay files.
package struct TopologyDocument: Sendable {
    /// What stands in the file.
    package let text: String
    /// What it says; nil where nobody has read it yet.
    package let topology: Topology?

    /// A text that is read when it is played.
    package init(_ text: String) {
        self.text = text
        topology = nil
    }

    /// A text and what it says.
    package init(_ text: String, saying topology: Topology) {
        self.text = text
        self.topology = topology
    }

    /// What the text says; `file` is what messages call it.
    ///
    /// - Throws: `DocumentError` where it is no topology.
    func read(name: String, file: String) throws -> Topology {
        try topology ?? Topology(parsing: Array(text.utf8), name: name, file: file)
    }
}

/// What a document says follows from its text.
extension TopologyDocument: Hashable {
    package static func == (one: Self, other: Self) -> Bool { one.text == other.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
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

    private enum CodingKeys: CodingKey { case text, topology }

    package init(from decoder: any Decoder) throws {
        guard let worker = decoder.userInfo[Self.worker] as? Worker else {
            self.init(try decoder.singleValueContainer().decode(String.self))
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let known = worker.known, !container.contains(.text) {
            self = known
            return
        }
        let text = try container.decode(String.self, forKey: .text)
        let topology = try container.decodeIfPresent(Topology.self, forKey: .topology)
        self = topology.map { Self(text, saying: $0) } ?? Self(text)
    }

    package func encode(to encoder: any Encoder) throws {
        guard let worker = encoder.userInfo[Self.worker] as? Worker else {
            var container = encoder.singleValueContainer()
            return try container.encode(text)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        guard worker.known != self else { return }
        try container.encode(text, forKey: .text)
        try container.encodeIfPresent(topology, forKey: .topology)
    }
}
