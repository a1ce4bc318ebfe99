public import DeviceKit

/// A device to measure with: its speed, or the power of those who look for a schedule that breaks it.
///
/// The model says which: `ticker`, `idle`, `central` and `peripheral`, or one of the classics, whose bugs
/// are their defects: `coordinator` and `participant`, `proposer` and `acceptor`, `detector` and `node`.
public final class BenchDevice: Device {
    private let part: any Device

    /// Makes the device of a model.
    public init(_ reset: Reset, in context: Context) throws(Refusal) {
        switch reset.model {
        case "ticker": part = try TickingDevice(reset, in: context)
        case "idle": part = Idle(reset, in: context)
        case "central": part = ExchangeCentral(reset, in: context)
        case "peripheral": part = ExchangePeripheral(reset, in: context)
        case "coordinator": part = try Coordinator(reset, in: context)
        case "participant": part = try CommitParticipant(reset, in: context)
        case "proposer": part = try Proposer(reset, in: context)
        case "acceptor": part = try Acceptor(reset, in: context)
        case "detector": part = try Detector(reset, in: context)
        case "node": part = try Node(reset, in: context)
        default: throw .unknown("model", named: reset.model, known: Self.models)
        }
    }

    private static let models = [
        "ticker", "idle", "central", "peripheral", "coordinator", "participant", "proposer",
        "acceptor", "detector", "node",
    ]

    public func handle(_ event: DeviceEvent) { part.handle(event) }
}

/// Does nothing at all.
final class Idle: Device {
    init(_ reset: Reset, in context: Context) {}

    func handle(_ event: DeviceEvent) {}
}
