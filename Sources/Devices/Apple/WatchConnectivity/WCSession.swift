import DeviceKit

/// What an app on a phone and its counterpart on the phone's watch send each other.
///
/// Which two devices are a pair the topology says, by `companion` of the watch. The delegate is called on a serial queue
/// of the session's own, never on the main queue.
public final class WCSession {
    /// The one session of the app.
    public static var `default`: WCSession { WatchSystem.session }

    public static func isSupported() -> Bool { true }

    public weak var delegate: (any WCSessionDelegate)?
    public private(set) var activationState = WCSessionActivationState.notActivated
    /// Whether the two have been connected since the app was launched.
    public private(set) var isPaired = false
    /// Whether messages arrive now.
    public var isReachable: Bool { connection?.state == .open }
    public var isWatchAppInstalled: Bool { isPaired }
    public var isCompanionAppInstalled: Bool { isPaired }
    /// What was set last, to be there when the counterpart comes.
    public private(set) var applicationContext: [String: Any] = [:]
    /// What the counterpart has set last.
    public private(set) var receivedApplicationContext: [String: Any] = [:]

    private let name: String
    /// The phone of this watch; nil on a phone.
    private let companion: String?
    private let queue = DispatchQueue(label: "com.apple.WCSession.callback")
    private var browser: NetworkBrowser?
    private var connection: NetworkConnection?
    /// What waits for the counterpart, in its sequence.
    private var waiting: [[UInt8]] = []
    private var lastQuestion: UInt32 = 0
    private var questions: [UInt32: (reply: ((WatchMessage) -> Void)?, fail: (any Error) -> Void)] =
        [:]

    private static let serviceType = "_watch-connectivity._tcp"
    /// How long a watch waits before it tries again, in seconds; unpublished.
    private static let retryDelay = 1.0

    init(named name: String, companion: String?) {
        (self.name, self.companion) = (name, companion)
    }

    /// Begins to look for the counterpart.
    public func activate() {
        guard activationState == .notActivated else { return }
        activationState = .activated
        if let companion {
            browser = NetworkHost.current.browse(type: Self.serviceType) {
                [weak self] service, _, _ in
                if service.name == companion { self?.connect(to: service) }
            } lost: { _, _ in
            }
        } else {
            NetworkHost.current.publish(
                NetworkService(type: Self.serviceType, name: name)
            ) { [weak self] in self?.use($0) }
        }
        tell { $1.session($0, activationDidCompleteWith: .activated, error: nil) }
    }

    private func connect(to service: NetworkService) {
        guard connection == nil else { return }
        use(NetworkHost.current.open(service))
        connection?.didOpen = { [weak self] in self?.opened() }
        let next = connection?.didEnd
        connection?.didEnd = { [weak self] end in
            next?(end)
            Timer.scheduledTimer(withTimeInterval: Self.retryDelay, repeats: false) {
                [weak self] _ in self?.connect(to: service)
            }
        }
    }

    private func use(_ connection: NetworkConnection) {
        self.connection?.close()
        self.connection = connection
        connection.didReceive = { [weak self] in self?.received($0) }
        connection.didEnd = { [weak self] _ in self?.ended(connection) }
        if connection.state == .open { opened() }
    }

    private func opened() {
        isPaired = true
        tell { $1.sessionReachabilityDidChange($0) }
        let all = waiting
        waiting = []
        for message in all { connection?.send(message) }
    }

    private func ended(_ connection: NetworkConnection) {
        guard self.connection === connection else { return }
        self.connection = nil
        let failed = questions.sorted { $0.key < $1.key }
        questions = [:]
        for (_, question) in failed { fail(question.fail, .deliveryFailed) }
        tell { $1.sessionReachabilityDidChange($0) }
    }

    // MARK: Sending

    /// Sends a dictionary of property-list values now; an answer is awaited where there is a handler.
    public func sendMessage(
        _ message: [String: Any], replyHandler: (([String: Any]) -> Void)?,
        errorHandler: ((any Error) -> Void)? = nil
    ) {
        let reply = replyHandler.map { handler in
            { (answer: WatchMessage) in
                if case .pairs(let pairs) = answer.body { handler(pairs) }
            }
        }
        ask(.pairs(message), reply, errorHandler)
    }

