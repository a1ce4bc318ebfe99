internal import CDevice

extension Context {
    /// The context of the device whose turn it is on this thread.
    ///
    /// Apple's API has global state (`NISession()`, the main queue), so that one thing is global here
    /// too. Use outside a turn is a programming error and traps.
    public static var current: Context {
        guard let raw = cdevice_current() else {
            preconditionFailure("NearbyInteraction and CoreBluetooth work only in a device's turn")
        }
        return Unmanaged<Context>.fromOpaque(raw).takeUnretainedValue()
    }

    /// Makes this context the thread's current one while `body` runs.
    public func asCurrent<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let previous = cdevice_current()
        cdevice_set_current(Unmanaged.passUnretained(self).toOpaque())
        defer { cdevice_set_current(previous) }
        return try body()
    }
}
