import Basics
package import DeviceLink

/// A fault at a fixed time, as a step could say it.
package struct TimedFault: Codable, Hashable, Sendable {
    package var deed: Deed
    /// When it begins, in nanoseconds since the run began.
    package var start: Nanoseconds
    /// How long it lasts; 0 for one that does not last.
    package var length: Nanoseconds

    package init(_ deed: Deed, start: Nanoseconds, length: Nanoseconds) {
        self.deed = deed
        self.start = start
        self.length = length
    }

    /// Its deed, which says how long it lasts.
    package var lasting: Deed {
        var deed = deed
        deed.settings[.lasting] = length > 0 ? .duration(length) : nil
        return deed
    }

    /// A time as a file has it, in seconds where it has any.
    package static func text(_ time: Nanoseconds) -> String {
        guard time > .seconds(1), !time.isMultiple(of: .seconds(1)) else {
            return Quantity.duration.text(of: Int64(clamping: time))
        }
        return time.seconds(decimals: 9).withoutIdleZeros + "s"
    }
}
