/// Values by the kind of an event.
struct KindTable<Value: Sendable>: Sendable {
    private struct Key: Hashable {
        let kind: String

        func hash(into hasher: inout Hasher) {
            var mixed: UInt64 = 0
            mixed.mix(kind)
            hasher.combine(mixed)
        }
    }

    private var values: [Key: Value] = [:]

    subscript(kind: String) -> Value? {
        get { values[Key(kind: kind)] }
        set { values[Key(kind: kind)] = newValue }
    }
}
