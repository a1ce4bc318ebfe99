/// Values by the kind of an event, looked up for every event.
struct KindTable<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let kind: String
        let value: Value
    }

    /// In lots of which most have one kind: to compare it costs less than to hash one.
    private var lots: [[Entry]] = Array(repeating: [], count: 256)

    /// The lot of a kind, by its length and the byte in its middle.
    private static func lot(of kind: String) -> Int {
        let utf8 = kind.utf8
        let middle = utf8.withContiguousStorageIfAvailable { $0.isEmpty ? 0 : $0[$0.count / 2] }
        return (utf8.count &* 8 &+ Int(middle ?? 0)) & 255
    }

    /// The value of a kind; nil where it has none.
    subscript(kind: String) -> Value? {
        let lot = Self.lot(of: kind)
        for place in lots[lot].indices where lots[lot][place].kind == kind {
            return lots[lot][place].value
        }
        return nil
    }

    /// Gives a value to a kind that has none.
    mutating func insert(_ value: Value, for kind: String) {
        lots[Self.lot(of: kind)].append(Entry(kind: kind, value: value))
    }
}
