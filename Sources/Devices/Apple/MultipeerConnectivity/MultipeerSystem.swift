package import DeviceKit

/// What the system lets Multipeer do: nothing while the app is in the background, says Apple, and nothing where the user
/// does not let the app onto the local network.
package final class MultipeerSystem {
    private let dropsInBackground: Bool
    let isAllowed: Bool
    private var isForeground = true
    private var users: [Weak] = []

    private struct Weak { weak var user: (any MultipeerUser)? }

    /// That of one incarnation; `current` finds it on this context.
    package init(dropsInBackground: Bool, isAllowed: Bool, in context: Context) {
        self.dropsInBackground = dropsInBackground
        self.isAllowed = isAllowed
        context.attachments[MultipeerSystem.self] = self
    }

    static var current: MultipeerSystem {
        Context.attached(rule: "Multipeer works only on a simulated Apple device")
    }

    /// Whether anything is advertised, looked for and connected now.
    var isRunning: Bool { isForeground || !dropsInBackground }

    func add(_ user: any MultipeerUser) {
        users.removeAll { $0.user == nil }
        users.append(Weak(user: user))
    }

    /// The app has ended, though a global variable may hold somebody.
    package func terminateApp() { users = [] }

    /// The app enters or leaves the foreground.
    package func setForeground(_ isForeground: Bool) {
        let wasRunning = isRunning
        self.isForeground = isForeground
        guard isRunning != wasRunning else { return }
        for user in users { user.user?.multipeerChanged(isRunning: isRunning) }
    }
}

/// Somebody who stops in the background.
protocol MultipeerUser: AnyObject {
    func multipeerChanged(isRunning: Bool)
}

extension NSError {
    /// What is reported in the field where the app lacks the right to use the local network, or has not declared its type
    /// of service: `NSNetServicesErrorDomain`, -72008.
    static let localNetworkDenied = NSError(domain: "NSNetServicesErrorDomain", code: -72008)
}
