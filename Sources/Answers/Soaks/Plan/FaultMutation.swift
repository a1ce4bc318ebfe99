import DeviceLink
import Scenarios

/// Faults like those of a run that has failed.
enum FaultMutation {
    /// How much earlier or later one strikes at most.
    static let reach = Nanoseconds.seconds(1)

    /// Each fault a little earlier or later, and from half as long to half as long again, and one in four not at all;
    /// all are over by the time at which the given ones are.
    static func faults(like faults: [TimedFault], drawing draw: Keyed) -> [TimedFault] {
        let end = faults.map { $0.start + $0.length }.max() ?? 0
        return faults.enumerated().compactMap { place, fault in
            let draw = draw.with(UInt64(place))
            guard draw.with("gone").below(4) > 0 else { return nil }
            let moved = fault.start + draw.with("start").below(2 * reach + 1)
            let scaled = fault.length / 2 + draw.with("length").below(fault.length + 1)
            var fault = fault
            fault.start = min(max(moved, reach) - reach, end)
            // What lasts has to end: no time at all means for good.
            if fault.length > 0 { fault.length = max(1, min(scaled, end - fault.start)) }
            return fault
        }
    }
}
