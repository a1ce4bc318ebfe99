import AccessoryFirmware
import DeviceKit
import DeviceLink
import Scenarios

/// Hosting of a run in which we pair on behalf of accessories that somebody else wrote (`pairing:` beside `run:`).
///
/// Between the core and such a device stands its ``SecurityManager``. What concerns pairing alone never reaches the
/// device, and what the manager does leaves behind the answers of the device.
final class PairingHosting: DeviceHosting {
    private let inner: any DeviceHosting
    private let devices: [DeviceSpec]
    private weak var listener: (any HostingListener)?
    /// Of each device that pairs so and lives, by its place.
    private var managers: [Int: SecurityManager] = [:]

    /// The hosting of a topology: `inner` itself where no device needs us to pair.
    static func around(_ inner: any DeviceHosting, for topology: Topology) -> any DeviceHosting {
        topology.devices.contains { !$0.security.isEmpty }
            ? PairingHosting(topology.devices, on: inner) : inner
    }

    private init(_ devices: [DeviceSpec], on inner: any DeviceHosting) {
        (self.devices, self.inner) = (devices, inner)
    }

    func begin(_ topology: Topology, for listener: any HostingListener) throws {
        self.listener = listener
        managers = [:]
        try inner.begin(topology, for: self)
    }

    func start(_ device: Int, _ reset: Reset) throws {
        let spec = devices[device]
        do throws(Refusal) {
            managers[device] =
                spec.security.isEmpty ? nil : try SecurityManager(spec.security, below: reset)
        } catch {
            throw DeviceFailure(
                refusing: error.reason, device, spec.name, incarnation: reset.incarnation)
        }
        try inner.start(device, reset)
    }

    func grant(_ device: Int, turn: UInt32, now: VirtualTime, _ event: DeviceEvent) throws {
        guard let manager = managers[device] else {
            return try inner.grant(device, turn: turn, now: now, event)
        }
        if let event = manager.take(event, at: now) {
            try inner.grant(device, turn: turn, now: now, event)
        } else {
            try listener?.answered(device, manager.answers(with: []))
        }
    }

    func kill(_ device: Int) throws {
        managers[device] = nil
        try inner.kill(device)
    }

    func expel(_ device: Int) throws { try inner.expel(device) }

    func freeze(_ device: Int) throws { try inner.freeze(device) }

    func thaw(_ device: Int) throws { try inner.thaw(device) }

    func lastFrame(of device: Int) -> UInt64? { inner.lastFrame(of: device) }

    func settle() throws { try inner.settle() }

    func finish() throws { try inner.finish() }
}

extension PairingHosting: HostingListener {
    func answered(_ device: Int, _ answers: [Answer]) throws {
        let all = managers[device]?.answers(with: answers) ?? answers
        try listener?.answered(device, all)
    }

    func lagged(_ longest: Nanoseconds) throws { try listener?.lagged(longest) }

    func failed(_ failure: DeviceFailure) throws { try listener?.failed(failure) }

    func logged(_ device: Int, _ bytes: UnsafeRawBufferPointer) throws {
        try listener?.logged(device, bytes)
    }
}
