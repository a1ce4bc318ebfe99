import DeviceKit

// What the user allows.
extension NearbyInteractionSystem {
    func ask() {
        permission = .asking
        Context.current.observe(
            .systemPrompt, fields: [Field("text", .text(parameters.usageText))])
        Context.current.setTimer(Self.promptTimer, after: parameters.promptDelay)
    }

    func answerPrompt(isAllowed: Bool) {
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
        if !isAllowed, parameters.withdrawnPermission == .terminated,
            sessions.contains(where: \.isActive)
        {
            return endApp()
        }
        for session in sessions { permissionChanged(session, isAllowed: isAllowed) }
    }

    /// The app is deleted, and with it what the user has said.
    package func forgetPermission() {
        if case .asking = permission { Context.current.cancelTimer(Self.promptTimer) }
        permission = .undetermined
        Context.current.answer(.store(key: Self.permissionKey, value: nil))
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
    func askLate() {
        guard case .undetermined = permission else { return }
        for session in sessions {
            if case .pending(.clearance, _) = session.automaton.state { checkAgain(session) }
        }
    }

    private func checkAgain(_ session: RangingSession) {
        if let event = check(session) { session.handle(event) }
    }
}
