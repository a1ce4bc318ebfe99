import Basics

/// What a device has in its hands: the time, its randomness, and a way to answer.
///
/// A context belongs to one incarnation of one device. Answers leave at the end of the turn, in the
/// order in which they were given.
public final class Context {
    /// The device's name in the topology.
    public let name: String
    /// The moment of this turn.
    public private(set) var now: VirtualTime = .zero
    /// The answers of this turn so far.
    ///
    /// Those given while the device was made belong to its first turn.
    public private(set) var answers: [Answer] = []
    private var areTaken = false
    /// Where lines of the device's log go (standard error by process).
    private let writeLog: (String) -> Void
    /// What global API finds by its type.
    package var attachments = Attachments()
    private let key: Keyed
    private var draws: [String: UInt64] = [:]
    private var posted: [UInt32: () -> Void] = [:]
    private var nextItem: UInt32 = 0

    /// A context for one incarnation.
    public init(_ reset: Reset, log: @escaping (String) -> Void) {
        name = reset.name
        key = Keyed(reset.key)
        writeLog = log
    }

    /// Does one thing: gives an answer.
    public func answer(_ answer: Answer) { answers.append(answer) }

    /// Wakes the device `after` nanoseconds, at most `slack` later, with the timer's name.
    public func setTimer(_ name: String, after: Nanoseconds, slack: Nanoseconds = 0) {
        answer(.setTimer(name: name, after: after, slack: slack))
    }

    /// Forgets a timer; nothing happens where it is not set.
    public func cancelTimer(_ name: String) { answer(.cancelTimer(name: name)) }

    /// Runs `work` in a turn of its own, after what was posted to the same queue before it.
    public func post(to queue: String, _ work: @escaping () -> Void) {
        posted[nextItem] = work
        answer(.post(queue: queue, item: nextItem))
        nextItem &+= 1
    }

    /// Notes something for the trace, of a kind of the device's own: `flash.worn`.
    public func observe(_ kind: String, fields: [Field] = []) {
        answer(.observe(kind: kind, fields: fields))
    }

    /// Notes something for the trace that promises may speak of (TRACE.md).
    public func observe(_ kind: EventKind, fields: [Field] = []) {
        observe(kind.rawValue, fields: fields)
    }

    /// Writes a line to the device's log, behind the time: `[0.812400 s] line`.
    ///
    /// Logs are for people and never part of the trace.
    public func log(_ line: String) {
        writeLog("[\(now.nanoseconds.seconds(decimals: 6)) s] \(line)")
    }

    /// The next random number of a purpose: a function of the device's key, the purpose and how often
    /// it was asked for.
    public func random(_ purpose: String) -> Keyed {
        let ordinal = draws[purpose, default: 0]
        draws[purpose] = ordinal + 1
        return key.with(purpose).with(ordinal)
    }

    /// Runs one turn of `device` and takes its answers.
    ///
    /// The context is the thread's current one for the length of the turn (`Context.current`). An item
    /// posted to a queue is run here and does not reach the device's `handle`.
    public func turn(of device: some Device, at moment: VirtualTime, _ event: DeviceEvent)
        -> [Answer]
    {
        turn(at: moment, event, device.handle)
    }

    /// Runs one turn of whatever `handle` hands an event to.
    func turn(
        at moment: VirtualTime, _ event: DeviceEvent, _ handle: (DeviceEvent) -> Void
    ) -> [Answer] {
        now = moment
        if areTaken { answers.removeFew() }
        areTaken = true
        asCurrent {
            if case .queue(_, let item) = event {
                posted.removeValue(forKey: item)?()
            } else {
                handle(event)
            }
            endTurn()
        }
        return answers
    }

    /// Work to do when the turn ends, in the order it was asked for (effects of `deinit`, for one).
    public func atEndOfTurn(_ work: @escaping () -> Void) { endings.append(work) }
    private var endings: [() -> Void] = []

    private func endTurn() {
        while !endings.isEmpty {
            let now = endings
            endings = []
            for work in now { work() }
        }
    }

    /// Lets go of everything that was still to be done, after the device itself was let go.
    ///
    /// Objects that die with it still find their context, but nothing they ask for happens.
    func retire() {
        asCurrent {
            while !posted.isEmpty || !endings.isEmpty {
                posted = [:]
                endings = []
            }
        }
    }
}