    /// Sends data now; an answer is awaited where there is a handler.
    public func sendMessageData(
        _ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)? = nil
    ) {
        let reply = replyHandler.map { handler in
            { (answer: WatchMessage) in
                if case .data(let data) = answer.body { handler(data) }
            }
        }
        ask(.data(data), reply, errorHandler)
    }

    private func ask(
        _ body: WatchMessage.Body, _ reply: ((WatchMessage) -> Void)?,
        _ failed: ((any Error) -> Void)?
    ) {
        let failed = failed ?? { _ in }
        guard activationState == .activated else { return fail(failed, .sessionNotActivated) }
        guard isReachable, let connection else { return fail(failed, .notReachable) }
        lastQuestion += 1
        let kind: WatchMessage.Kind = reply == nil ? .message : .question
        let message = WatchMessage(kind, number: lastQuestion, body)
        guard let bytes = message.bytes else { return fail(failed, .payloadUnsupportedTypes) }
        guard bytes.count <= LinkLimits.block else { return fail(failed, .payloadTooLarge) }
        if reply != nil { questions[lastQuestion] = (reply, failed) }
        connection.send(bytes)
    }

    /// Sets what the counterpart finds when it is there; only the latest counts.
    ///
    /// - Throws: `WCError` where it is no property list or too long, or the session is not activated.
    public func updateApplicationContext(_ context: [String: Any]) throws {
        try later(.context, context, replacing: true)
        applicationContext = context
    }

    /// Sends a dictionary as soon as the counterpart is there, each in its turn.
    public func transferUserInfo(_ userInfo: [String: Any] = [:]) {
        try? later(.userInfo, userInfo, replacing: false)
    }

    private func later(
        _ kind: WatchMessage.Kind, _ pairs: [String: Any], replacing isReplacing: Bool
    ) throws {
        guard activationState == .activated else { throw WCError(.sessionNotActivated) }
        guard let bytes = WatchMessage(kind, .pairs(pairs)).bytes else {
            throw WCError(.payloadUnsupportedTypes)
        }
        guard bytes.count <= LinkLimits.block else { throw WCError(.payloadTooLarge) }
        if isReachable { return connection?.send(bytes) ?? () }
        if isReplacing { waiting.removeAll { $0.first == bytes.first } }
        waiting.append(bytes)
    }

    // MARK: Receiving

    private func received(_ bytes: [UInt8]) {
        guard let message = WatchMessage(bytes) else { return }
        switch (message.kind, message.body) {
        case (.answer, _):
            guard let question = questions.removeValue(forKey: message.number) else { return }
            queue.post { question.reply?(message) }
        case (.message, .pairs(let pairs)): tell { $1.session($0, didReceiveMessage: pairs) }
        case (.message, .data(let data)): tell { $1.session($0, didReceiveMessageData: data) }
        case (.question, .pairs(let pairs)):
            tell { session, delegate in
                delegate.session(session, didReceiveMessage: pairs) { [weak session] in
                    session?.answer(message.number, .pairs($0))
                }
            }
        case (.question, .data(let data)):
            tell { session, delegate in
                delegate.session(session, didReceiveMessageData: data) { [weak session] in
                    session?.answer(message.number, .data($0))
                }
            }
        case (.context, .pairs(let pairs)):
            receivedApplicationContext = pairs
            tell { $1.session($0, didReceiveApplicationContext: pairs) }
        case (.userInfo, .pairs(let pairs)): tell { $1.session($0, didReceiveUserInfo: pairs) }
        case (.context, .data), (.userInfo, .data): break
        }
    }

    private func answer(_ number: UInt32, _ body: WatchMessage.Body) {
        guard let bytes = WatchMessage(.answer, number: number, body).bytes else { return }
        connection?.send(bytes)
    }

    private func tell(_ body: @escaping (WCSession, any WCSessionDelegate) -> Void) {
        queue.post { [weak self] in
            if let self, let delegate { body(self, delegate) }
        }
    }

    private func fail(_ handler: @escaping (any Error) -> Void, _ code: WCError.Code) {
        queue.post { handler(WCError(code)) }
    }
}
