package import AccessoryProtocol
package import DeviceKit
import NearbyInteraction
package import Vocabulary

/// What a topology can set about the reference app, each as the row of `AppParameter` says that it begins with; times are
/// in seconds.
package struct AppSettings: Equatable, Sendable {
    /// The accessories the app connects to; none means all.
    package private(set) var peers: [String] = []
    package private(set) var rangesWith: AppParameter.Partners = AppParameter.rangesWith.standard()
    package private(set) var usesExtendedDistance: Bool = AppParameter.extendedDistance.standard()
    package private(set) var camera: AppParameter.Camera = AppParameter.camera.standard()
    package private(set) var transport = AppParameter.transport.standard(of: transports)
    package private(set) var services: [MessageService] = [.qorvo, .nordicUART]
    package private(set) var startsByItself: Bool = AppParameter.autoStart.standard()
    package private(set) var usesBackgroundSessions: Bool = AppParameter.backgroundSessions
        .standard()
    package var pairs: Bool = AppParameter.pairs.standard()
    package private(set) var usesOwnQueue = AppParameter.sessionQueue.standard(of: queues)
    package private(set) var asksFirst: Bool = AppParameter.asksFirst.standard()
    package private(set) var requestTimeout = AppParameter.requestTimeout.seconds
    /// How often and when the app tries again.
    package private(set) var retries = RetryPolicy()
    package private(set) var lostAfter = AppParameter.lostAfter.seconds
    package private(set) var appWrongAfter = AppParameter.appWrongAfter.seconds
    package private(set) var defects: [AppDefect] = []

    private static let transports = DataLinkTransport.allCases.map { ($0.rawValue, $0) }
    /// What the words of `session-queue` stand for: whether the queue is a session's own.
    private static let queues = [("main", false), ("own", true)]

    // What the rows say; made once, because every launch begins with it. An initialiser would make it
    // again before it copied this one, so a function gives settings.
    private static let standard = Self()

    private init() {}

    /// The settings of a launch.
    ///
    /// - Throws: `Refusal` where a value is none of its range.
    package static func read(_ launch: AppLaunch) throws(Refusal) -> Self {
        var settings = standard
        for pair in launch.parameters {
            if let parameter = AppParameter(rawValue: pair.name) {
                try settings.set(parameter, to: pair)
            } else if pair.name == MessageService.parameter {
                settings.services += try services(pair)
            }
        }
        settings.defects = launch.defects.compactMap(AppDefect.init)
        return settings
    }

    private static func services(_ pair: Pair) throws(Refusal) -> [MessageService] {
        var services: [MessageService] = []
        for text in pair.value.split(separator: ",") {
            guard let service = MessageService(String(text)) else {
                throw Refusal(
                    "parameter \(pair.name) cannot be \(text); expected: "
                        + "SERVICE/RECEIVE/TRANSMIT, and numbers of messages like /stop=28")
            }
            services.append(service)
        }
        return services
    }

    /// Whether the camera is to assist its sessions, which not every device can.
    var usesCamera: Bool {
        camera != .none && NISession.deviceCapabilities.supportsCameraAssistance
    }

    package func has(_ defect: AppDefect) -> Bool { defects.contains(defect) }

    /// Whether the app is to connect to an accessory of this name.
    package func wants(_ name: String?) -> Bool {
        peers.isEmpty || name.map(peers.contains) == true
    }

    private mutating func set(_ parameter: AppParameter, to pair: Pair) throws(Refusal) {
        func number() throws(Refusal) -> UInt64 { try pair.number(in: parameter.range) }
        func seconds() throws(Refusal) -> Double { AppParameter.seconds(try number()) }
        switch parameter {
        case .peers: peers = pair.value.split(separator: ",").map(String.init)
        case .rangesWith: rangesWith = try pair.choice()
        case .extendedDistance: usesExtendedDistance = try pair.flag()
        case .camera: camera = try pair.choice()
        case .transport: transport = try pair.choice(of: Self.transports)
        case .autoStart: startsByItself = try pair.flag()
        case .backgroundSessions: usesBackgroundSessions = try pair.flag()
        case .pairs: pairs = try pair.flag()
        case .sessionQueue: usesOwnQueue = try pair.choice(of: Self.queues)
        case .asksFirst: asksFirst = try pair.flag()
        case .requestTimeout: requestTimeout = try seconds()
        case .attempts: retries.attempts = Int(try number())
        case .retryDelay: retries.firstDelay = try seconds()
        case .retryDelayMax: retries.longestDelay = try seconds()
        case .retryReset: retries.resetAfter = try seconds()
        case .lostAfter: lostAfter = try seconds()
        case .appWrongAfter: appWrongAfter = try seconds()
        }
    }
}

// An app counts time in seconds, as Apple's API does.
extension AppParameter {
    /// The default of a duration, in seconds.
    var seconds: Double { Self.seconds(standard()) }

    fileprivate static func seconds(_ time: Nanoseconds) -> Double {
        Double(time) / 1_000_000_000
    }
}
