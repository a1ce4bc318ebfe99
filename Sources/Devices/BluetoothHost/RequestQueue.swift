import Bluetooth

/// What a client wants of its peer, in the order of asking.
///
/// Procedures run one after the other. A write command wants no answer, so it waits for no response; but
/// it leaves after everything that was asked before it: requests that have not begun, and values of the
/// procedure under way that have not left.
final class RequestQueue {
    private enum Request {
        /// Begins a procedure, which ends with `finished`.
        case procedure(holdsCommands: Bool, begin: () -> Void)
        /// A write command, for which room is reserved.
        case command(UInt16, [UInt8])
    }

    private unowned let bearer: ATTBearer
    private var waiting: [Request] = []
    private var isBusy = false
    private var isPaused = false
    /// Whether a value of the procedure under way has yet to leave.
    private var holdsCommands = false

    init(of bearer: ATTBearer) { self.bearer = bearer }

    /// Begins a procedure after those before it.
    ///
    /// - Parameters:
    ///   - holdsCommands: Whether write commands wait for `lastValueLeaves`, or the procedure's end.
    ///   - begin: Begins it; `finished` follows exactly once.
    func add(holdsCommands: Bool, _ begin: @escaping () -> Void) {
        guard !isBusy, !isPaused else {
            return waiting.append(.procedure(holdsCommands: holdsCommands, begin: begin))
        }
        start(holdsCommands: holdsCommands, begin)
    }

    /// Sends a write command in its turn.
    ///
    /// - Returns: False, and nothing is sent, where there is no room for it.
    func send(_ value: [UInt8], to handle: UInt16) -> Bool {
        guard isPaused || holdsCommands || !waiting.isEmpty else {
            return bearer.sendUnanswered(Self.command(writing: value, to: handle, by: bearer))
        }
        guard bearer.reserve() else { return false }
        waiting.append(.command(handle, value))
        return true
    }

    /// The last value of the procedure under way leaves now.
    func lastValueLeaves() { holdsCommands = false }

    /// The procedure under way is over.
    func finished() {
        isBusy = false
        holdsCommands = false
        continueWaiting()
    }

    /// Begins nothing more until `resume`; what is under way goes on.
    func pause() { isPaused = true }

    /// Goes on, with what `first` asks before anything that waits.
    func resume(first: () -> Void = {}) {
        isPaused = false
        let rest = waiting
        waiting = []
        first()
        waiting += rest
        continueWaiting()
    }

    /// Sends write commands whose turn it is, whenever something has left.
    func sendCommands() {
        guard !isPaused, !holdsCommands else { return }
        while case .command(let handle, let value)? = waiting.first {
            waiting.removeFirst()
            bearer.sendReserved(Self.command(writing: value, to: handle, by: bearer))
        }
    }

    private func continueWaiting() {
        sendCommands()
        guard !isBusy, !isPaused, case .procedure(let holdsCommands, let begin)? = waiting.first
        else { return }
        waiting.removeFirst()
        start(holdsCommands: holdsCommands, begin)
    }

    private func start(holdsCommands: Bool, _ begin: () -> Void) {
        isBusy = true
        self.holdsCommands = holdsCommands
        begin()
        sendCommands()
    }

    /// Cut to what fits into one PDU.
    private static func command(
        writing value: [UInt8], to handle: UInt16, by bearer: ATTBearer
    ) -> ATTPDU { .writeCommand(handle, Array(value.prefix(Int(bearer.mtu) - 3))) }
}
