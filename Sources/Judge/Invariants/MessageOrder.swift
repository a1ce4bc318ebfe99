import Basics
package import DeviceLink
package import Monitors
package import Promises
package import Traces

/// On every link, messages come in the order of the protocol.
///
/// Judged is what a device sends, by what it had sent and received on that link before:
///
/// 1. The accessory sends configuration data once for each `initialize`, unless it sends it by itself, which R4 leaves
///    to its maker (3.2); then an app need not ask either.
/// 2. The app sends `configureAndStart` for configuration data that it received after its latest
///    `initialize` had left, or so shortly before that the app could not know of it yet. (Which of
///    two requests an answer belongs to, no message tells.) A `stop` ends what it may answer.
/// 3. The accessory sends `accessoryUwbDidStart` once for each `configureAndStart`.
/// 4. The accessory sends `accessoryUwbDidStop` as the answer to a request, or once for a session that
///    was configured.
///
/// A message that a fault has spoilt is not held against its sender, and whoever received one may
/// answer as he likes.
package struct MessageOrder: Promise {
    package static let about = PromiseDescription(
        .messageOrder,
        clause: "R4 2.3, 3.5.1 and 3.6.1; message ids of the vendors' protocol",
        sentence:
            "On every link, initialize, configuration data, configureAndStart, DidStart, stop "
            + "and DidStop come in this order, and none without the one it answers.",
        keeper: .link)

    package static let kinds: [EventKind] = [
        .msgInitializeSent, .msgInitializeReceived, .msgStopSent,
        .msgConfigureAndStartSent, .msgConfigureAndStartReceived, .msgStopReceived,
        .msgAccessoryConfigurationDataSent, .msgAccessoryConfigurationDataReceived,
        .msgAccessoryUwbDidStartSent, .msgAccessoryUwbDidStopSent,
        .msgMalformedSent, .msgMalformedReceived, .userStop, .uwbEnded,
    ]

    /// What a device may still answer on one link, and what that rests on.
    private struct Conversation {
        // At the app.
        var initialized: Citation?
        /// A fault has changed what the app sent, which may have been anything.
        var isGarbled = false
        var isAnswered = false
        var stopped: Citation?
        /// Configuration data that arrived and has not been answered.
        var unused: Citation?
        // At the accessory.
        /// The `initialize`s without an answer, by their numbers in the trace.
        var initializes: [UInt64] = []
        /// The `configureAndStart`s without an answer, likewise.
        var starts: [UInt64] = []
        var stops = 0
        var isConfigured = false
        /// When it was last asked to start, by its number in the trace.
        var begun: UInt64 = 0
        /// Spoilt messages received: each allows any one answer.
        var wildcards = 0
        var lastRequest: Citation?
        var lastAnswer: Citation?

        /// Configuration data answers the first `initialize`, and ends the session before.
        ///
        /// A `configureAndStart` that came after that, for the configuration data of an earlier one, still
        /// waits for its own answer.
        mutating func configurationMayGo() -> Bool {
            let answered = initializes.isEmpty ? nil : initializes.removeFirst()
            starts.removeAll { $0 < answered ?? .max }
            isConfigured = !starts.isEmpty
            return answered != nil
        }

        /// DidStart answers one `configureAndStart`.
        mutating func didStartMayGo() -> Bool { Self.answer(&starts) }

        private static func answer(_ requests: inout [UInt64]) -> Bool {
            if requests.isEmpty { return false }
            requests.removeFirst()
            return true
        }

        /// DidStop answers a `stop`, or ends what was configured, or refuses an `initialize`.
        mutating func didStopMayGo() -> Bool {
            defer { isConfigured = false }
            if stops > 0 {
                stops -= 1
                return true
            }
            return Self.answer(&starts) || isConfigured || Self.answer(&initializes)
        }
    }

    package private(set) var record = Record()
    private let settling: Bound
    /// When a device last had a reason of its own to end a session, its button or what its radio heard, by its number in
    /// the trace.
    private var ends: SmallMap<String, UInt64> = [:]
    private var conversations = BoundedMap<Int64, Conversation>(capacity: 1_024)

    /// A monitor that allows `settling` for an app to learn what its host received.
    package init(settling: Nanoseconds = .seconds(1)) {
        self.settling = Bound(
            "settling", settling,
            origin: "what Bluetooth received waits for its queue delay before the app is called")
    }

    package var bounds: [Bound] { [settling] }

    package mutating func observe(_ event: TraceEvent, in scene: Scene) {
        guard let link = event.link else {
            if [.userStop, .uwbEnded].contains(event.kind) { ends[event.device] = event.number }
            return
        }
        var conversation = conversations[link] ?? Conversation()
        switch event.kind {
        case .msgInitializeSent: initializeSent(event, in: &conversation)
        case .msgMalformedSent: if event.isSpoilt { conversation.isGarbled = true }
        case .msgStopSent: conversation.stopped = Citation(event)
        case .msgConfigureAndStartSent: configureSent(event, in: &conversation, of: scene)
        case .msgAccessoryConfigurationDataReceived:
            conversation.unused = Citation(event)
            conversation.isAnswered = true
        case .msgAccessoryConfigurationDataSent, .msgAccessoryUwbDidStartSent,
            .msgAccessoryUwbDidStopSent:
            answer(event, in: &conversation, of: scene)
        default: requestReceived(event, in: &conversation)
        }
        conversations.set(link, to: conversation)
    }

    // MARK: The app

    private func initializeSent(_ event: TraceEvent, in conversation: inout Conversation) {
        conversation.initialized = Citation(event)
        conversation.stopped = nil
        conversation.isAnswered =
            conversation.unused.map { event.time < $0.time + settling.value } ?? false
    }

    private mutating func configureSent(
        _ event: TraceEvent, in conversation: inout Conversation, of scene: Scene
    ) {
        defer { conversation.unused = nil }
        guard !event.isSpoilt else { return record.excuse() }
        if let peer = event.peer, scene.sendsUnasked(peer) { return record.excuse() }
        record.exercise()
        guard let initialized = conversation.initialized else {
            if conversation.isGarbled { return record.excuse() }
            return violate(
                event, citing: [],
                saying: "\(event.device) sent configureAndStart without an initialize")
        }
        if scene.link(event.link)?.requests.mayHaveWaited(since: initialized.number, until: event)
            == true
        {
            // Both waited in the host: nobody outside knows when the app wrote which.
            return record.excuse()
        }
        if let stopped = conversation.stopped {
            return violate(
                event, citing: [initialized, stopped],
                saying:
                    "\(event.device) sent configureAndStart although it had stopped that session at "
                    + "\(stopped.time.seconds)")
        }
        guard conversation.isAnswered else {
            return violate(
                event, citing: [initialized],
                saying: "\(event.device) sent configureAndStart although its initialize of "
                    + "\(initialized.time.seconds) had not been answered")
        }
    }

    // MARK: The accessory

    private func requestReceived(_ event: TraceEvent, in conversation: inout Conversation) {
        if event.isSpoilt { conversation.wildcards += 1 }
        switch event.kind {
        case .msgInitializeReceived: conversation.initializes.append(event.number)
        case .msgConfigureAndStartReceived:
            conversation.starts.append(event.number)
            conversation.begun = event.number
            conversation.isConfigured = true
        case .msgStopReceived: conversation.stops += 1
        default: return
        }
        conversation.lastRequest = Citation(event)
    }

    private mutating func answer(
        _ event: TraceEvent, in conversation: inout Conversation, of scene: Scene
    ) {
        guard !event.isSpoilt else { return record.excuse() }
        record.exercise()
        let isAllowed =
            switch event.kind {
            case .msgAccessoryConfigurationDataSent: conversation.configurationMayGo()
            case .msgAccessoryUwbDidStartSent: conversation.didStartMayGo()
            default: conversation.didStopMayGo()
            }
        if !isAllowed {
            let isUnasked =
                event.kind == .msgAccessoryConfigurationDataSent
                && scene.sendsUnasked(event.device)
            if isUnasked || isOfItsOwn(event, in: conversation) {
                record.excuse()
            } else if conversation.wildcards > 0 {
                conversation.wildcards -= 1
                record.excuse()
            } else {
                complain(about: event, in: conversation)
            }
        }
        conversation.lastAnswer = Citation(event)
    }

    /// Whether a `stop` that came while the accessory ended the session by itself, or before it knew the reason, has an
    /// answer of its own.
    private func isOfItsOwn(_ event: TraceEvent, in conversation: Conversation) -> Bool {
        guard event.kind == .msgAccessoryUwbDidStopSent, let end = ends[event.device],
            let request = conversation.lastRequest, let answer = conversation.lastAnswer
        else { return false }
        return request.kind.hasPrefix("msg.stop") && conversation.begun < end
            && end < answer.number
    }

    private mutating func complain(about event: TraceEvent, in conversation: Conversation) {
        let (name, wanted) =
            switch event.kind {
            case .msgAccessoryConfigurationDataSent: ("configuration data", "initialize")
            case .msgAccessoryUwbDidStartSent: ("accessoryUwbDidStart", "configureAndStart")
            default: ("accessoryUwbDidStop", "request, and no session that was configured,")
            }
        var sentence = "\(event.device) sent \(name) although there was no \(wanted) to answer"
        var cited: [Citation] = []
        if let request = conversation.lastRequest {
            let words = request.kind.split(separator: ".")
            sentence += "; the last request was \(words[1]) at \(request.time.seconds)"
            cited.append(request)
        }
        if let answer = conversation.lastAnswer, answer.number > cited.first?.number ?? 0 {
            cited.append(answer)
        }
        violate(event, citing: cited, saying: sentence)
    }

    private mutating func violate(
        _ event: TraceEvent, citing cited: [Citation], saying what: String
    ) {
        record.violate(
            Violation(
                promise: Self.about.id, device: event.device, time: event.time,
                key: "\(event.device) – \(event.peer ?? "?"), link \(event.link ?? 0)",
                sentence: "At \(event.time.seconds) \(what).",
                events: cited + [Citation(event)]))
    }
}
