package import DeviceKit

/// Nearby Interaction on one device: owns all sessions, asks the radio, knows what the user allows and
/// whether the app is in the foreground.
package final class NearbyInteractionSystem {
    /// What Apple does not publish.
    package let parameters: NearbyInteractionParameters
    /// The rest of the system.
    package weak var surroundings: (any NearbyInteractionSurroundings)?
    /// Whether the app is in the foreground and the screen unlocked.
    package private(set) var isForeground = true
    /// Whether the system suspends all sessions.
    package private(set) var isSuspending = false
    /// Whether other apps use up all sessions.
    package var isExhausted = false
    /// The sessions that live, oldest first.
    package private(set) var sessions: [RangingSession] = []

    private weak var context: Context?
    private var lastOrdinal = 0
    private var lastHandle: UInt32 = 0
    private var released: [RangingSession] = []
    private var held: [() -> Void] = []
    private var permission: PermissionState

    /// What the user has said so far.
    private enum PermissionState {
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
        guard let system = Context.current.attachments[NearbyInteractionSystem.self] else {
            preconditionFailure("NISession works only on a simulated Apple device")
        }
        return system
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
        case .boot, .queue, .command, .bluetooth, .network: return false
        }
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

    private static let promptTimer = "ni/prompt"
    private static let permissionKey = "permission"
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
        for session in gone { remove(session) }
    }

    private func remove(_ session: RangingSession) {
        session.abandon()
        sessions.removeAll { $0 === session }
    }

    /// The app is gone, and its sessions with it.
    package func terminateApp() {
        held = []
        for session in sessions { remove(session) }
    }

    /// A handle that no other start of the radio has.
    func nextHandle() -> UInt32 {
        lastHandle += 1
        return lastHandle
    }

    /// What a measurement shows on this model.
    func visible(_ measurement: UWBMeasurement) -> UWBMeasurement {
        var visible = measurement
        if !parameters.capabilities.supportsDirectionMeasurement {
            visible.azimuth = nil
            visible.elevation = nil
        }
        return visible
    }
}

// The checks of a run.
extension NearbyInteractionSystem {
    /// What becomes of a run; nil where the user is to be asked first.
    func check(_ session: RangingSession) -> SessionAutomaton.Event? {
        guard parameters.capabilities.supportsPreciseDistanceMeasurement else {
            return .fail(.unsupportedPlatform)
        }
        guard parameters.hasUsageDescription else { return .fail(.userDidNotAllow) }
        let suspension = suspension(of: session)
        if let suspension, parameters.checkOrder == .backgroundFirst { return suspension }
        switch permission {
        case .determined(let isAllowed):
            guard isAllowed || parameters.has(.startsThoughDenied) else {
                return .fail(.userDidNotAllow)
            }
            return suspension ?? checkPeer(of: session)
        case .asking: return nil
        case .undetermined:
            if isForeground || parameters.backgroundPrompt == .shown { ask() }
            return nil
        }
    }

    /// The outcome of a run that may not start now.
    private func suspension(of session: RangingSession) -> SessionAutomaton.Event? {
        guard suspends(session), isSuspending || !parameters.has(.startsInBackground) else {
            return nil
        }
        return .suspend(isSystem: isSuspending)
    }

    private func checkPeer(of session: RangingSession) -> SessionAutomaton.Event {
        guard let run = session.current else { return .fail(.invalidConfiguration) }
        if run.configuration.radio == .incompatible {
            return .fail(parameters.unknownUWBVersion)
        }
        let others = sessions.count { $0 !== session && $0.isActive }
        guard !isExhausted, others < parameters.sessionLimit else {
            return .fail(.activeSessionsLimitExceeded)
        }
        guard let identifier = run.configuration.bluetoothPeerIdentifier else { return .cleared }
        guard let surroundings, let accessory = surroundings.address(of: identifier),
            surroundings.isPairedAndConnected(accessory)
        else { return .fail(.accessoryPeerDeviceUnavailable) }
        return .cleared
    }

    /// The accessory: whoever sent the data, else whom the app named.
    func accessory(of configuration: NINearbyAccessoryConfiguration) -> KnownAccessory? {
        surroundings?.sender(of: configuration.bytes)
            ?? configuration.bluetoothPeerIdentifier.flatMap {
                surroundings?.address(of: $0).map { .address($0) }
            }
    }

