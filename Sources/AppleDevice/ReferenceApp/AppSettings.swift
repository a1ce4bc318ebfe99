package import DeviceKit
package import Vocabulary

/// What a topology can set about the reference app.
package struct AppSettings: Equatable, Sendable {
    /// The name of a parameter, as a topology writes it.
    package enum Name: String, CaseIterable, Sendable {
        /// Names of accessories, comma-separated.
        case peers
        /// `true` or `false`.
        case autoStart = "auto-start"
        /// `true` or `false`.
        case backgroundSessions = "background-sessions"
        /// `main` or `own`.
        case sessionQueue = "session-queue"
        /// ns, 10 ms … 600 s.
        case requestTimeout = "request-timeout"
        /// How often the app tries before it gives up: 1 … 1000.
        case attempts
        /// ns, 0 … 600 s.
        case retryDelay = "retry-delay"
        /// ns, 0 … 600 s.
        case retryDelayMax = "retry-delay-max"
        /// ns, 0 … 600 s.
        case retryReset = "retry-reset"
        /// ns, 100 ms … 600 s.
        case lostAfter = "lost-after"
    }

    /// The accessories the app connects to; none means all.
    package private(set) var peers: [String] = []
    /// Whether ranging starts as soon as an accessory is subscribed.
    package private(set) var startsByItself = true
    /// Whether configurations are made with the accessory's Bluetooth identifier.
    package private(set) var usesBackgroundSessions = false
    /// Whether the sessions' callbacks come on a queue of their own.
    package private(set) var usesOwnQueue = false
    /// How long the app waits for the answer to a request, in seconds.
    package private(set) var requestTimeout = 3.0
    /// How often and when the app tries again.
    package private(set) var retries = RetryPolicy()
    /// A discovered accessory not heard for this long, in seconds, is dropped.
    package private(set) var lostAfter = 5.0
    /// The defects that are switched on.
    package private(set) var defects: [AppDefect] = []

    /// The settings of a launch.
    ///
    /// - Throws: `Refusal` where a value is none of its range.
    package init(_ launch: AppLaunch) throws(Refusal) {
        for pair in launch.parameters {
            if let name = Name(rawValue: pair.name) { try set(name, to: pair) }
        }
        defects = launch.defects.compactMap(AppDefect.init)
    }

    /// Whether a defect is switched on.
    package func has(_ defect: AppDefect) -> Bool { defects.contains(defect) }

    /// Whether the app is to connect to an accessory of this name.
    package func wants(_ name: String?) -> Bool {
        peers.isEmpty || name.map(peers.contains) == true
    }

    private mutating func set(_ name: Name, to pair: Pair) throws(Refusal) {
        let delay: ClosedRange<Nanoseconds> = 0 ... .seconds(600)
        switch name {
        case .peers: peers = pair.value.split(separator: ",").map(String.init)
        case .autoStart: startsByItself = try pair.flag()
        case .backgroundSessions: usesBackgroundSessions = try pair.flag()
        case .sessionQueue: usesOwnQueue = try pair.choice(of: [("main", false), ("own", true)])
        case .requestTimeout:
            requestTimeout = try pair.seconds(in: .milliseconds(10) ... .seconds(600))
        case .attempts: retries.attempts = Int(try pair.number(in: 1...1000))
        case .retryDelay: retries.firstDelay = try pair.seconds(in: delay)
        case .retryDelayMax: retries.longestDelay = try pair.seconds(in: delay)
        case .retryReset: retries.resetAfter = try pair.seconds(in: delay)
        case .lostAfter: lostAfter = try pair.seconds(in: .milliseconds(100) ... .seconds(600))
        }
    }
}

extension Pair {
    /// The seconds that the value is in nanoseconds.
    fileprivate func seconds(in range: ClosedRange<Nanoseconds>) throws(Refusal) -> Double {
        Double(try number(in: range)) / 1_000_000_000
    }
}
