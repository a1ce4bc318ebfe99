/// Slots in ascending order; most often there is one, which takes no memory of its own.
struct Slots: Equatable, Sequence, Sendable {
    private(set) var first: Int?
    private var others: [Int] = []

    init(_ slot: Int? = nil) { first = slot }

    var count: Int { (first == nil ? 0 : 1) + others.count }

    var isEmpty: Bool { first == nil }

    /// Takes one more, which it does not have.
    mutating func insert(_ slot: Int) {
        guard let least = first else { return first = slot }
        first = Swift.min(least, slot)
        let other = Swift.max(least, slot)
        others.insert(other, at: others.firstIndex { $0 > other } ?? others.endIndex)
    }

    /// Removes a slot where it is one of them.
    mutating func remove(_ slot: Int) {
        if slot != first {
            others.removeAll { $0 == slot }
        } else {
            first = others.isEmpty ? nil : others.removeFirst()
        }
    }

    struct Iterator: IteratorProtocol {
        fileprivate let slots: Slots
        private var place = 0

        fileprivate init(_ slots: Slots) { self.slots = slots }

        mutating func next() -> Int? {
            defer { place += 1 }
            if place == 0 { return slots.first }
            return place <= slots.others.count ? slots.others[place - 1] : nil
        }
    }

    func makeIterator() -> Iterator { Iterator(self) }
}