    /// Reads what the accessory's Nearby Interaction Service holds.
    func readConfigurations(
        for configuration: NINearbyAccessoryConfiguration,
        completion: @escaping ([[UInt8]]?) -> Void
    ) {
        guard let surroundings, let identifier = configuration.bluetoothPeerIdentifier,
            let accessory = surroundings.address(of: identifier)
        else { return completion(nil) }
        surroundings.readConfigurations(of: accessory, completion: completion)
    }
}

// What the user allows.
extension NearbyInteractionSystem {
    private func ask() {
        permission = .asking
        Context.current.observe(.systemPrompt)
        Context.current.setTimer(Self.promptTimer, after: parameters.promptDelay)
    }

    private func answerPrompt(isAllowed: Bool) {
        guard case .asking = permission else { return }
        setPermission(isAllowed: isAllowed)
    }

    /// The user answers the prompt, or changes the setting.
    ///
    /// It is kept beyond the device's death.
    package func setPermission(isAllowed: Bool) {
        if case .asking = permission { Context.current.cancelTimer(Self.promptTimer) }
        permission = .determined(isAllowed: isAllowed)
        Context.current.answer(.store(key: Self.permissionKey, value: [isAllowed ? 1 : 0]))
        Context.current.observe(
            .systemPermission, fields: [Field("answer", .text(isAllowed ? "allowed" : "denied"))])
        for session in sessions { permissionChanged(session, isAllowed: isAllowed) }
    }

    private func permissionChanged(_ session: RangingSession, isAllowed: Bool) {
        switch session.automaton.state {
        case .pending(.clearance, _): checkAgain(session)
        case .pending, .running:
            guard !isAllowed, !parameters.has(.ignoresDenial),
                parameters.withdrawnPermission == .invalidated
            else { break }
            session.handle(.fail(.userDidNotAllow))
        case .idle, .suspended, .suspendEnded, .removed, .paused, .invalid: break
        }
    }

    /// A prompt that waited for the foreground is shown.
    private func askLate() {
        guard case .undetermined = permission else { return }
        for session in sessions {
            if case .pending(.clearance, _) = session.automaton.state { checkAgain(session) }
        }
    }

    private func checkAgain(_ session: RangingSession) {
        if let event = check(session) { session.handle(event) }
    }
}

// Foreground, background and suspension.
extension NearbyInteractionSystem {
    /// The app enters or leaves the foreground; a locked screen is background.
    package func setForeground(_ isForeground: Bool) {
        self.isForeground = isForeground
        if isForeground { deliverHeld() }
        if !parameters.has(.ignoresBackground) { updateSuspension() }
        if isForeground { askLate() }
    }

    /// The system suspends all sessions, or ends that suspension.
    ///
    /// No session goes on by itself.
    package func setSuspending(_ isSuspending: Bool) {
        self.isSuspending = isSuspending
        updateSuspension()
    }

    private func updateSuspension() {
        for session in sessions {
            session.handle(
                suspends(session) ? .suspend(isSystem: isSuspending) : .suspensionEnded)
        }
    }

    private func suspends(_ session: RangingSession) -> Bool {
        isSuspending || (!isForeground && !session.isBackgroundCapable)
    }

    /// Whether the app gets a callback only when it is in the foreground again.
    ///
    /// A session that goes on in the background tells its app the outcome of a run, for the app is
    /// awake to have run it.
    func holdsBack(_ callback: SessionAutomaton.Callback, of session: RangingSession) -> Bool {
        guard !isForeground, session.isBackgroundCapable else { return false }
        switch callback {
        case .didStartRunning, .didGenerate: return false
        case .didUpdate, .didRemove, .wasSuspended, .suspensionEnded, .didInvalidate: return true
        }
    }

    func hold(_ callback: @escaping () -> Void) { held.append(callback) }

    private func deliverHeld() {
        let calls = held
        held = []
        for call in calls { call() }
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

    /// The radio learns in a round that the accessory has ended the session of this handle.
    package func endInBand(_ handle: UInt32) {
        if !parameters.has(.ignoresPeerEnd) { session(handle)?.handle(.peerEnded) }
    }

    /// The radio learns that accessories have ended their sessions.
    package func endPeer(_ accessory: KnownAccessory?) {
        for session in sessions where accessory == nil || session.accessory == accessory {
            session.handle(.peerEnded)
        }
    }
}
