/// A map of few keys, as most are: they are compared one by one, which costs less than to hash one, until
/// they are many.
@frozen
public struct SmallMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// So many are a few.
    @inlinable static var few: Int { 8 }

    /// A key and its value.
    @frozen
    public struct Entry: Sendable {
        public let key: Key
        public var value: Value

        @inlinable init(key: Key, value: Value) { (self.key, self.value) = (key, value) }
    }

    @inlinable public init() {}

    @usableFromInline var entries: [Entry] = []
    /// Where the keys stand, while they are many; looked up only.
    @usableFromInline var places: [Key: Int] = [:]

    /// As in a dictionary.
    @inlinable public var isEmpty: Bool { entries.isEmpty }
    /// As in a dictionary.
    @inlinable public var count: Int { entries.count }
    /// As in a dictionary.
    @inlinable public var keys: [Key] { entries.map(\.key) }

    /// Where a key stands until the next one is taken in or removed; nil where it is none of them.
    @inlinable public func place(of key: Key) -> Int? {
        guard places.isEmpty else { return places[key] }
        for place in entries.indices where entries[place].key == key { return place }
        return nil
    }

    /// The value of the key at a place.
    @inlinable public subscript(at place: Int) -> Value {
        _read { yield entries[place].value }
        _modify { yield &entries[place].value }
    }

    /// The value of a key; nil where it has none.
    @inlinable public subscript(key: Key) -> Value? {
        get {
            guard let place = place(of: key) else { return nil }
            return entries[place].value
        }
        set {
            guard let newValue else { return _ = removeValue(forKey: key) }
            set(key, to: newValue)
        }
    }

    /// The value of a key, which gets one where it has none.
    @inlinable public subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
        get { self[key] ?? value() }
        _modify {
            let place = place(of: key) ?? append(key, value: value())
            yield &entries[place].value
        }
    }

    /// Gives a key a value; returns whether it had none.
    @discardableResult
    @inlinable public mutating func set(_ key: Key, to value: Value) -> Bool {
        if let place = place(of: key) {
            entries[place].value = value
            return false
        }
        append(key, value: value)
        return true
    }

    /// Removes a key; returns the value that it had.
    @discardableResult
    @inlinable public mutating func removeValue(forKey key: Key) -> Value? {
        guard let place = place(of: key) else { return nil }
        let isIndexed = !places.isEmpty
        if isIndexed { places[key] = nil }
        let last = entries.removeLast()
        guard place < entries.count else { return last.value }
        let removed = entries[place].value
        entries[place] = last
        if isIndexed { places[last.key] = place }
        return removed
    }

    /// Removes all keys; capacity is kept.
    @inlinable public mutating func removeAll() {
        guard !entries.isEmpty else { return }
        entries.removeAll(keepingCapacity: true)
        if !places.isEmpty { places.removeAll(keepingCapacity: true) }
    }

    /// Removes the entries that a predicate names.
    @inlinable public mutating func removeAll(where isMeant: (Entry) -> Bool) {
        guard entries.contains(where: isMeant) else { return }
        entries.removeAll(where: isMeant)
        places = [:]
        if entries.count > Self.few { index() }
    }

    @discardableResult @inlinable
    mutating func append(_ key: Key, value: Value) -> Int {
        let place = entries.count
        entries.append(Entry(key: key, value: value))
        if !places.isEmpty { places[key] = place } else if entries.count > Self.few { index() }
        return place
    }

    @inlinable mutating func index() {
        for place in entries.indices { places[entries[place].key] = place }
    }
}

extension SmallMap: Sequence {
    /// In the order in which the keys came, as long as none is removed.
    @inlinable public func makeIterator() -> IndexingIterator<[Entry]> { entries.makeIterator() }
}

extension SmallMap: ExpressibleByDictionaryLiteral {
    /// A map of these, of which the last one counts where a key stands twice.
    @inlinable public init(dictionaryLiteral elements: (Key, Value)...) {
        for (key, value) in elements { set(key, to: value) }
    }
}
