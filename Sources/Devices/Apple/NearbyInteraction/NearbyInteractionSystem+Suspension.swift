package import DeviceKit

// Foreground, background and suspension.
extension NearbyInteractionSystem {
    /// The app enters or leaves the foreground; a locked screen is background.
    package func setForeground(_ isForeground: Bool) {
        self.isForeground = isForeground
        if isForeground { deliverHeld() }
        if !parameters.has(.ignoresBackground) { updateSuspension() }
        for session in sessions { session.updateStride() }
        if isForeground { askLate() }
    }

    /// The system suspends all sessions, or ends that suspension.
    ///
    /// No session goes on by itself.
    package func setSuspending(_ isSuspending: Bool) {
        self.isSuspending = isSuspending
        updateSuspension()
    }

    /// Find My comes into use, or is left: it takes what extended distance is measured with (Apple, *Extending advanced
    /// direction finding and ranging*).
    package func setFindMy(isInUse: Bool) {
        isFindMyInUse = isInUse
        if !parameters.has(.ignoresFindMy) { updateSuspension() }
    }

    private func updateSuspension() {
        for session in sessions {
            session.handle(
                suspends(session)
                    ? .suspend(isSystem: systemSuspends(session)) : .suspensionEnded)
        }
    }

    func suspends(_ session: RangingSession) -> Bool {
        systemSuspends(session)
            || (!isForeground && !session.isBackgroundCapable && !goesOnInBackground)
    }

    /// Whether any session goes on in the background: with a Live Activity, since iOS 18.4.
    package var goesOnInBackground: Bool {
        parameters.hasLiveActivity && parameters.version >= .v18_4
    }

    /// In how many intervals a session ranges once, now.
    var stride: Int { isForeground ? 1 : parameters.backgroundStride }

    /// An accessory has lost its Bluetooth link.
    package func linkEnded(of accessory: Address) {
        guard !isForeground else { return }
        for session in sessions
        where session.isBackgroundCapable && session.accessory == .address(accessory) {
            switch parameters.backgroundLinkLoss {
            case .survives: break
            case .removed: session.handle(.silence)
            case .invalidated: session.handle(.fail(.accessoryPeerDeviceUnavailable))
            }
        }
    }

    /// Whether the system wants it, wherever the app is.
    func systemSuspends(_ session: RangingSession) -> Bool {
        guard !isSuspending, !session.isWithoutCamera else { return true }
        guard isFindMyInUse, !parameters.has(.ignoresFindMy) else { return false }
        return session.isExtended || parameters.has(.findMySuspendsAll)
    }

    /// Whether the app gets a callback only when it is in the foreground again.
    ///
    /// A session that goes on in the background tells its app the outcome of a run, for the app is
    /// awake to have run it.
    func holdsBack(_ callback: SessionAutomaton.Callback, of session: RangingSession) -> Bool {
        guard !isForeground, session.isBackgroundCapable || goesOnInBackground else {
            return false
        }
        switch callback {
        case .didStartRunning, .didGenerate: return false
        case .didUpdate, .didUpdateConvergence, .didRemove, .wasSuspended, .suspensionEnded,
            .didInvalidate:
            return true
        }
    }

    func hold(_ callback: @escaping () -> Void) { held.append(callback) }

    private func deliverHeld() {
        let calls = held
        held = []
        for call in calls { call() }
    }
}
