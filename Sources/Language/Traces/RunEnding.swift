/// Why a run is over: the reason in `run.ended`.
package enum RunEnding: String, Sendable {
    /// The topology's length is over, and every obligation with a deadline is decided.
    case finished
    /// Nothing can happen any more: what was still awaited will never come.
    case quiescent
    /// An obligation was still open 35 s after the topology's length.
    case cut
    /// The shell gave up.
    case abandoned
}
