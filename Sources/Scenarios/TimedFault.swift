package import DeviceLink
internal import Notation

/// A fault at a fixed time, as a step could say it.
package struct TimedFault: Equatable, Sendable {
    /// What happens.
    package var deed: Deed
    /// When.
    package var start: Nanoseconds
    /// How long it lasts; 0 for one that does not last.
    package var length: Nanoseconds

    /// A fault.
    package init(_ deed: Deed, start: Nanoseconds, length: Nanoseconds) {
        self.deed = deed
        self.start = start
        self.length = length
    }

    /// A time as a file has it, in seconds where it has any.
    package static func text(_ time: Nanoseconds) -> String {
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: .seconds(1))
        guard seconds > 0, rest > 0 else {
            return Quantity.duration.text(of: Int64(clamping: time))
        }
        var decimals = String(String(Nanoseconds.seconds(1) + rest).dropFirst())
        while decimals.last == "0" { decimals.removeLast() }
        return "\(seconds).\(decimals)s"
    }
}
