import CDevice
import DeviceKit
import DeviceLink
import Reports

/// A program of somebody else's that is loaded into this process: its device takes its turns in frames, as by process,
/// without the way there and back.
///
/// Swift cannot be unloaded, so one that is free waits in the ``LoadedLibraries`` for the next run.
final class LoadedProgram: InlineResident {
    let library: InlineLibrary
    private let joint = UnsafeMutablePointer<cdevice_joint>.allocate(capacity: 1)
    private var logger: (UnsafeRawBufferPointer) -> Void = { _ in }
    private var reader = FrameReader(fence: EventKind.fence)
    private var debts = DeviceProcess.Debts()
    private var frame: [UInt8] = []
    private let slate: TurnSlate
    var device: Int

    /// Loads the program from a file, which must not be loaded yet, for a device.
    ///
    /// - Throws: `LaunchFailure` where it cannot be loaded, or is no device.
    init(
        _ library: InlineLibrary, from file: String, for device: Int, on slate: TurnSlate
    ) throws(LaunchFailure) {
        (self.library, self.device, self.slate) = (library, device, slate)
        var error: UnsafePointer<CChar>?
        guard let entry = slate.turn(of: device, { cdevice_load(file, Self.entry, &error) }) else {
            let reason =
                error.map { String(cString: $0).replacing("\(file): ", with: "") }
                ?? "it has no \(Self.entry)"
            throw LaunchFailure(reason: "\(library.path) cannot be loaded: \(reason)")
        }
        let place = Unmanaged.passRetained(self).toOpaque()
        joint.initialize(
            to: cdevice_joint(
                version: UInt32(CDEVICE_JOINT), host: place,
                say: { host, bytes, count in
                    LoadedProgram.at(host).reader.append(
                        UnsafeRawBufferPointer(start: bytes, count: count))
                },
                log: { host, bytes, count in
                    LoadedProgram.at(host).logger(
                        UnsafeRawBufferPointer(start: bytes, count: count))
                }, device: nil, hear: nil))
        var words = LogTail()
        logger = { words.append($0) }
        defer { logger = { _ in } }
        slate.turn(of: device) { entry(joint) }
        do throws(LinkError) { _ = try nextFrame() } catch {
            let said = words.lines.isEmpty ? "\(error)" : words.lines.joined(separator: "; ")
            throw LaunchFailure(reason: "\(library.path) is no device that can be loaded: \(said)")
        }
    }

    private static let entry = "anechoic_device"

    private static func at(_ place: UnsafeMutableRawPointer) -> LoadedProgram {
        Unmanaged<LoadedProgram>.fromOpaque(place).takeUnretainedValue()
    }

    /// Lets the lines of its log go there.
    func log(to logger: @escaping (UnsafeRawBufferPointer) -> Void) { self.logger = logger }

    func become(_ reset: Reset) throws(LinkError) -> Refusal? {
        try send(.reset(reset))
        debts.ready = true
        guard case .refused(let reason) = try nextFrame() else { return nil }
        return Refusal(reason)
    }

    func take(
        turn: UInt32, at moment: VirtualTime, _ event: DeviceEvent
    ) throws(LinkError) -> [Answer] {
        try send(.grant(turn: turn, now: moment, event))
        debts.turn = turn
        guard case .answers(_, let answers) = try nextFrame() else { return [] }
        return answers
    }

    /// - Throws: What is wrong with what it has said and did not owe.
    func settle() throws(LinkError) {
        let place = reader.offset
        if let frame = try reader.nextDeviceFrame() { try debts.settle(frame, at: place) }
        try reader.finish()
    }

    private func send(_ message: OrchestratorFrame) throws(LinkError) {
        frame.removeAll(keepingCapacity: true)
        try message.encode(into: &frame)
        frame.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress, let own = joint.pointee.device else { return }
            slate.turn(of: device) { joint.pointee.hear?(own, first, bytes.count) }
        }
    }

    /// What it has said, which has to be what was owed.
    private func nextFrame() throws(LinkError) -> DeviceFrame {
        let place = reader.offset
        guard let frame = try reader.nextDeviceFrame() else {
            try reader.finish()
            throw LinkError(
                .truncated, at: place, expected: debts.next ?? "a frame", found: "nothing")
        }
        try debts.settle(frame, at: place)
        return frame
    }
}
