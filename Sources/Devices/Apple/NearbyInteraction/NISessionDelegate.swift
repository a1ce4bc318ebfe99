/// What a session reports to its app.
///
/// All methods are optional.
public protocol NISessionDelegate: AnyObject {
    /// The session is running.
    func sessionDidStartRunning(_ session: NISession)
    /// There is data that the app must send to the accessory without delay (R4 3.5.1).
    func session(
        _ session: NISession,
        didGenerateShareableConfigurationData shareableConfigurationData: Data,
        for object: NINearbyObject)
    /// Objects were measured, or could not be: their distance is nil then.
    func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject])
    /// Objects are no longer nearby; the session is no longer active.
    func session(
        _ session: NISession, didRemove nearbyObjects: [NINearbyObject],
        reason: NINearbyObject.RemovalReason)
    /// The session is suspended: nothing is measured.
    func sessionWasSuspended(_ session: NISession)
    /// The suspension ended; the session does not go on unless the app runs it again.
    func sessionSuspensionEnded(_ session: NISession)
    /// Camera assistance has got somewhere, for an object, or as a whole where the object was not measured yet (iOS 16).
    func session(
        _ session: NISession, didUpdateAlgorithmConvergence convergence: NIAlgorithmConvergence,
        for object: NINearbyObject?)
    /// The session ended for good.
    func session(_ session: NISession, didInvalidateWith error: any Error)
}

extension NISessionDelegate {
    public func sessionDidStartRunning(_ session: NISession) {}
    public func session(
        _ session: NISession,
        didGenerateShareableConfigurationData shareableConfigurationData: Data,
        for object: NINearbyObject
    ) {}
    public func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {}
    public func session(
        _ session: NISession, didRemove nearbyObjects: [NINearbyObject],
        reason: NINearbyObject.RemovalReason
    ) {}
    public func sessionWasSuspended(_ session: NISession) {}
    public func sessionSuspensionEnded(_ session: NISession) {}
    public func session(
        _ session: NISession, didUpdateAlgorithmConvergence convergence: NIAlgorithmConvergence,
        for object: NINearbyObject?
    ) {}
    public func session(_ session: NISession, didInvalidateWith error: any Error) {}
}
