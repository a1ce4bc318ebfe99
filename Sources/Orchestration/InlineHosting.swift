internal import AccessoryFirmware
internal import AppleDevice
internal import BenchDevices
internal import DeviceKit
package import DeviceLink
internal import Reports
package import Topologies

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
                device: device, name: names[device], kind: .refusal,
                reason: plainLine(refusal.reason))
        }
        devices[device] = inline
    }

    package func grant(
        _ device: Int, turn: UInt32, now: VirtualTime, _ event: DeviceEvent
    ) throws {
        guard let inline = devices[device] else { return }
        try listener?.answered(device, inline.turn(at: now, event))
    }

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
