/// First in, first out, without moving what waits: what is taken is passed over, and capacity is kept
/// for what comes.
@frozen
public struct Queue<Element: Sendable>: Sendable {
    @usableFromInline var elements: [Element] = []
    @usableFromInline var start = 0

    /// One in which nothing waits.
    @inlinable public init() {}

    @inlinable public var isEmpty: Bool { start == elements.count }

    /// The places of what waits, the first one first.
    @inlinable public var indices: Range<Int> { start..<elements.count }

    /// What waits at a place.
    @inlinable
    public subscript(index: Int) -> Element {
        _read { yield elements[index] }
        _modify { yield &elements[index] }
    }

    /// The first one; there must be one.
    @inlinable public var first: Element { _read { yield elements[start] } }

    /// Lets an element wait behind all others.
    @inlinable public mutating func append(_ element: consuming Element) {
        elements.append(element)
    }

    /// Takes the first one; there must be one.
    @inlinable
    public mutating func takeFirst() -> Element {
        guard start < elements.count - 1 else {
            let last = elements.removeLast()
            // One by one, which keeps the memory.
            for _ in 0..<start { elements.removeLast() }
            start = 0
            return last
        }
        let first = elements[start]
        start += 1
        if start == Self.mostPassedOver {
            elements.removeFirst(start)
            start = 0
        }
        return first
    }

    /// A queue that is never empty would grow for ever.
    @inlinable static var mostPassedOver: Int { 256 }

    /// Drops what waits; the capacity is kept.
    @inlinable
    public mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        start = 0
    }
}
