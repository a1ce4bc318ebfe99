public import DeviceKit

/// A device to measure with.
///
/// The model says which: `ticker`, `idle`, `central` or `peripheral`.
public final class BenchDevice: Device {
    private let part: any Device

    /// Makes the device of a model.
    public init(_ reset: Reset, in context: Context) throws(Refusal) {
        switch reset.model {
        case "ticker": part = try Ticker(reset, in: context)
        case "idle": part = Idle(reset, in: context)
        case "central": part = ExchangeCentral(reset, in: context)
        case "peripheral": part = ExchangePeripheral(reset, in: context)
        default: throw Refusal("\(reset.model) is none of ticker, idle, central and peripheral")
        }
    }

    /// One turn.
    public func handle(_ event: DeviceEvent) { part.handle(event) }
}

/// Does nothing at all.
final class Idle: Device {
    init(_ reset: Reset, in context: Context) {}

    func handle(_ event: DeviceEvent) {}
}
