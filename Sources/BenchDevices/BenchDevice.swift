public import DeviceKit

/// A device to measure with. The model says which: `ticker`, `idle`, `central` or `peripheral`.
public final class BenchDevice: Device {
    private let part: any BenchPart

    /// Makes the device of a model.
    public init(_ reset: Reset, in context: Context) throws(Refusal) {
        switch reset.model {
        case "ticker": part = Ticker(reset, context)
        case "idle": part = Idle()
        case "central": part = ExchangeCentral(reset, context)
        case "peripheral": part = ExchangePeripheral(reset, context)
        default: throw Refusal("\(reset.model) is none of ticker, idle, central and peripheral")
        }
    }

    /// One turn.
    public func handle(_ event: DeviceEvent) { part.handle(event) }
}

/// What a bench device can be.
protocol BenchPart {
    func handle(_ event: DeviceEvent)
}

/// Does nothing at all.
struct Idle: BenchPart {
    func handle(_ event: DeviceEvent) {}
}

/// Sets the same timer again each time it fires: the cheapest turn there is.
struct Ticker: BenchPart {
    private let context: Context
    private let period: Nanoseconds
    private let phase: Nanoseconds

    init(_ reset: Reset, _ context: Context) {
        self.context = context
        period = reset.number("period") ?? .milliseconds(1)
        phase = reset.number("phase") ?? 0
    }

    func handle(_ event: DeviceEvent) {
        context.setTimer("tick", after: event == .boot ? phase : period)
    }
}

extension Reset {
    /// A parameter that is a whole number.
    func number(_ name: String) -> UInt64? {
        parameters.first { $0.name == name }.flatMap { UInt64($0.value) }
    }
}
