/// What two events have to have the same: a key of one, and a key of the other, most often by the same name.
package struct EventKeyPair: Codable, Hashable, Sendable {
    /// The key of the event that is looked at.
    package var key: EventKey
    /// The key of the event that it is held against.
    package var other: EventKey

    package init(_ key: EventKey, _ other: EventKey) { (self.key, self.other) = (key, other) }

    package init(_ key: EventKey) { self.init(key, key) }

    /// Its name in a file: `session-id`, or `peer-address = address`.
    package var name: String { key == other ? key.name : "\(key.name) = \(other.name)" }
}
