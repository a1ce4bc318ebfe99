import DeviceKit

/// Sets the same timer again each time it fires: the cheapest turn there is.
///
/// Parameters, in nanoseconds: `period`, from one tick to the next (1 ms), and `phase`, from power on
/// to the first tick (one period).
final class TickingDevice: Device {
    private let context: Context
    private let period: Nanoseconds
    private let phase: Nanoseconds

    init(_ reset: Reset, in context: Context) throws(Refusal) {
        self.context = context
        let parameters = try Parameters(reset, known: ["period", "phase"])
        period = try parameters.number("period", default: .milliseconds(1))
        phase = try parameters.number("phase", default: period)
    }

    func handle(_ event: DeviceEvent) {
        context.setTimer("tick", after: event == .boot ? phase : period)
    }
}
