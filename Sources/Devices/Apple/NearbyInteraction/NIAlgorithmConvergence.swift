/// How far camera assistance is for an object (iOS 16).
public final class NIAlgorithmConvergence: Sendable {
    public let status: NIAlgorithmConvergenceStatus

    init(_ status: NIAlgorithmConvergenceStatus) { self.status = status }
}

/// Whether camera assistance has what it needs.
public enum NIAlgorithmConvergenceStatus: Equatable, Sendable {
    /// The camera sees nothing.
    case unknown
    /// The object is found.
    case converged
    /// The object is not found, or not any more.
    case notConverged([Reason])

    /// What is missing.
    public enum Reason: String, Sendable {
        /// The device was not turned far enough to the side.
        case insufficientHorizontalSweep
        /// The device was not turned far enough up and down.
        case insufficientVerticalSweep
        /// The device has not moved far enough.
        case insufficientMovement
        /// It is too dark for the camera.
        case insufficientLighting
        /// The object was not measured of late, or something stands between.
        case insufficientSignalStrength

        /// A sentence for the user.
        public static func localizedDescription(_ reason: Reason) -> String {
            switch reason {
            case .insufficientHorizontalSweep: "Try turning to the left and to the right"
            case .insufficientVerticalSweep: "Try tilting up and down"
            case .insufficientMovement: "Try moving in a different direction"
            case .insufficientLighting: "More light required"
            case .insufficientSignalStrength: "Try moving closer"
            }
        }

        /// A sentence for the user.
        public var localizedDescription: String { Self.localizedDescription(self) }
    }
}

extension NIAlgorithmConvergenceStatus {
    var name: String {
        switch self {
        case .unknown: "unknown"
        case .converged: "converged"
        case .notConverged: "not-converged"
        }
    }

    /// What is missing, as the trace has it.
    var missing: String? {
        guard case .notConverged(let reasons) = self else { return nil }
        return reasons.map(\.rawValue).joined(separator: ", ")
    }
}
