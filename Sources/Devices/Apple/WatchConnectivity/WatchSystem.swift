package import DeviceKit

/// The pair of a phone and a watch, as the system of one of them knows it.
package final class WatchSystem {
    private let name: String
    private let companion: String?
    private var session: WCSession?

    /// That of one incarnation; `current` finds it on this context.
    package init(named name: String, companion: String?, in context: Context) {
        (self.name, self.companion) = (name, companion)
        context.attachments[WatchSystem.self] = self
    }

    private static var current: WatchSystem {
        Context.attached(rule: "Watch Connectivity works only on a simulated Apple device")
    }

    /// The one session of the app that runs.
    static var session: WCSession {
        if let session = current.session { return session }
        let session = WCSession(named: current.name, companion: current.companion)
        current.session = session
        return session
    }

    package func terminateApp() { session = nil }
}
