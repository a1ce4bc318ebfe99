internal import DeviceLink

/// First in, first out, without moving what waits: what is taken is passed over, and the memory is kept
/// for what comes.
struct Queue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var start = 0

    var isEmpty: Bool { start == elements.count }

    /// The places of what waits, the first one first.
    var indices: Range<Int> { start..<elements.count }

    subscript(index: Int) -> Element {
        _read { yield elements[index] }
        _modify { yield &elements[index] }
    }

    /// The first one; there must be one.
    var first: Element { _read { yield elements[start] } }

    mutating func append(_ element: consuming Element) { elements.append(element) }

    /// Takes the first one; there must be one.
    mutating func takeFirst() -> Element {
        guard start < elements.count - 1 else {
            let last = elements.removeLast()
            elements.removeFew(start)
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
    private static var mostPassedOver: Int { 256 }

    /// Drops what waits.
    mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        start = 0
    }
}
