import AccessoryFirmware
import AppleDevice
import Artifacts
import BenchDevices
import DeviceKit
package import DeviceLink
package import Scenarios

/// Devices inside this process: the same device code, no processes.
///
/// Ours are called, without frames. A program of somebody else's is loaded, where it comes as a library: in a worker, for
/// it can take its process along.
package final class InlineHosting: DeviceHosting {
    private var specs: [DeviceSpec] = []
    private var names: [String] = []
    private var folder: String?
    private var devices: [(any InlineResident)?] = []
    private var libraries = LoadedLibraries()
    private weak var listener: (any HostingListener)?
    /// Why something that a device said could not be written; there is nobody to tell before the run ends.
    private var unwritten: (any Error)?

    /// How long a turn of a loaded program may take, in milliseconds of the wall clock.
    private let watchdog: UInt64

    package init(watchdog: UInt64 = 5_000) { self.watchdog = watchdog }

    package func begin(_ topology: Topology, for listener: any HostingListener) throws {
        self.listener = listener
        specs = topology.devices
        names = specs.map(\.name)
        folder = topology.folder
        devices = Array(repeating: nil, count: specs.count)
    }

    package func start(_ device: Int, _ reset: Reset) throws {
        let inline = try makeDevice(device)
        let refusal: Refusal?
        do throws(LinkError) { refusal = try inline.become(reset) } catch {
            throw failure(of: device, by: error)
        }
        if let refusal {
            putAway(inline)
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
        let answers: [Answer]
        do throws(LinkError) {
            answers = try inline.take(turn: turn, at: now, event)
        } catch {
            throw failure(of: device, by: error)
        }
        try answers.check(of: device, names[device])
        try listener?.answered(device, answers)
    }

    package func lastFrame(of device: Int) -> UInt64? { nil }

    package func kill(_ device: Int) {
        putAway(devices[device])
        devices[device] = nil
    }

    /// Lets whoever is loaded wait for another run.
    private func putAway(_ inline: (any InlineResident)?) {
        if let program = inline as? LoadedProgram { libraries.giveBack(program) }
    }

    package func expel(_ device: Int) { devices[device] = nil }

    package func freeze(_ device: Int) {}

    package func thaw(_ device: Int) {}

    package func settle() throws {
        for device in devices.indices {
            guard let program = devices[device] as? LoadedProgram else { continue }
            do throws(LinkError) { try program.settle() } catch {
                throw failure(of: device, by: error)
            }
        }
    }

    package func finish() throws {
        for device in devices.indices { kill(device) }
        devices = []
        defer { unwritten = nil }
        if let unwritten { throw unwritten }
    }

    private func makeDevice(_ device: Int) throws -> any InlineResident {
        let log: (UnsafeRawBufferPointer) -> Void = { [weak self] bytes in
            guard let self else { return }
            do { try listener?.logged(device, bytes) } catch { unwritten = unwritten ?? error }
        }
        let logLine: (String) -> Void = { line in Array((line + "\n").utf8).withUnsafeBytes(log) }
        let spec = specs[device]
        switch spec.program {
        case .accessory: return InlineDevice(Accessory.self, log: logLine)
        case .appleDevice: return InlineDevice(SimulatedAppleDevice.self, log: logLine)
        case .executable("bench-device", _, _):
            return InlineDevice(BenchDevice.self, log: logLine)
        case .executable, .host, .dialsIn:
            let program = try load(device)
            program.log(to: log)
            return program
        }
    }

    private func load(_ device: Int) throws -> LoadedProgram {
        let spec = specs[device]
        guard let slate = TurnSlate.own else {
            throw HarnessError(
                "\(spec.name) is a library of somebody else's, which is loaded into workers only")
        }
        try slate.watch(within: watchdog)
        do throws(LaunchFailure) {
            return try libraries.take(spec.library(in: folder), for: device, on: slate)
        } catch {
            throw DeviceFailure(
                device: device, name: spec.name, kind: .launch, reason: error.reason)
        }
    }

    /// The failure of a device that has said what it may not; nobody uses it again.
    private func failure(of device: Int, by error: LinkError) -> DeviceFailure {
        devices[device] = nil
        return DeviceFailure(
            device: device, name: names[device], kind: .protocolError,
            reason: plainLine("\(error). DEVICE-LINK.md says what a device may send"))
    }
}

/// A device in this process, however its turns reach it.
protocol InlineResident: AnyObject {
    /// Makes it what a reset says; returns why that cannot be.
    func become(_ reset: Reset) throws(LinkError) -> Refusal?
    func take(
        turn: UInt32, at moment: VirtualTime, _ event: DeviceEvent
    ) throws(LinkError) -> [Answer]
}

extension InlineDevice: InlineResident {
    func become(_ reset: Reset) -> Refusal? { self.reset(reset) }

    func take(turn: UInt32, at moment: VirtualTime, _ event: DeviceEvent) -> [Answer] {
        self.turn(at: moment, event)
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
