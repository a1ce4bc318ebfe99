/// The part of a campaign that one machine plays: the first of `of` is 1.
///
/// A campaign consists of strands, whatever the number of machines, and a shard of every so-many-th strand. What
/// mutates failures takes them from its own strand, so that all shards together are the campaign of one machine.
package struct Shard: Codable, Equatable, Sendable {
    package let number: Int
    package let of: Int

    /// How many strands a campaign has, and so the most shards.
    package static let most = 64

    /// The whole.
    package static let all = Shard(number: 1, of: 1)

    private init(number: Int, of: Int) { (self.number, self.of) = (number, of) }

    /// From `2/8`; nil for what is no part of at most ``most``.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let of = parts[1],
            (1...Self.most).contains(of), (1...of).contains(number)
        else { return nil }
        self.init(number: number, of: of)
    }

    func has(strand: Int) -> Bool { strand % of == number - 1 }

    package var text: String { "\(number)/\(of)" }
}
