import AccessoryProtocol
import DeviceKit

/// The UWB middleware of one session, on the chip of the device link, in the shape of the vendors' interfaces (R4 3.4.4
/// and 3.5.3: "a dedicated interface").
///
/// It is the only part of the accessory that reads the shareable data.
final class UWBMiddleware {
    /// What the radio does for this session.
    private enum State: Equatable {
        case off
        /// The start is accepted; the radio is asked when the timer comes due.
        case accepted(UWBParameters, fails: Bool)
        /// The session is over, and its start is still to come, which is a defect.
        case forgotten(UWBParameters)
        case starting(handle: UInt32)
        case ranging(handle: UInt32)
    }

    private let chip: UWBChip
    private let timer: String
    private var state = State.off
    /// Since when all rounds have been misses; nil where the last one was none.
    private var missingSince: VirtualTime?
    private var address: UInt16?
    private var data: [UInt8] = []

    /// The middleware of the session with this index.
    init(session: Int, on chip: UWBChip) {
        self.chip = chip
        timer = "uwb/\(session)"
    }

    private var parameters: AccessoryParameters { chip.parameters }

    /// UWB configuration data with a short address drawn anew, and a number that makes the bytes
    /// differ from all others of this accessory even where the same address is drawn twice.
    func populateConfigData() -> [UInt8] {
        if parameters.has(.reusedConfiguration), !data.isEmpty { return data }
        let configuration = chip.newConfigData()
        if address == nil || !parameters.has(.keepsOldAddress) { address = configuration.address }
        data = configuration.bytes
        if parameters.has(.rangesUnasked) { rangeUnasked(as: configuration.address) }
        return data
    }

    /// Takes the shareable data as it came and starts ranging at once.
    ///
    /// Whether the radio really ranges is known later (`handle`).
    ///
    /// - Throws: `MiddlewareError` where nothing was started.
    func configureAndStart(_ payload: [UInt8]) throws(MiddlewareError) {
        guard let address else {
            throw MiddlewareError(sentence: "no configuration data was populated")
        }
        let selection = try selection(of: payload)
        let fails = chip.nextStartFails()
        if fails, parameters.startFailure == .atOnce {
            throw MiddlewareError(sentence: "the radio refused at once")
        }
        let request = parameters.spoilt(
            radio: UWBParameters(
                selection, address: address, isInitiator: parameters.isInitiator))
        guard fails || parameters.startDelay > 0 else { return start(request) }
        state = .accepted(request, fails: fails)
        chip.context.setTimer(timer, after: parameters.startDelay)
    }

    /// Stops ranging and forgets the session; to be called before a new one is populated.
    func stop() {
        switch state {
        case .off: break
        case .forgotten: return
        case .accepted(let request, fails: false) where parameters.has(.startsAfterStop):
            state = .forgotten(request)
            return
        case .accepted: chip.context.cancelTimer(timer)
        case .starting(let handle), .ranging(let handle):
            chip.context.answer(.uwb(.stop(session: handle)))
        }
        state = .off
    }

    /// Whether the radio ranges for this session under this handle.
    func ranges(as handle: UInt32) -> Bool { state == .ranging(handle: handle) }

    /// Forgets the session without stopping it: what a firmware does that only resets its books.
    func abandon() { state = .off }

    /// What a report of the radio means to the application; nil where it is about another session, or means nothing.
    func handle(_ event: UWBEvent) -> EmbeddedApplication.Event? {
        switch event {
        case .started(let session, let status):
            guard case .starting(handle: session) = state else { return nil }
            return started(as: session, status: status)
        case .round(let session, let measurement):
            guard case .ranging(handle: session) = state else { return nil }
            return round(measurement?.distance)
        }
    }

    private func round(_ distance: UInt32?) -> EmbeddedApplication.Event? {
        if let distance {
            missingSince = nil
            return .measured(distance)
        }
        let since = missingSince ?? chip.context.now
        missingSince = since
        let isOver = chip.context.now - since >= parameters.rangingTimeout
        return isOver && !parameters.has(.rangesForNobody) ? .timedOut : nil
    }

    /// A timer has come due; nil where it is none of this session's, or its start goes on.
    func handle(timer name: String) -> EmbeddedApplication.Event? {
        guard name == timer else { return nil }
        switch state {
        case .accepted(let request, fails: false): start(request)
        case .accepted:
            state = .off
            return .startFailed("the middleware could not start the radio")
        case .forgotten(let request):
            state = .off
            startUnowned(request)
        case .off, .starting, .ranging: break
        }
        return nil
    }

    private func selection(of payload: [UInt8]) throws(MiddlewareError) -> AppleUWBConfigData {
        let selection: AppleUWBConfigData
        do { selection = try AppleUWBConfigData(payload) } catch {
            throw MiddlewareError(sentence: "\(error)")
        }
        guard selection.slotsPerRound > 0, selection.slotDuration > 0, selection.interval > 0 else {
            throw MiddlewareError(
                sentence: "a round without slots, a slot without length, or no ranging interval")
        }
        guard selection.version.number == parameters.version else {
            throw MiddlewareError(
                sentence: "the shareable data has another version than the configuration data")
        }
        return selection
    }

    /// The radio ranges with parameters that nobody has chosen, under a handle that is lost at once.
    private func rangeUnasked(as address: UInt16) {
        let guess = AppleUWBConfigData(
            version: .v1_0, sessionID: 1, stsIV: [UInt8](repeating: 0, count: 6), destination: 0)
        startUnowned(
            UWBParameters(guess, address: address, isInitiator: parameters.isInitiator))
    }

    private func startUnowned(_ request: UWBParameters) {
        chip.context.answer(.uwb(.start(session: chip.nextHandle(), request)))
    }

    private func start(_ request: UWBParameters) {
        missingSince = nil
        let handle = chip.nextHandle()
        state = .starting(handle: handle)
        chip.context.answer(.uwb(.start(session: handle, request)))
    }

    private func started(as handle: UInt32, status: UInt8) -> EmbeddedApplication.Event {
        guard status != 0 else {
            state = .ranging(handle: handle)
            return .started
        }
        state = .off
        return .startFailed("the radio refused with status \(status)")
    }
}

extension UWBParameters {
    /// What an Apple device has selected, seen from the accessory with this short address.
    init(_ selection: AppleUWBConfigData, address: UInt16, isInitiator: Bool) {
        self.init(
            sessionID: selection.sessionID, address: address, peer: selection.destination,
            channel: selection.channel, preamble: selection.preamble, stsIV: selection.stsIV,
            slotsPerRound: selection.slotsPerRound, slotDuration: selection.slotDuration,
            interval: selection.interval, isInitiator: isInitiator)
    }
}

/// Why the middleware did not start, in one sentence.
struct MiddlewareError: Error { let sentence: String }
