import ARKit
import Basics
import DeviceKit

/// The system's side of one NISession: does what its automaton says.
package final class RangingSession {
    /// Which session of this device it is, from 1.
    package let ordinal: Int
    /// Its number among those that live, for the names of its timers.
    let slot: Int
    /// The app's side.
    weak var owner: NISession?
    let token: NIDiscoveryToken
    private(set) weak var system: NearbyInteractionSystem?
    private(set) var automaton: SessionAutomaton
    private(set) var current: RangingRun?
    private(set) var radio: RangingRadio?
    /// Callbacks of before the app's last call are stale.
    private var epoch: UInt64 = 0
    /// Whether the app knows that it is invalid.
    private var isOver = false
    /// In how many intervals the radio ranges once.
    private var stride: UInt8 = 1
    private var lastMeasurement = VirtualTime.zero
    /// The last measurement with a direction, for a defect.
    private var lastSeen: UWBMeasurement?
    /// The ARSession that the app has given it.
    var sharedCamera: ARSession?
    /// The one that it has made for itself.
    var ownCamera: ARSession?
    /// What the camera has found out in this run; nil where it does not help.
    var assistance: CameraAssistance?
    /// Whether it is suspended because another session has taken the camera.
    var isWithoutCamera = false

    init(_ ordinal: Int, slot: Int, of system: NearbyInteractionSystem) {
        self.ordinal = ordinal
        self.slot = slot
        self.system = system
        token = NIDiscoveryToken(session: ordinal, of: system)
        automaton = SessionAutomaton(system.parameters)
    }

    /// The accessory, where the system knows it.
    package var accessory: KnownAccessory? { current?.accessory }

    /// Whether it goes on while the app is in the background.
    var isBackgroundCapable: Bool { current?.subject.bluetoothPeerIdentifier != nil }

    /// Whether it measures, or is about to measure, at extended distance.
    var isExtended: Bool { current?.isExtended == true }

    /// Whether it uses one of the sessions that the device can run at once.
    var isActive: Bool {
        switch automaton.state {
        case .pending(.resources, _), .pending(.radio, _), .running: true
        case .pending(.clearance, _), .idle, .suspended, .suspendEnded, .removed, .paused, .invalid:
            false
        }
    }

    // MARK: The app's calls

    /// Runs with an accessory or a peer; nil is a configuration of neither.
    func run(_ subject: RangingSubject?) {
        guard let system else { return }
        if automaton.state != .invalid { epoch += 1 }
        current = subject.map {
            RangingRun(
                $0, with: system.accessory(of: $0), on: system.parameters.capabilities,
                camera: camera(for: $0))
        }
        if system.parameters.has(.skipsVerification) { current?.isVerified = true }
        var fields: [Field] = []
        switch subject {
        case .accessory(let configuration):
            fields.append(Field("configuration", .bytes(configuration.bytes)))
        case .peer(let token, _, _): fields.append(token.told)
        case nil: break
        }
        if subject?.bluetoothPeerIdentifier != nil { fields.append(Field("bluetooth-peer", true)) }
        if isExtended { fields.append(Field("extended", true)) }
        if let camera = current?.camera {
            fields.append(Field("ar-session", .number(Int64(camera.ordinal))))
            fields.append(Field("camera", .text(camera.isOwn ? "own" : "shared")))
        }
        observe(.niRun, fields: fields)
        handle(.run)
    }

    func pause() {
        guard automaton.state != .invalid else { return }
        epoch += 1
        observe(.niPause)
        handle(.pause)
    }

    func invalidate() {
        guard !isOver else { return }
        isOver = true
        epoch += 1
        observe(.niInvalidate)
        // The system may have ended it before, and not said so yet.
        guard automaton.state != .invalid else { return }
        handle(.invalidate)
        if current != nil, system?.parameters.has(.callbackAfterInvalidation) == true {
            call(.didRemove(.timeout))
        }
    }

    /// The app has let go of it, which ends it as much as a word does.
    func noteRelease() {
        if current != nil, !isOver, automaton.state != .invalid { observe(.niInvalidate) }
    }

    /// Whether its peer is told that it stops: Apple says so of invalidation, and that it is no more than tried.
    private var tellsPeer: Bool {
        guard let system, current?.subject.peerToken != nil else { return false }
        return switch system.parameters.peerEnd {
        case .invalidation: automaton.state == .invalid && owner != nil
        case .everyStop: true
        case .never: false
        }
    }

    /// Ends without a word: nobody is left to hear it.
    func abandon() {
        epoch += 1
        owner = nil
        handle(.invalidate)
    }

    // MARK: What happens

    // Compiled once: it would be inlined in thirty callers, and make this module twice as dear to build.
    @inline(never) func handle(_ event: SessionAutomaton.Event) {
        if system?.misses(event) == true { return }
        if case .round(.some) = event { lastMeasurement = Context.current.now }
        if case .peerEnded = event, let token = current?.subject.peerToken {
            system?.hasEnded(token)
        }
        for action in automaton.handle(event) { perform(action) }
    }

    /// A ranging round; without the accessory's word for the configuration it counts for nothing.
    func take(_ measurement: UWBMeasurement?) {
        guard current?.isVerified == true, let system else { return }
        if assistance?.take(measurement) == true { tellConvergence() }
        var shown = measurement.map { visible($0, of: system) }
        if system.parameters.has(.keepsLastDirection) { keepDirection(in: &shown) }
        handle(.round(shown))
    }

    private func keepDirection(in measurement: inout UWBMeasurement?) {
        if measurement?.azimuth != nil {
            lastSeen = measurement
        } else if let lastSeen {
            measurement?.azimuth = lastSeen.azimuth
            measurement?.elevation = lastSeen.elevation
        }
    }

    func comesDue(_ timer: Timer) {
        armed.removeAll { $0 == timer }
        switch timer {
        case .resources: handle(.resourcesReady)
        case .silence: checkSilence()
        case .comparison: if let system { compare(with: system) }
        case .usage: handle(.fail(.resourceUsageTimeout))
        case .suspension: if let system { handle(.fail(system.parameters.suspensionError)) }
        }
    }

    private func checkSilence() {
        guard let system, case .running(let isMeasured) = automaton.state else { return }
        let deadline = lastMeasurement + system.parameters.removalTimeout
        guard isMeasured, deadline > Context.current.now else { return handle(.silence) }
        set(.silence, after: deadline - Context.current.now)
    }

    // MARK: What is to be done

    private func perform(_ action: SessionAutomaton.Action) {
        guard let system else { return }
        switch action {
        case .check: if let event = system.check(self) { handle(event) }
        case .prepare:
            beginAssistance(of: system)
            set(
                .resources, after: system.parameters.startLatency,
                slack: system.parameters.startSlack)
        case .startRadio: startRadio(of: system)
        case .stop: stop(system)
        case .awaitFirst:
            set(.silence, after: system.parameters.preparednessWindow)
            limit(.usage, to: system.parameters.resourceUsageLimit)
            verify(with: system)
            if assistance?.status != .unknown { tellConvergence() }
        case .awaitNext: set(.silence, after: system.parameters.removalTimeout)
        case .call(let callback): call(callback)
        }
    }

    private func startRadio(of system: NearbyInteractionSystem) {
        stopRadio()
        switch current?.subject {
        case .accessory(let configuration):
            radio = RangingRadio(
                configuration, handle: system.nextHandle(), of: system.parameters)
        case .peer(let peer, _, _):
            radio = RangingRadio(
                from: token, to: peer, isExtended: isExtended, handle: system.nextHandle())
        case nil: return
        }
        guard let radio else { return }
        Context.current.answer(.uwb(.start(session: radio.handle, radio.parameters)))
        stride = 1
        updateStride()
    }

    /// The app has come to the foreground, or left it.
    func updateStride() {
        guard let radio, let system else { return }
        let stride = UInt8(system.stride)
        guard stride != self.stride else { return }
        self.stride = stride
        Context.current.answer(.uwb(.stride(session: radio.handle, intervals: stride)))
    }

    /// Compares the configuration with what the accessory's Nearby Interaction Service holds (R4
    /// 4.3.2).
    private func verify(with system: NearbyInteractionSystem) {
        if current?.isVerified == false { compare(with: system) }
    }

    private func compare(with system: NearbyInteractionSystem) {
        guard let run = current, let configuration = run.subject.configuration else { return }
        let epoch = epoch
        system.readConfigurations(for: configuration) { [weak self] values in
            guard let self, let system = self.system, self.epoch == epoch, current != nil else {
                return
            }
            // Whoever could be read before has only lost its link.
            if values == nil, run.isVerified { return compareLater(with: system) }
            let acceptsAny = system.parameters.has(.acceptsAnyConfiguration)
            if let values, acceptsAny || values.contains(configuration.bytes) {
                current?.isVerified = true
                compareLater(with: system)
            } else {
                handle(.mismatch)
            }
        }
    }

    /// R4 says that it is compared before ranging goes on, and not how often.
    private func compareLater(with system: NearbyInteractionSystem) {
        guard case .running = automaton.state else { return }
        limit(.comparison, to: system.parameters.compareInterval)
    }

    private func stop(_ system: NearbyInteractionSystem) {
        endAssistance()
        stopRadio()
        for timer in Timer.allCases { cancel(timer) }
    }

    private func stopRadio() {
        guard let radio else { return }
        self.radio = nil
        let isEnd = tellsPeer
        Context.current.answer(
            .uwb(isEnd ? .end(session: radio.handle) : .stop(session: radio.handle)))
        guard let system, isEnd, system.parameters.has(.radioOutlivesSession) else { return }
        Context.current.answer(
            .uwb(.start(session: system.nextHandle(), radio.parameters)))
    }

    // MARK: Timers

    enum Timer: String, CaseIterable {
        /// The system's resources are there.
        case resources
        /// Nothing was measured for too long.
        case silence
        /// What the accessory holds is to be looked at again.
        case comparison
        /// It ran for too long.
        case usage
        /// It was suspended for too long.
        case suspension
    }

    private var armed: [Timer] = []

    private func set(_ timer: Timer, after: Nanoseconds, slack: Nanoseconds = 0) {
        if !armed.contains(timer) { armed.append(timer) }
        Context.current.setTimer(name(of: timer), after: after, slack: slack)
    }

    private func limit(_ timer: Timer, to limit: Nanoseconds) {
        if limit > 0 { set(timer, after: limit) }
    }

    private func cancel(_ timer: Timer) {
        guard let index = armed.firstIndex(of: timer) else { return }
        armed.remove(at: index)
        Context.current.cancelTimer(name(of: timer))
    }

    private func name(of timer: Timer) -> String {
        String(joining: "ni/", String(slot), "/", timer.rawValue)
    }

    // MARK: Callbacks

    /// Tells the app how far the camera is, as soon as it knows that the session runs.
    func tellConvergence() {
        guard case .running = automaton.state, let assistance else { return }
        call(.didUpdateConvergence(assistance.status))
    }

    func call(_ callback: SessionAutomaton.Callback) {
        if callback == .wasSuspended, let system {
            limit(.suspension, to: system.parameters.suspensionLimit)
        }
        if callback == .suspensionEnded { cancel(.suspension) }
        // Two devices that have each other's token have all that they need.
        if callback == .didGenerate, current?.subject.peerToken != nil,
            system?.parameters.has(.sharesWithPeers) == false
        {
            return
        }
        guard let call = Call(callback, of: self), let system else { return }
        if system.holdsBack(callback, of: self) {
            // Measurements of the background are for the accessory alone.
            if case .didUpdate = callback { return }
            // What waits for the foreground may be stale by then, too.
            let epoch = epoch
            system.hold { [weak self] in if self?.epoch == epoch { self?.post(call, for: callback) }
            }
        } else {
            post(call, for: callback)
        }
    }

    private func post(_ call: Call, for callback: SessionAutomaton.Callback) {
        guard let owner else { return }
        let epoch = epoch
        // Only the defect keeps a session alive that the app has let go of.
        let survivor = system?.parameters.has(.callbackAfterInvalidation) == true ? owner : nil
        (owner.delegateQueue ?? .main).post { [weak self] in
            guard let self, let owner = survivor ?? self.owner, epoch == self.epoch,
                let delegate = owner.delegate
            else { return }
            if case .didInvalidate = callback { isOver = true }
            observe(call.kind, fields: call.fields)
            // Apps hear of a start since iOS 16.
            if case .didStartRunning = callback, system?.parameters.version ?? .latest < .v16 {
                return
            }
            call.perform(on: delegate, with: owner)
        }
    }

    private func observe(_ kind: EventKind, fields: [Field] = []) {
        var all = [Field("ni-session", .number(Int64(ordinal)))]
        all.reserveCapacity(2 + fields.count)
        if let accessory = current?.told { all.append(accessory) }
        all += fields
        Context.current.observe(kind, fields: all)
    }
}
