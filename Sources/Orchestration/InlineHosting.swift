internal import AccessoryFirmware
internal import AppleDevice
internal import BenchDevices
internal import DeviceKit
package import DeviceLink
internal import Reports
package import Scenarios
internal import Traces

/// Devices inside this process: the same device code, no processes and no frames.
package final class InlineHosting: DeviceHosting {
    private var programs: [DeviceSpec.Program] = []
    private var names: [String] = []
    private var devices: [InlineDevice?] = []
    private weak var listener: (any HostingListener)?

    /// A hosting for any number of runs.
    package init() {}

    package func begin(_ topology: Topology, for listener: any HostingListener) throws {
        self.listener = listener
        programs = topology.devices.map(\.program)
        names = topology.devices.map(\.name)
        devices = Array(repeating: nil, count: topology.devices.count)
    }

    package func start(_ device: Int, _ reset: Reset) throws {
        let inline = try makeDevice(device)
        if let refusal = inline.reset(reset) {
            throw DeviceFailure(
                refusing: plainLine(refusal.reason), device, names[device],
                incarnation: reset.incarnation)
        }
        devices[device] = inline
    }

    package func grant(
        _ device: Int, turn: UInt32, now: VirtualTime, _ event: DeviceEvent
    ) throws {
        guard let inline = devices[device] else { return }
        let answers = inline.turn(at: now, event)
        try answers.check(of: device, names[device])
        try listener?.answered(device, answers)
    }

    package func lastFrame(of device: Int) -> UInt64? { nil }

    package func kill(_ device: Int) { devices[device] = nil }

    package func freeze(_ device: Int) {}

    package func thaw(_ device: Int) {}

    package func finish() { devices = [] }

    private func makeDevice(_ device: Int) throws(DeviceFailure) -> InlineDevice {
        let log: (String) -> Void = { [weak self] line in
            Array((line + "\n").utf8).withUnsafeBytes { try? self?.listener?.logged(device, $0) }
        }
        switch programs[device] {
        case .accessory: return InlineDevice(Accessory.self, log: log)
        case .appleDevice: return InlineDevice(SimulatedAppleDevice.self, log: log)
        case .executable("bench-device", _, _):
            return InlineDevice(BenchDevice.self, log: log)
        case .executable, .dialsIn:
            throw DeviceFailure(
                device: device, name: names[device], kind: .launch,
                reason: "a program of somebody else's runs by process only; use --hosting process")
        }
    }
}

extension [Answer] {
    /// The check that the answers of a process pass when their frame is read.
    ///
    /// - Throws: `DeviceFailure` that names the first answer of the turn that the contract does not allow.
    package func check(of device: Int, _ name: String) throws(DeviceFailure) {
        guard count <= LinkLimits.answers else {
            let breach = Breach(
                at: 0, expected: "at most \(LinkLimits.answers) answers in a turn",
                found: "\(count)")
            throw DeviceFailure(breach, of: device, name, answer: LinkLimits.answers, frame: nil)
        }
        guard let (answer, breach) = firstBreach(EventKind.fence) else { return }
        throw DeviceFailure(breach, of: device, name, answer: answer, frame: nil)
    }
}
