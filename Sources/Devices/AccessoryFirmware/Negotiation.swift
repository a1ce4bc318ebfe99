package import Bluetooth
package import DeviceLink

/// How the accessory asks a phone for its own connection parameters.
///
/// Some time after the connection, and once more where it was refused. The phone decides (QA1931), and
/// the link goes on either way.
///
/// A value, one for each link: what it wants done it returns.
package struct Negotiation: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        /// Call `due` after this time.
        case wait(Nanoseconds)
        case ask(ConnectionParameterRequest)
        /// Give the link up: reason 0x3B, unacceptable connection parameters.
        case disconnect
    }

    private let request: ConnectionParameterRequest
    private let delay: Nanoseconds
    private let retry: Nanoseconds
    private let givesUpLink: Bool
    private var attempts = 0

    /// The negotiation of one link.
    package init(_ parameters: AccessoryParameters) {
        delay = parameters.requestDelay
        retry = parameters.requestRetry
        givesUpLink = parameters.has(.badSupervision)
        request = givesUpLink ? .vendor : ConnectionParameterRequest(parameters)
    }

    /// The link is up.
    package func connected() -> [Action] { delay > 0 ? [.wait(delay)] : [] }

    /// It is time to ask.
    package mutating func due() -> [Action] {
        attempts += 1
        return [.ask(request)]
    }

    package func answered(accepted: Bool) -> [Action] {
        if accepted { return [] }
        if attempts < 2 { return [.wait(retry)] }
        return givesUpLink ? [.disconnect] : []
    }
}

extension ConnectionParameterRequest {
    /// What a vendor's firmware asks for: 25–250 ms, latency 6, 16 s.
    ///
    /// Apple's limit for the supervision timeout is 6 s (QA1931).
    static let vendor = ConnectionParameterRequest(
        minimumInterval: 20, maximumInterval: 200, latency: 6, timeout: 1_600)

    /// What the topology wants the accessory to ask for.
    init(_ parameters: AccessoryParameters) {
        self.init(
            minimumInterval: UInt16(parameters.minimumInterval / .microseconds(1_250)),
            maximumInterval: UInt16(parameters.maximumInterval / .microseconds(1_250)),
            latency: parameters.latency,
            timeout: UInt16(parameters.supervisionTimeout / .milliseconds(10)))
    }
}
