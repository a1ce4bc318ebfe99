import NearbyInteraction

// The session: one for each accessory, and this accessory is its delegate.
extension AppAccessory: NISessionDelegate {
    func makeSession() {
        let session = NISession()
        session.delegate = self
        session.delegateQueue = app.sessionQueue
        app.camera?.lend(to: session)
        self.session = session
    }

    func endSession() {
        if settings.has(.forgetsToInvalidate), let session {
            app.forgotten.append(session)
        } else {
            session?.invalidate()
        }
        session = nil
    }

    func run(_ bytes: [UInt8]) {
        if session == nil { makeSession() }
        do {
            let configuration = try configuration(Data(bytes))
            app.configuration = configuration
            app.configurationOwner = self
            session?.run(configuration)
        } catch {
            log("sent configuration data that cannot be used: \(error)")
            handle(.configurationRejected)
        }
    }

    private func configuration(_ data: Data) throws -> NINearbyAccessoryConfiguration {
        var data = data
        if settings.has(.changesConfiguration), data.count > 4 { data[data.startIndex + 4] = 0 }
        let configuration =
            if settings.usesBackgroundSessions, let identifier = link.bluetoothPeerIdentifier {
                try NINearbyAccessoryConfiguration(
                    accessoryData: data, bluetoothPeerIdentifier: identifier)
            } else {
                try NINearbyAccessoryConfiguration(data: data)
            }
        configuration.isCameraAssistanceEnabled = settings.usesCamera
        return configuration
    }

    func session(
        _ session: NISession,
        didGenerateShareableConfigurationData shareableConfigurationData: Data,
        for object: NINearbyObject
    ) {
        let accessory = settings.has(.singleConfiguration) ? app.configurationOwner : self
        let data = Array(shareableConfigurationData)
        guard settings.has(.delaysShareableData) else {
            accessory?.handle(.shareable(data))
            return
        }
        Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { [weak accessory] _ in
            accessory?.handle(.shareable(data))
        }
    }

    /// An app that knows its work has nothing to do here: shareable data comes by itself.
    func sessionDidStartRunning(_ session: NISession) { goWrong() }

    func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
        let isMeasured = nearbyObjects.contains { $0.distance != nil }
        handle(.updated(isMeasured: isMeasured))
        if isMeasured, settings.has(.dropsLinkWhileRanging) { app.disconnect(self) }
    }

    func session(
        _ session: NISession, didRemove nearbyObjects: [NINearbyObject],
        reason: NINearbyObject.RemovalReason
    ) {
        handle(.removed(reason))
    }

    func sessionWasSuspended(_ session: NISession) { handle(.suspended) }

    func sessionSuspensionEnded(_ session: NISession) { handle(.suspensionEnded) }

    func session(_ session: NISession, didInvalidateWith error: any Error) {
        guard let error = error as? NIError else { return }
        if !settings.has(.runsInvalidatedSession) { self.session = nil }
        handle(.invalidated(error.code))
    }
}
