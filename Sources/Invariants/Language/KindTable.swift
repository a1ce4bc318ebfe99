/// Values by the kind of an event, looked up for every event.
struct KindTable<Value: Sendable>: Sendable {
    /// By the length of the kind: few kinds are equally long, and to compare them costs less than to
    /// hash one.
    private var values: [[(kind: String, value: Value)]] = []

    /// The value of a kind; nil where it has none.
    subscript(kind: String) -> Value? {
        let length = kind.utf8.count
        guard length < values.count else { return nil }
        for place in values[length].indices where values[length][place].kind == kind {
            return values[length][place].value
        }
        return nil
    }

    /// Gives a value to a kind that has none.
    mutating func insert(_ value: Value, for kind: String) {
        while values.count <= kind.utf8.count { values.append([]) }
        values[kind.utf8.count].append((kind, value))
    }
}
