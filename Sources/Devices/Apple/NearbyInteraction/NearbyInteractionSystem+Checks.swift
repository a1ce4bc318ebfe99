import DeviceKit

// The checks of a run.
extension NearbyInteractionSystem {
    /// What becomes of a run; nil where the user is to be asked first, or nothing ever comes of it.
    func check(_ session: RangingSession) -> SessionAutomaton.Event? {
        guard parameters.capabilities.supportsPreciseDistanceMeasurement else {
            return .fail(.unsupportedPlatform)
        }
        guard isKnown(session.current) else { return .fail(.unsupportedPlatform) }
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

    /// Whether this version of the system has such sessions: accessories and watches came with iOS 15.
    private func isKnown(_ run: RangingRun?) -> Bool {
        guard parameters.version < .v15 else { return true }
        return !parameters.isWatch && run?.subject.peerToken != nil
    }

    /// The outcome of a run that may not start now.
    func suspension(of session: RangingSession) -> SessionAutomaton.Event? {
        guard suspends(session), systemSuspends(session) || !parameters.has(.startsInBackground)
        else { return nil }
        return .suspend(isSystem: systemSuspends(session))
    }

    private func checkPeer(of session: RangingSession) -> SessionAutomaton.Event? {
        guard let run = session.current else { return .fail(.invalidConfiguration) }
        switch run.subject {
        case .accessory(let configuration):
            if configuration.radio == .incompatible { return .fail(parameters.unknownUWBVersion) }
        case .peer(let token, _, _):
            if let error = mistake(in: token, of: run) { return .fail(error) }
        }
        guard !run.subject.usesCamera || parameters.capabilities.supportsCameraAssistance else {
            return .fail(.invalidARConfiguration)
        }
        guard !session.hasUnfitCamera(self) else { return .fail(.invalidARConfiguration) }
        let others = sessions.count { $0 !== session && $0.isActive }
        guard !isExhausted, others < parameters.sessionLimit else {
            return .fail(.activeSessionsLimitExceeded)
        }
        guard
            !session.isExtended || parameters.has(.manyExtendedSessions)
                || !sessions.contains(where: { $0 !== session && $0.isActive && $0.isExtended })
        else { return .fail(.activeExtendedDistanceSessionsLimitExceeded) }
        guard let identifier = run.subject.bluetoothPeerIdentifier else { return .cleared }
        if let surroundings, let accessory = surroundings.address(of: identifier),
            surroundings.isPairedAndConnected(accessory)
        {
            return .cleared
        }
        return switch parameters.unpairedAccessory {
        case .invalidated: .fail(.accessoryPeerDeviceUnavailable)
        case .removed: .unavailable
        case .silent: nil
        }
    }

    /// What is wrong with the token of a peer.
    private func mistake(in token: NIDiscoveryToken, of run: RangingRun) -> NIError.Code? {
        guard token.isOfSession, token.address != address,
            parameters.endedToken == .silent || !endedTokens.contains(token)
        else { return .invalidConfiguration }
        guard token.deviceCapabilities.supportsPreciseDistanceMeasurement else {
            return .incompatiblePeerDevice
        }
        guard run.subject.isExtended, !run.isExtended else { return nil }
        return switch parameters.extendedWithoutSupport {
        case .ordinary: nil
        case .invalidConfiguration: .invalidConfiguration
        case .incompatiblePeerDevice: .incompatiblePeerDevice
        }
    }

    /// The radio has heard that the session of a token is over.
    func hasEnded(_ token: NIDiscoveryToken) {
        if endedTokens.count == Self.rememberedTokens { endedTokens.removeFirst() }
        endedTokens.append(token)
    }

    private static let rememberedTokens = 64

    /// Who is meant: whoever sent the data, else whom the app named; of a token, the device that made it.
    func accessory(of subject: RangingSubject) -> KnownAccessory? {
        switch subject {
        case .accessory(let configuration):
            surroundings?.sender(of: configuration.bytes)
                ?? configuration.bluetoothPeerIdentifier.flatMap {
                    surroundings?.address(of: $0).map { .address($0) }
                }
        case .peer(let token, _, _): token.isOfSession ? .address(token.address) : nil
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
