import Artifacts
import DeviceLink
import Reports
import UV

/// One device process: its link, its log, and what it still owes us.
final class DeviceProcess {
    /// How a process came to its end, as far as we had a part in it.
    enum Life: Equatable {
        case alive
        /// We ended it, or let it go.
        case dismissed
        case over
    }

    let program: ProgramKey
    /// The device it plays in this run; nil between runs.
    var device: Int?
    var life = Life.alive
    var isStopped = false
    var child: ChildProcess?
    /// Where it is expected to dial, until it has.
    var listener: Listener?
    /// Where its host has its sockets and files; nil where it is none.
    var place: HostPlace?
    /// Whether its link was closed by the other side.
    var hasHungUp = false
    /// For how many ticks of the watchdog it has been so.
    var ticksHungUp = 0
    private(set) var debts = Debts()
    private var hello: Hello?
    /// How often it was told what to be.
    private var resets = 0
    /// The last lines of its log, for the message when it crashes.
    private(set) var logTail = LogTail()
    /// The watchdog's tick at the last progress.
    var lastProgress: UInt64 = 0
    /// How long it had waited for a core, in milliseconds, when a tick was last given to it for that.
    var queueGiven: UInt64 = 0
    /// The grant that waits until it is ready.
    var firstGrant: OrchestratorFrame?
    /// Where its log goes: to the run it plays in, and when that is over still to the same one, until it
    /// says that it has become somebody else.
    var logger: ((UnsafeRawBufferPointer) throws -> Void)?
    private var input: Pipe?
    private var output: Pipe?
    private var log: Pipe?
    private var launch: Pipe?
    /// How far our launcher came; of ours there is none.
    private(set) var launchReport = LaunchReport()
    private var waiting: [UInt8] = []
    private var takeFrames: () throws -> Void = {}
    private var reader = FrameReader(fence: EventKind.fence)
    /// Where the frame that was read last begins in the device's stream.
    private(set) var lastFrame: UInt64 = 0
    private var frame: [UInt8] = []

    init(_ program: ProgramKey) {
        self.program = program
    }

    /// Whether it was told what to be and has not said that it is.
    var owesReady: Bool { debts.ready }

    var owesHello: Bool { debts.hello }

    var isOfOurs: Bool { [.appleDevice, .accessory, .benchDevice].contains(program) }

    var lastWords: String {
        let lines = logTail.lines
        return lines.isEmpty
            ? "it had logged nothing"
            : "its last lines:\n    " + lines.joined(separator: "\n    ")
    }

    /// Whether it can be used for another run.
    var isFree: Bool { life == .alive && !debts.ready && debts.turn == nil && !hasHungUp }

    /// Whether it may play another run, or another life of its device, where nothing of this one must be left.
    func isClean(asIfFresh isFresh: Bool) -> Bool {
        guard let hello else { return false }
        return hello.isAfreshByReset || !(hello.keepsGlobalState || isFresh || isWorn)
    }

    /// Whether somebody else's program has played so many runs in it that another process takes its place: an app's old
    /// singletons are never released, and nobody knows what else it keeps.
    private var isWorn: Bool { program.isForeign && resets >= Self.mostResets }

    /// A few hundred keep what is left of a run from adding up; starting anew then costs less than a hundredth of them.
    private static let mostResets = 256

    // MARK: The link

    /// Connects the link: what we say goes to `output`, what it says comes from `input`.
    func connect(
        input: Pipe, output: Pipe, onFrame: @escaping (DeviceFrame) throws -> Void,
        onError: @escaping (LinkError) throws -> Void, onHangUp: @escaping () throws -> Void
    ) throws {
        self.input = input
        self.output = output
        output.onWriteFailure = { [unowned self] _ in
            hasHungUp = true
            try onHangUp()
        }
        takeFrames = { [unowned self] in try takeFrames(onFrame, onError) }
        try input.read { [unowned self] bytes in
            reader.append(bytes)
            try takeFrames(onFrame, onError)
        } onEnd: { [unowned self] _ in
            hasHungUp = true
            try onHangUp()
        }
        if !waiting.isEmpty { try write(waiting) }
        waiting = []
    }

    private func takeFrames(
        _ onFrame: (DeviceFrame) throws -> Void, _ onError: (LinkError) throws -> Void
    ) throws {
        while true {
            let frame: DeviceFrame?
            do throws(LinkError) { frame = try nextFrame() } catch { return try onError(error) }
            guard let frame else { return }
            try onFrame(frame)
        }
    }

    func connect(log: Pipe) throws {
        self.log = log
        try log.read { [unowned self] bytes in
            logTail.append(bytes)
            try logger?(bytes)
        } onEnd: { _ in
        }
    }

    /// Reads what our launcher tells, until it is the program.
    func connect(launch: Pipe) throws {
        self.launch = launch
        try launch.read { [unowned self] bytes in
            launchReport.append(bytes)
        } onEnd: { [unowned self] _ in
            self.launch?.close()
        }
    }

