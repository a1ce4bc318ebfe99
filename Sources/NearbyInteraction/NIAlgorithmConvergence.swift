/// How far camera assistance is for an object.
///
/// There is no camera here, so no delegate ever hears of one.
public final class NIAlgorithmConvergence: Sendable {
    public let status: NIAlgorithmConvergenceStatus

    init(_ status: NIAlgorithmConvergenceStatus) { self.status = status }
}

/// Whether camera assistance has what it needs.
public enum NIAlgorithmConvergenceStatus: Equatable, Sendable {
    case unknown
    case converged
    case notConverged([Reason])

    /// What is missing.
    public enum Reason: String, Sendable {
        case insufficientHorizontalSweep, insufficientVerticalSweep, insufficientMovement
        case insufficientLighting, insufficientSignalStrength

        /// A sentence for the user.
        public static func localizedDescription(_ reason: Reason) -> String { reason.rawValue }

        /// A sentence for the user.
        public var localizedDescription: String { rawValue }
    }
}
