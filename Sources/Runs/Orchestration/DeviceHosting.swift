package import DeviceLink
package import Scenarios
package import Vocabulary

/// Where the devices of a run live: in processes of their own, or inline in this one.
package protocol DeviceHosting: AnyObject {
    /// Gets ready for a run; what devices say goes to `listener` from now on.
    func begin(_ topology: Topology, for listener: any HostingListener) throws
    func start(_ device: Int, _ reset: Reset) throws
    func grant(_ device: Int, turn: UInt32, now: VirtualTime, _ event: DeviceEvent) throws
    /// Ends a device at once; what comes back under its name is another incarnation.
    func kill(_ device: Int) throws
    /// Ends a device that has broken the contract, with whatever runs it.
    func expel(_ device: Int) throws
    func freeze(_ device: Int) throws
    func thaw(_ device: Int) throws
    /// Where in its stream the frame begins that a device sent last; nil where it has no stream.
    func lastFrame(of device: Int) -> UInt64?
    /// No turn follows: looks for what a device has said that it did not owe, and tells or throws it as its failure.
    func settle() throws
    /// The run is over: devices are put away for the next one.
    func finish() throws
}

extension DeviceHosting {
    package func expel(_ device: Int) throws { try kill(device) }

    package func settle() throws {}
}

/// Receives what hosted devices do.
package protocol HostingListener: AnyObject {
    func answered(_ device: Int, _ answers: [Answer]) throws
    /// A device that goes by the wall clock is behind: what it does next may be so much later than it was due.
    func lagged(_ longest: Nanoseconds) throws
    /// A device failed: the run cannot go on.
    func failed(_ failure: DeviceFailure) throws
    func logged(_ device: Int, _ bytes: UnsafeRawBufferPointer) throws
}

/// What a device did that ends a run with status 3.
package struct DeviceFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package typealias Kind = Catalogue.FailureKind

    /// Which device; nil where it is not known.
    package let device: Int?
    package let name: String
    package let kind: Kind
    /// What happened and what to do, in a sentence.
    package let reason: String
    /// Whether it is none of a device under test but an error of ours: a reference device that died, though
    /// no defect that is switched on lets it.
    package let isOurs: Bool
    /// Whether SIGKILL ended it: the system that is short of memory, somebody, or itself; the same run, played again,
    /// tells.
    package let isKilled: Bool

    package init(
        device: Int?, name: String, kind: Kind, reason: String, isOurs: Bool = false,
        isKilled: Bool = false
    ) {
        self.device = device
        self.name = name
        self.kind = kind
        self.reason = reason
        self.isOurs = isOurs
        self.isKilled = isKilled
    }

    /// A device that refuses a reset: one that has been what it refuses to be, before it was killed, fails.
    package init(refusing reason: String, _ device: Int, _ name: String, incarnation: UInt32) {
        guard incarnation > 0 else {
            self.init(device: device, name: name, kind: .refusal, reason: reason)
            return
        }
        self.init(
            device: device, name: name, kind: .noReturn,
            reason: "after a kill it refuses what it was before (incarnation \(incarnation)): "
                + reason)
    }

    /// A device whose answer is none that the contract allows.
    ///
    /// `answer` says which one of its turn, from 0; `frame` is where the frame with it begins in the
    /// device's stream, nil where it has none.
    package init(
        _ breach: Breach, of device: Int, _ name: String, answer: Int, frame: UInt64?
    ) {
        let place =
            frame.map { "byte \($0), answer \(answer + 1) of the frame" }
            ?? "answer \(answer + 1) of the turn (inline, so there is no byte)"
        self.init(
            device: device, name: name, kind: .protocolError,
            reason: "\(place): \(breach). DEVICE-LINK.md says what a device may send")
    }

    /// `crash of lock: the process …`.
    package var description: String { "\(kind.rawValue) of \(name): \(reason)" }
}