    func drainLog() throws { try log?.drain() }

    /// Takes what it has said so far, also what came with the frame that is being taken.
    func drainLink() throws {
        try input?.drain()
        try takeFrames()
    }

    /// What the kernel says about it now, of a door about its host; nil where it has ended.
    var status: ProcessStatus? { worker.flatMap(ProcessStatus.init(of:)) }

    /// Says something.
    ///
    /// What is said before the link is there waits for it.
    func send(_ message: OrchestratorFrame) throws {
        frame.removeAll(keepingCapacity: true)
        try message.encode(into: &frame)
        switch message {
        case .reset:
            debts.ready = true
            resets += 1
            logTail = LogTail()
        case .grant(let turn, _, _): debts.turn = turn
        case .farewell: break
        }
        if output == nil { waiting += frame } else { try write(frame) }
    }

    private func write(_ bytes: [UInt8]) throws {
        guard let output, !hasHungUp else { return }
        do throws(UVError) { try output.write(bytes) } catch {
            // A device that is gone tells by its exit; its link may be gone before that.
            guard [.brokenPipe, .badDescriptor, .connectionReset].contains(error.code) else {
                throw error
            }
            hasHungUp = true
        }
    }

    /// The next frame, if it is all there and the one that is owed.
    private func nextFrame() throws(LinkError) -> DeviceFrame? {
        let start = reader.offset
        guard let frame = try reader.nextDeviceFrame() else { return nil }
        lastFrame = start
        if case .hello(let hello) = frame { self.hello = hello }
        try debts.settle(frame, at: start)
        return frame
    }

    // MARK: The end

    /// What is wrong with a stream that ends here; nil where it ends between two frames.
    var truncation: LinkError? {
        do throws(LinkError) { try reader.finish() } catch { return error }
        return nil
    }

    /// What is wrong with a stream that ends here unasked.
    var prematureEnd: LinkError {
        truncation
            ?? LinkError(
                .truncated, at: reader.offset, expected: debts.next ?? "a farewell first",
                found: "the end of the stream")
    }

    /// Where its device lives, once it is ready: a child of ours, its copy for the run, or a door's host; nil if it dialled in.
    var home: Int32? { innermost(program.isHost || hello?.isAfreshByReset == true) }

    /// The process that works for it: the child, or the host behind a door.
    var worker: Int32? { innermost(program.isHost) }

    private func innermost(_ isBelow: Bool) -> Int32? {
        child.map { isBelow ? ProcessStatus.lastOfLine(below: $0.pid) ?? $0.pid : $0.pid }
    }

    /// What it is doing, in parentheses for a report about one that hangs; of a door it is what its host does.
    var whatItDoes: String {
        status.map { " (\(worker == child?.pid ? "process" : "host") \($0))" } ?? ""
    }

    /// Closes all that connects us.
    ///
    /// The process itself is the child handle's business.
    func close() {
        try? drainLog()
        try? launch?.drain()
        launch?.close()
        listener?.close()
        place?.remove()
        input?.close()
        if output !== input { output?.close() }
        log?.close()
        // They hold those to whom we tell something, who hold us.
        takeFrames = {}
        logger = nil
    }

    /// Lets it go: it leaves by itself, or is killed when its handle is closed.
    func dismiss() {
        guard life == .alive else { return }
        try? send(.farewell)
        life = .dismissed
        output?.closeWhenWritten()
    }
}

extension DeviceProcess {
    /// What a process must say, in this order.
    struct Debts {
        var hello = true
        /// That it is what it was told to be, or refuses.
        var ready = false
        /// The answers of this turn.
        var turn: UInt32?

        /// What it must say next, for messages; nil for nothing.
        var next: String? {
            if hello { return "hello" }
            if ready { return "ready or refused" }
            return turn.map { "the answers of turn \($0)" }
        }

        /// Takes what it has said, which has to be what was owed.
        mutating func settle(_ frame: DeviceFrame, at place: UInt64) throws(LinkError) {
            switch frame {
            case .answers(let turn, _) where !hello && !ready && self.turn == turn: self.turn = nil
            case .hello where hello: hello = false
            case .ready where !hello && ready, .refused where !hello && ready: ready = false
            case .answers(let turn, _) where !hello && !ready && self.turn != nil:
                throw LinkError(
                    .wrongTurn, at: place, expected: next ?? "", found: "those of turn \(turn)")
            default:
                throw LinkError(
                    .outOfOrder, at: place, expected: next ?? "silence between turns",
                    found: frame.name)
            }
        }
    }
}

extension DeviceFrame {
    /// For messages.
    var name: String {
        switch self {
        case .hello: "hello"
        case .ready: "ready"
        case .refused: "refused"
        case .answers(let turn, _): "answers of turn \(turn)"
        }
    }
}
