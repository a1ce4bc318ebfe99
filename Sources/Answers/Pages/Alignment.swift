/// Two runs side by side: which event of the one stands beside which of the other.
struct Alignment: Equatable {
    /// Events that are beside each other, by their numbers, in both runs one after another.
    let pairs: [(one: Int, other: Int)]

    /// How many events from the first on are the same in both, at the same time.
    let common: Int

    static func == (left: Alignment, right: Alignment) -> Bool {
        left.common == right.common && left.pairs.elementsEqual(right.pairs, by: ==)
    }

    /// Aligns two runs by what their events say.
    ///
    /// The events that are the same from the beginning on are beside each other. Behind them the n-th event
    /// that says something is beside the n-th that says the same, as far as that keeps the sequence: of all ways
    /// to omit pairs that cross, the one that keeps most (patience diff).
    ///
    /// - Parameters:
    ///   - one: What each event of the one run says, without its time.
    ///   - other: The same of the other run.
    ///   - isSame: Whether the events at a place are equal in everything.
    init(_ one: [String], _ other: [String], isSame: (Int) -> Bool) {
        let shorter = min(one.count, other.count)
        let common = (0..<shorter).first { !isSame($0) } ?? shorter
        let candidates = Self.twins(one[common...], other[common...])
        self.common = common
        pairs = (0..<common).map { ($0, $0) } + Self.longestRise(candidates)
    }

    /// The n-th of one with the n-th of other, by the places in one.
    private static func twins(
        _ one: ArraySlice<String>, _ other: ArraySlice<String>
    ) -> [(one: Int, other: Int)] {
        var waiting: [String: [Int]] = [:]
        for place in other.indices.reversed() { waiting[other[place], default: []].append(place) }
        return one.indices.compactMap { place in
            waiting[one[place]]?.popLast().map { (place, $0) }
        }
    }

    /// The longest subsequence whose places in the other run rise.
    private static func longestRise(
        _ pairs: [(one: Int, other: Int)]
    ) -> [(one: Int, other: Int)] {
        // For each length the pair that ends such a subsequence with the least place.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].other < pair.other {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var rise: [(one: Int, other: Int)] = []
        var next = ends.last
        while let index = next {
            rise.append(pairs[index])
            next = before[index]
        }
        return rise.reversed()
    }
}
