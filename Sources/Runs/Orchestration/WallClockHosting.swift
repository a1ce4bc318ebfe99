import Artifacts
import DeviceLink
import Foundation
import Scenarios
import Vocabulary

/// Hosting of a run in which devices go by the wall clock.
///
/// What such a device does cannot be had a second time. So it is recorded, with how far it was behind; and where a
/// recording is there, that answers, and no process is started for the device.
final class WallClockHosting: DeviceHosting {
    /// With what virtual time keeps pace; nil where a recording answers.
    let pacer: Pacer?
    /// What was recorded so far, or is played: of each device that goes by the wall clock, by its place.
    private var tapes: [Int: Tape]
    private let names: [String]
    private let inner: any DeviceHosting
    private weak var listener: (any HostingListener)?

    /// What one device did.
    private struct Tape {
        var inputs: [Replay.Input]
        /// Where the tape is: the input, and how many of its turns have been played.
        var next = (input: 0, turns: 0)
        /// When the device had its last turn, and how far it has been behind.
        var now = VirtualTime.zero
        var longest: Nanoseconds = 0

        init(_ inputs: [Replay.Input] = []) { self.inputs = inputs }
    }

    /// Hosting that records.
    init(recording topology: Topology, on inner: any DeviceHosting, pacedBy pacer: Pacer) {
        self.pacer = pacer
        self.inner = inner
        names = topology.devices.map(\.name)
        tapes = Dictionary(
            uniqueKeysWithValues: topology.devicesByTheWallClock.map { ($0, Tape()) })
    }

    /// Hosting that plays what was recorded.
    init(playing inputs: [Replay.Input], of topology: Topology, on inner: any DeviceHosting) {
        pacer = nil
        self.inner = inner
        let names = topology.devices.map(\.name)
        self.names = names
        tapes = Dictionary(
            uniqueKeysWithValues: topology.devicesByTheWallClock.map { device in
                (device, Tape(inputs.filter { $0.device == names[device] }))
            })
    }

    /// What was recorded, each device's in its own order.
    var inputs: [Replay.Input] { tapes.sorted { $0.key < $1.key }.flatMap(\.value.inputs) }

    private func isPlayed(_ device: Int) -> Bool { pacer == nil && tapes[device] != nil }

    func begin(_ topology: Topology, for listener: any HostingListener) throws {
        self.listener = listener
        for device in tapes.keys { tapes[device]?.next = (0, 0) }
        try inner.begin(topology, for: self)
    }

    func start(_ device: Int, _ reset: Reset) throws {
        guard isPlayed(device) else {
            return try recordingFailures { try inner.start(device, reset) }
        }
        // What could not be started had no turn.
        if let tape = tapes[device], tape.inputs.indices.contains(tape.next.input),
            tape.inputs[tape.next.input].failure?.kind == .launch
        {
            try play(device)
        }
    }

    func grant(_ device: Int, turn: UInt32, now: VirtualTime, _ event: DeviceEvent) throws {
        tapes[device]?.now = now
        guard isPlayed(device) else {
            return try recordingFailures {
                try inner.grant(device, turn: turn, now: now, event)
            }
        }
        try play(device)
    }

    func kill(_ device: Int) throws { if !isPlayed(device) { try inner.kill(device) } }

    func expel(_ device: Int) throws { if !isPlayed(device) { try inner.expel(device) } }

    func freeze(_ device: Int) throws { if !isPlayed(device) { try inner.freeze(device) } }

    func thaw(_ device: Int) throws { if !isPlayed(device) { try inner.thaw(device) } }

    func lastFrame(of device: Int) -> UInt64? {
        isPlayed(device) ? nil : inner.lastFrame(of: device)
    }

    // What a device by the wall clock says is recorded with its turns, and is not there when they are played.
    func settle() throws { if tapes.isEmpty { try inner.settle() } }

    func finish() throws { try inner.finish() }

    // MARK: Playing

