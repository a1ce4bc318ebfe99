/// A device that does nothing but set its timer again, for measuring what a turn costs.
///
/// Parameters, in nanoseconds: `period`, from one tick to the next (1 ms), and `phase`, from power on
/// to the first tick (one period).
package final class Ticker: Device {
    private let context: Context
    private let period: Nanoseconds
    private let phase: Nanoseconds

    package init(_ reset: Reset, in context: Context) throws(Refusal) {
        self.context = context
        let parameters = try Parameters(reset, known: ["period", "phase"])
        period = try parameters.number("period", default: .milliseconds(1))
        phase = try parameters.number("phase", default: period)
    }

    package func handle(_ event: DeviceEvent) {
        switch event {
        case .boot: context.setTimer("tick", after: phase)
        case .timer: context.setTimer("tick", after: period)
        case .queue, .command, .bluetooth, .uwb: break
        }
    }
}
