import DeviceLink
import FuzzBytes
import Orchestration
import Scenarios
import Schedules
import Simulation
import Topologies
import Traces
import YAML

/// Runs in which one device is a stranger: one of ours whose answers the input spoils.
///
/// The input says which run it is and then, turn by turn, what the stranger does otherwise. Nothing that
/// it does may trap, stop time, or be told as the failure of anybody else; and the same input gives the
/// same run.
func makeStrangerPlayer() -> FuzzTarget.Player {
    let stages = StrangerStage.all
    let watchers = stages.map { RunWatcher($0.topology) }
    return { bytes in
        var input = InputReader(bytes)
        let place = input.below(stages.count)
        let (stage, watcher) = (stages[place], watchers[place])
        var short = ShortRun(stage.topology)
        short.seed = UInt64(input.byte())
        let strategy = (Strategy(Strategy.names[input.below(9)]) ?? .fifo).arm(of: short.seed)
        short.scheduler = strategy.scheduler(seed: short.seed, census: .unknown)
        short.mostSteps = 1_500
        let isRepeated = input.below(8) == 0
        let first = play(short, stage, input, watcher)
        guard isRepeated else { return }
        let second = play(short, stage, input, watcher)
        demand(first.world.digest.text == second.world.digest.text, "a run that does not repeat")
        demand(first.outcome == second.outcome, "a run that ends in another way when repeated")
    }
}

private func play(
    _ short: ShortRun, _ stage: StrangerStage, _ input: InputReader, _ watcher: RunWatcher
) -> Run {
    watcher.begin()
    let hosting = StrangerHosting(stage.stranger, Mischief(input))
    let run = play(short, on: hosting, watching: [watcher])
    if case .failed(let failure)? = run.outcome {
        demand(failure.device == stage.stranger, "the stranger's failure is told as \(failure)")
    }
    watcher.finish()
    return run
}

/// A topology, and which of its devices is the stranger.
private struct StrangerStage {
    let topology: Topology
    let stranger: Int

    /// A stage of a text, where `name` is the stranger.
    private init(_ text: String, _ name: String) throws {
        topology = try Topology(parsing: Array(text.utf8), name: "stage", file: "stage.yaml")
        guard let stranger = topology.devices.firstIndex(where: { $0.name == name }) else {
            throw DocumentError(file: "stage.yaml", problem: Problem("no \(name)", at: nil))
        }
        self.stranger = stranger
    }

    static var all: [StrangerStage] {
        texts.map { text, name in
            do { return try StrangerStage(text, name) } catch { fatalError("\(error)") }
        }
    }

    private static let texts: [(String, String)] =
        [(plain, "lock"), (plain, "ben")]
        + [(troubled, "lock"), (troubled, "ben"), (crowded, "lock"), (crowded, "ben")]

    /// A handshake, and nothing else.
    private static let plain = """
        length: 2s
        devices:
          ben: {model: iPhone 11, at: [0m, 0m]}
          lock: {profile: qorvo, at: [2m, 3m]}
        """

    /// What the script does to a link, to a process and to a radio.
    private static let troubled = """
        length: 5s
        devices:
          ben: {model: iPhone 15, at: [0m, 0m]}
          lock: {profile: multi, at: [2m, 3m]}
        air: {loss: 1/20, uwb-loss: 1/10}
        steps:
          - {at: 600ms, hold: [ben, lock], for: 200ms}
          - {at: 1s, loss: [ben, lock], ratio: 1/2, for: 500ms}
          - {at: 1500ms, kill: lock}
          - {at: 1800ms, restart: lock}
          - {at: 2800ms, disconnect: [ben, lock]}
          - {at: 3500ms, background: ben}
          - {at: 4s, foreground: ben}
          - {at: 4500ms, stop: ben}
        expect:
          - eventually within 5s: ni.didUpdate on ben
        """

    /// Two of each, so that others meet the stranger as well.
    private static let crowded = """
        length: 3s
        devices:
          ben: {model: iPhone 15, at: [0m, 0m]}
          amy: {model: iPhone 14, at: [1m, 0m]}
          lock: {profile: multi, at: [2m, 3m]}
          door: {profile: qorvo, at: [0m, 3m]}
        steps:
          - {at: 800ms, freeze: amy, for: 300ms}
          - {at: 1500ms, invalidate: amy}
        """
}

/// Hosts devices inline; what the stranger says goes through frames, as if it came from a process.
private final class StrangerHosting: DeviceHosting, HostingListener {
    private let stranger: Int
    private let mischief: Mischief
    private let inner = InlineHosting()
    private weak var listener: (any HostingListener)?
    private var reader = FrameReader(fence: EventKind.fence)
    private var lastFrame: UInt64 = 0
    private var name = ""
    private var turn: UInt32 = 0

    init(_ stranger: Int, _ mischief: Mischief) {
        (self.stranger, self.mischief) = (stranger, mischief)
    }

    func begin(_ topology: Topology, for listener: any HostingListener) throws {
        self.listener = listener
        name = topology.devices[stranger].name
        try inner.begin(topology, for: self)
    }

    func start(_ device: Int, _ reset: Reset) throws {
        if device == stranger { try carry(.reset(reset)) }
        mischief.learn(reset.address)
        try inner.start(device, reset)
    }

    func grant(_ device: Int, turn: UInt32, now: VirtualTime, _ event: DeviceEvent) throws {
        if device == stranger {
            self.turn = turn
            mischief.learn(event)
            try carry(.grant(turn: turn, now: now, event))
        }
        try inner.grant(device, turn: turn, now: now, event)
    }

    func answered(_ device: Int, _ answers: [Answer]) throws {
        guard device == stranger else { return try listener?.answered(device, answers) ?? () }
        try listener?.answered(device, try carried(mischief.answers(insteadOf: answers)))
    }

    func lagged(_ longest: Nanoseconds) throws { try listener?.lagged(longest) }

    /// What we say to a stranger fits into frames, whatever it made us say.
    private func carry(_ frame: OrchestratorFrame) throws {
        var bytes: [UInt8] = []
        try frame.encode(into: &bytes)
    }

    /// The answers as they come out of a frame; what fits into none is never sent.
    private func carried(_ answers: [Answer]) throws -> [Answer] {
        var bytes: [UInt8] = []
        guard (try? DeviceFrame.answers(turn: turn, answers).encode(into: &bytes)) != nil else {
            return []
        }
        lastFrame = reader.offset
        reader.append(bytes)
        do throws(LinkError) {
            guard case .answers(_, let read)? = try reader.nextDeviceFrame() else {
                fatalError("a frame of answers that is none")
            }
            return read
        } catch {
            throw DeviceFailure(
                device: stranger, name: name, kind: .protocolError, reason: "\(error)")
        }
    }

    func lastFrame(of device: Int) -> UInt64? { device == stranger ? lastFrame : nil }
    func failed(_ failure: DeviceFailure) throws { try listener?.failed(failure) }
    func logged(_ device: Int, _ bytes: UnsafeRawBufferPointer) throws {}
    func kill(_ device: Int) { inner.kill(device) }
    func freeze(_ device: Int) { inner.freeze(device) }
    func thaw(_ device: Int) { inner.thaw(device) }
    func finish() throws { try inner.finish() }
}
