/// The part of a campaign that one machine plays: the first of `of` is 1.
///
/// What can be played by itself has a number: a strand of a soak, whose mutations take failures from the same strand,
/// or a lot of an exploration. A shard has every so-many-th of them, so that all shards together are the campaign of
/// one machine.
package struct Shard: Codable, Equatable, Sendable {
    package let number: Int
    package let of: Int

    /// The most shards, and how many strands a soak has.
    package static let most = 64

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

    package func has(_ place: Int) -> Bool { place % of == number - 1 }

    package var text: String { "\(number)/\(of)" }
}
