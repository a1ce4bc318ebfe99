package import DeviceKit
import Vocabulary

/// Nearby Interaction on one device: owns all sessions, asks the radio, knows what the user allows and
/// whether the app is in the foreground.
package final class NearbyInteractionSystem {
    /// What Apple does not publish.
    package let parameters: NearbyInteractionParameters
    /// The rest of the system.
    package weak var surroundings: (any NearbyInteractionSurroundings)?
    /// Ends the app, without a word.
    package var endApp: () -> Void = {}
    /// The device's Bluetooth address, which is part of its tokens.
    package var address = Address(0)
    /// Whether the app is in the foreground and the screen unlocked.
    package internal(set) var isForeground = true
    /// Whether the system suspends all sessions.
    package internal(set) var isSuspending = false
    /// Whether Find My is in use, which wants what extended distance is measured with.
    package internal(set) var isFindMyInUse = false
    /// Whether other apps use up all sessions.
    package var isExhausted = false
    /// The sessions that live, oldest first.
    package private(set) var sessions: [RangingSession] = []

    /// Whether a defect that shows once has.
    private var hasGoneWrong = false

    private weak var context: Context?
    /// Tokens of sessions of which the radio has heard that they are over, the latest last.
    var endedTokens: [NIDiscoveryToken] = []
    private var lastOrdinal = 0
    private var lastHandle: UInt32 = 0
    private var released: [RangingSession] = []
    var held: [() -> Void] = []
    var permission: PermissionState

    /// What the user has said so far.
    enum PermissionState {
        case undetermined
        case asking
        case determined(isAllowed: Bool)
    }

    /// Nearby Interaction of one incarnation; `stored` is what earlier ones kept.
    ///
    /// `current` finds it on this context.
    package init(
        _ parameters: NearbyInteractionParameters, stored: [StoredPair], in context: Context
    ) {
        self.parameters = parameters
        self.context = context
        let answer = stored.first { $0.key == Self.permissionKey }?.value
        permission =
            switch (answer, parameters.permission) {
            case (.some(let answer), _): .determined(isAllowed: answer == [1])
            case (nil, .allowed): .determined(isAllowed: true)
            case (nil, .denied): .determined(isAllowed: false)
            case (nil, .askAllow), (nil, .askDeny): .undetermined
            }
        context.attachments[NearbyInteractionSystem.self] = self
    }

    /// The system of the device whose turn it is.
    package static var current: NearbyInteractionSystem {
        Context.attached(rule: "NISession works only on a simulated Apple device")
    }

    /// Takes an event of the radio, or a timer; false where it is none of its own.
    package func handle(_ event: DeviceEvent) -> Bool {
        switch event {
        case .uwb(let event):
            take(event)
            return true
        case .timer(Self.promptTimer):
            answerPrompt(isAllowed: parameters.permission == .askAllow)
            return true
        case .timer(let name): return take(timer: name)
        case .boot, .queue, .command, .bluetooth, .camera, .network: return false
        }
    }

    /// Whether an event has no effect, which is a defect; a missed round would be made good by the next one.
    func misses(_ event: SessionAutomaton.Event) -> Bool {
        if case .round = event { return false }
        return goesWrong(by: .missesAnEvent)
    }

    /// Says that its sessions have started, which is a defect; a measurement or a timer is no reason.
    package func callUnasked(at event: DeviceEvent) {
        switch event {
        case .uwb(.round), .timer: return
        case .boot, .uwb, .bluetooth, .network, .command, .camera, .queue: break
        }
        guard goesWrong(by: .callsAtAnEvent) else { return }
        for session in sessions { session.call(.didStartRunning) }
    }

    /// Whether the moment of a defect that shows once has come.
    private func goesWrong(by defect: SystemDefect) -> Bool {
        guard parameters.has(defect), !hasGoneWrong,
            let now = context?.now.nanoseconds, now >= parameters.systemWrongAfter
        else { return false }
        hasGoneWrong = true
        return true
    }

    private func take(_ event: UWBEvent) {
        switch event {
        case .started(let handle, let status): session(handle)?.handle(.radio(status: status))
        case .round(let handle, let measurement): session(handle)?.take(measurement)
        }
    }

    private func session(_ handle: UInt32) -> RangingSession? {
        sessions.first { $0.radio?.handle == handle }
    }

    private func take(timer name: String) -> Bool {
        let parts = name.split(separator: "/")
        guard parts.count == 3, parts[0] == "ni", let slot = Int(parts[1]),
            let timer = RangingSession.Timer(rawValue: String(parts[2]))
        else { return false }
        sessions.first { $0.slot == slot }?.comesDue(timer)
        return true
    }

    static let promptTimer = "ni/prompt"
    static let permissionKey = "permission"
}

// Sessions come and go.
extension NearbyInteractionSystem {
    /// A session that does nothing yet.
    func makeSession() -> RangingSession {
        lastOrdinal += 1
        let slots = sessions.map(\.slot)
        let slot = (0...slots.count).first { !slots.contains($0) } ?? slots.count
        let session = RangingSession(lastOrdinal, slot: slot, of: self)
        sessions.append(session)
        Context.current.observe(
            .niCreated, fields: [Field("ni-session", .number(Int64(lastOrdinal)))])
        return session
    }

    /// The app has let go of a session.
    ///
    /// When an object dies depends on the app's memory alone, so it takes effect at the end of the
    /// turn, oldest session first.
    func release(_ session: RangingSession) {
        released.append(session)
        guard released.count == 1 else { return }
        context?.atEndOfTurn { [weak self] in self?.endReleased() }
    }

    private func endReleased() {
        let gone = released.sorted { $0.ordinal < $1.ordinal }
        released = []
        for session in gone {
            session.noteRelease()
            remove(session)
        }
    }

    private func remove(_ session: RangingSession) {
        session.abandon()
        sessions.removeAll { $0 === session }
    }

    package func terminateApp() {
        held = []
        for session in sessions { remove(session) }
    }

    /// A handle that no other start of the radio has.
    func nextHandle() -> UInt32 {
        lastHandle += 1
        return lastHandle
    }
}

// What the script wants.
extension NearbyInteractionSystem {
    /// The system ends sessions with an error: those with this accessory, or all.
    package func invalidate(_ accessory: KnownAccessory?, with code: NIError.Code) {
        for session in sessions where accessory == nil || session.accessory == accessory {
            session.handle(.fail(code))
        }
    }

    /// The radio learns in a round that the peer has ended the session of this handle.
    package func endInBand(_ handle: UInt32) {
        if !parameters.has(.ignoresPeerEnd) { session(handle)?.handle(.peerEnded) }
    }
}