    /// Answers as the device did when this turn was recorded.
    private func play(_ device: Int) throws {
        guard let tape = tapes[device], tape.inputs.indices.contains(tape.next.input) else {
            throw HarnessError(
                "the run did not repeat: \(names[device]) goes by the wall clock, and what was "
                    + "recorded of it ends before this turn")
        }
        let input = tape.inputs[tape.next.input]
        let isLast = tape.next.turns + 1 >= input.turns
        tapes[device]?.next =
            isLast ? (tape.next.input + 1, 0) : (tape.next.input, tape.next.turns + 1)
        if let lag = input.lag, tape.next.turns == 0 { try listener?.lagged(lag) }
        if let failure = input.failure {
            throw DeviceFailure(
                device: device, name: names[device], kind: failure.kind, reason: failure.reason)
        }
        try listener?.answered(device, input.decoded(as: names[device]))
    }

    // MARK: Recording

    private func record(_ input: Replay.Input, of device: Int) {
        guard let last = tapes[device]?.inputs.indices.last,
            tapes[device]?.inputs[last].answers == input.answers,
            input.lag == nil, input.failure == nil
        else { return tapes[device]?.inputs.append(input) ?? () }
        tapes[device]?.inputs[last].turns += 1
    }

    private func record(_ failure: DeviceFailure) {
        guard pacer != nil, let device = failure.device, tapes[device] != nil else { return }
        let kept = Replay.Input.Failure(kind: failure.kind, reason: failure.reason)
        record(Replay.Input(device: failure.name, failure: kept), of: device)
    }

    /// Records also what a device fails in at once.
    private func recordingFailures(_ body: () throws -> Void) throws {
        do { try body() } catch let failure as DeviceFailure {
            record(failure)
            throw failure
        }
    }

    /// How far a device is behind, in whole milliseconds; nil where it has been as far behind before.
    ///
    /// What it did may have waited in the system as long as that, and a period for our look at it.
    private func lag(of device: Int) -> Nanoseconds? {
        guard let pacer, let tape = tapes[device] else { return nil }
        let millisecond = Nanoseconds.milliseconds(1)
        let behind = pacer.lag(behind: tape.now) + HostProgram.period
        let lag = (behind + millisecond - 1) / millisecond * millisecond
        guard lag > tape.longest else { return nil }
        tapes[device]?.longest = lag
        return lag
    }
}

extension WallClockHosting: HostingListener {
    func answered(_ device: Int, _ answers: [Answer]) throws {
        if pacer != nil, tapes[device] != nil {
            let lag = lag(of: device)
            record(
                Replay.Input(device: names[device], answers: try answers.encoded, lag: lag),
                of: device)
            if let lag { try listener?.lagged(lag) }
        }
        try listener?.answered(device, answers)
    }

    func lagged(_ longest: Nanoseconds) throws { try listener?.lagged(longest) }

    func failed(_ failure: DeviceFailure) throws {
        record(failure)
        try listener?.failed(failure)
    }

    func logged(_ device: Int, _ bytes: UnsafeRawBufferPointer) throws {
        try listener?.logged(device, bytes)
    }
}

extension [Answer] {
    fileprivate var encoded: Data {
        get throws(LinkError) {
            var bytes: [UInt8] = []
            try DeviceFrame.answers(turn: 0, self).encode(into: &bytes)
            return Data(bytes)
        }
    }
}

extension Replay.Input {
    /// Its answers, which are checked as those of a process are: who made the file is not known.
    fileprivate func decoded(as name: String) throws -> [Answer] {
        var reader = FrameReader(fence: EventKind.fence)
        reader.append(answers)
        let frame: DeviceFrame?
        do throws(LinkError) { frame = try reader.nextDeviceFrame() } catch {
            throw HarnessError("the inputs of \(name) in the replay file are none: \(error)")
        }
        guard case .answers(_, let answers)? = frame else {
            throw HarnessError("the inputs of \(name) in the replay file have no answers in them")
        }
        return answers
    }
}

/// A run that only virtual time can give: one in another order, or once more.
package struct GoesByTheWallClock: Error, CustomStringConvertible {
    package let description: String

    init(_ device: String, in topology: String) {
        description =
            "\(topology): \(device) goes by the wall clock (`clock: wall`), so that no run of it can be had once "
            + "more, or in another order; `run` plays it, and `replay` repeats what was recorded. Leave the key out "
            + "to make \(device) a guest in virtual time"
    }
}

extension Topology {
    /// - Throws: `GoesByTheWallClock` where one of its devices does.
    package func demandVirtualTime() throws(GoesByTheWallClock) {
        if let device = devicesByTheWallClock.min() {
            throw GoesByTheWallClock(devices[device].name, in: name)
        }
    }
}
