package import DeviceLink

/// How an accessory speaks where R4 leaves that to its maker (3.2): what an app that is made for it knows.
package struct AccessoryManner: Equatable, Sendable {
    /// Whether configuration data comes only when `initialize` asks for it; else it comes when an app subscribes.
    package var asksFirst: Bool
    /// How long it may take over an answer; nil where its maker does not say.
    package var answersWithin: Nanoseconds?

    /// The manner of the vendors' guide, unless something else is said.
    package init(asksFirst: Bool = true, answersWithin: Nanoseconds? = nil) {
        self.asksFirst = asksFirst
        self.answersWithin = answersWithin
    }
}
