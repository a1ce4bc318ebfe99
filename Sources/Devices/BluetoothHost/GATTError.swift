package import Bluetooth

/// Why a procedure on a connection failed.
package enum GATTError: Error, Equatable, Sendable {
    /// The server refused a request.
    case att(ATTErrorCode, handle: UInt16, request: ATTOpcode)
    /// No response within 30 s; the bearer is dead until the next connection
    /// (Core Specification Vol 3 Part F 3.3.3).
    case timedOut
    /// The connection ended, with its HCI reason, before there was an answer.
    case disconnected(reason: UInt8)
    /// The peer answered with something that is no answer to the question.
    case invalidResponse(String)

    /// The server's error code, where it refused.
    package var code: ATTErrorCode? {
        guard case .att(let code, _, _) = self else { return nil }
        return code
    }
}

/// What a procedure ends with; called exactly once.
package typealias Completion<Value> = (Result<Value, GATTError>) -> Void
