/// Hears of a session, on a queue of its own.
public protocol WCSessionDelegate: AnyObject {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
        error: (any Error)?)
    /// Never called here: a phone has one watch.
    func sessionDidBecomeInactive(_ session: WCSession)
    /// Never called here: a phone has one watch.
    func sessionDidDeactivate(_ session: WCSession)
    func sessionReachabilityDidChange(_ session: WCSession)
    func session(_ session: WCSession, didReceiveMessage message: [String: Any])
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void)
    func session(_ session: WCSession, didReceiveMessageData messageData: Data)
    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data,
        replyHandler: @escaping (Data) -> Void)
    func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any])
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any])
}

extension WCSessionDelegate {
    public func sessionDidBecomeInactive(_ session: WCSession) {}
    public func sessionDidDeactivate(_ session: WCSession) {}
    public func sessionReachabilityDidChange(_ session: WCSession) {}
    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {}
    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {}
    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {}
    public func session(
        _ session: WCSession, didReceiveMessageData messageData: Data,
        replyHandler: @escaping (Data) -> Void
    ) {}
    public func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) {
    }
    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {}
}

/// Whether a session can be used.
public enum WCSessionActivationState: Int, Sendable {
    case notActivated = 0
    case inactive = 1
    case activated = 2
}

/// Why something could not be sent.
public struct WCError: Error, Equatable, Sendable {
    public enum Code: Int, Sendable {
        case genericError = 7001
        case sessionNotActivated = 7004
        case notReachable = 7007
        case payloadTooLarge = 7009
        case payloadUnsupportedTypes = 7010
        case messageReplyTimedOut = 7012
        case deliveryFailed = 7014
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }
}
