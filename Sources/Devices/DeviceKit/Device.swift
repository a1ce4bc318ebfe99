@_exported public import DeviceLink

/// A device: everything that happens to it comes as one event a turn, and everything it does it
/// says to its context.
///
/// It reads no clock, draws no randomness of its own and does no I/O.
public protocol Device: AnyObject {
    /// Makes the device for one incarnation. The first event it gets is `.boot`.
    ///
    /// - Throws: `Refusal` where the model, a parameter or a defect is unknown.
    init(_ reset: Reset, in context: Context) throws(Refusal)

    /// Takes the one event of a turn; what it gives its context as answers leaves when this
    /// returns.
    func handle(_ event: DeviceEvent)
}

/// Why a device cannot be what a topology wants, in one sentence for the user.
public struct Refusal: Error, Equatable, Sendable {
    /// The sentence, which the user reads as the reason why the run did not begin.
    public var reason: String

    public init(_ reason: String) { self.reason = reason }
}
